"""Calls of a client in a Python program, as the Python carrier hands them over."""

from __future__ import annotations

import pytest

from .support import report, told

CHAT = "http://127.0.0.1:11434/api/chat"
BEGIN = "import json, httpx, ollama, requests\nfrom ollama import chat\n"


@pytest.mark.parametrize(
    ("call", "state", "gamma"),
    [
        (f'requests.post("{CHAT}", json={{"model": "m1", "options": {{"draft_num_predict": 2}}}})', "on", 2),
        (f'requests.post(url="{CHAT}", json={{"options": {{"draft_num_predict": 0}}}}, timeout=9)', "off", None),
        (f'httpx.post("{CHAT}", json={{"options": {{"draft_num_predict": k()}}}})', "unknown", None),
        (f'requests.post("{CHAT}", data=json.dumps({{"options": {{"draft_num_predict": 3}}}}))', "on", 3),
        (f'requests.request("POST", "{CHAT}", json=dict(options=dict(draft_num_predict=5)))', "on", 5),
        ('ollama.chat(model="m1", messages=[], options={"draft_num_predict": 4})', "on", 4),
        ('chat("m1", options={"draft_num_predict": None})', "on", 4),
        (f'depth = 6\nrequests.post(f"{CHAT}", json={{"options": {{"draft_num_predict": depth}}}})', "on", 6),
    ],
)
def test_a_call_to_ollama(call: str, state: str, gamma: int | None) -> None:
    (found,) = report(BEGIN + call + "\n", name="app.py").launches
    assert found.launch.program == "ollama request"
    assert (found.spec.state, found.spec.gamma) == (state, gamma)


@pytest.mark.parametrize(
    "call",
    [
        'requests.post("https://mail.example/api/drafts", json={"draft_num_predict": 600})',
        'Settings(draft_num_predict=600, url="http://localhost:11434")',
        'ollama.chat(model="m", options={"num_ctx": 8192})',
        f'requests.post("{CHAT}", json={{"options": {{"num_predict": 600}}}})',
        f'requests.post("{CHAT}", json=payload)',
        f'requests.get("{CHAT}", draft_num_predict=1)',
        f'requests.post("{CHAT}", data="draft_num_predict")',
    ],
)
def test_what_is_none(call: str) -> None:
    assert report(BEGIN + call + "\n", name="app.py").launches == []


@pytest.mark.parametrize(
    ("call", "code"),
    [
        (f'requests.post("{CHAT}", json={{"draft_num_predict": 4}})', "MTP106"),
        (f'requests.post("{CHAT}", json={{"options": {{"draft_num_predict": "4"}}}})', "MTP105"),
        (f'requests.post("{CHAT}", json={{"options": {{"draft_num_predict": True}}}})', "MTP105"),
        ('ollama.chat(model="m", options={"draft_num_predict": None})', "MTP105"),
    ],
)
def test_what_is_wrong_in_a_call(call: str, code: str) -> None:
    found = told(BEGIN + call + "\n", name="app.py")
    assert [finding.code for finding in found] == [code]
    (finding,) = found
    shown = finding.source.text[slice(*finding.span)]
    assert shown in ('"draft_num_predict"', "draft_num_predict", '"4"', "4", "True", "None")


def test_a_payload_that_is_put_together_before() -> None:
    lines = (
        'payload = {"model": "m"}',
        'payload["options"] = {"draft_num_predict": 2}',
        f'requests.post("{CHAT}", json=payload)',
    )
    text = BEGIN + "\n".join(lines)
    (found,) = report(text, name="app.py").launches
    assert (found.spec.state, found.spec.gamma, found.spec.model) == ("on", 2, "m")
