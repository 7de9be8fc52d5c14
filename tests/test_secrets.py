"""Secrets are hidden whole, columns stay, and what is no secret is left alone."""

from __future__ import annotations

import pytest

from mtpconfig.secrets import hide, hide_quoted


@pytest.mark.parametrize(
    ("text", "hidden"),
    [
        ("prog --api-key abc123 --port 80", "prog --api-key ****** --port 80"),
        ("prog --api-key=abc123", "prog --api-key=******"),
        ('prog --api-key "correct horse battery" x', 'prog --api-key "' + "*" * 21 + '" x'),
        ("prog --api-key 12345678", "prog --api-key ********"),
        ("export LLAMA_API_KEY=11112222", "export LLAMA_API_KEY=********"),
        ("DB_PASS=hunter2 prog", "DB_PASS=******* prog"),
        ("OPENAI_KEY=abc prog", "OPENAI_KEY=*** prog"),
        ("HF_TOKEN: hf_abcdefgh", "HF_TOKEN: ***********"),
        ("-H 'Authorization: Bearer abcdef'", "-H 'Authorization: Bearer ******'"),
        ("curl https://joe:hunter22@host/x", "curl https://joe:********@host/x"),
        ("x sk-abcdefgh y", "x *********** y"),
        ('CMD ["--api-key","SECRET18","-m"]', 'CMD ["--api-key","********","-m"]'),
        ("['--api-key', 'SECRET18', x]", "['--api-key', '********', x]"),
        ('"HF_TOKEN": "SECRET23"', '"HF_TOKEN": "********"'),
        ("- {name: API_KEY, value: SECRET6}", "- {name: API_KEY, value: *******}"),
        ('{"api_key":abc,"x":[1]}', '{"api_key":***,"x":[1]}'),
        ('{\\"api_key\\":\\"abc\\"}', '{\\"api_key\\":\\"***\\"}'),
        ("prog --api-key=ab,cd --port 80", "prog --api-key=***** --port 80"),
        ("x hf_" + "aB3" * 11 + "x y", "x " + "*" * 37 + " y"),
        ("takes no `--api-key=abc`: the value", "takes no `--api-key=***`: the value"),
        ("- name: HF_TOKEN\n  value: SECRET25", "- name: HF_TOKEN\n  value: ********"),
        ("- --api-key\n- SECRET25\n- --port", "- --api-key\n- ********\n- --port"),
        ('- "--api-key"\r\n- "SECRET25"\r\n', '- "--api-key"\r\n- "********"\r\n'),
        ('"--api-key",\n"SECRET25",', '"--api-key",\n"********",'),
    ],
)
def test_secrets_are_hidden(text: str, hidden: str) -> None:
    assert hide(text) == hidden
    assert len(hide(text)) == len(text)


@pytest.mark.parametrize(
    "text",
    [
        "prog --api-key $KEY --port 80",
        'prog --api-key "$KEY"',
        "prog --max-tokens 64 --num-speculative-tokens 3",
        "prog --tokenizer org/name",
        "- name: HF_TOKEN\n  valueFrom: x",
        "- --api-key\n- $KEY",
        "token, the next one",
        "- name: llama\n  value: x",
        "llama-server -m q.gguf --spec-draft-n-max 3 # no secret here",
        '--speculative-config {"method":"mtp","num_speculative_token":3}',
        '{"num_speculative_token":3,"method":"mtp"}',
        '{"num_speculative_token":"3"}',
        "num_speculative_token: three",
        '{"max_tokens":64,"num_draft_tokens":[1,2]}',
        "LLM(m, hf_config=x, hf_overrides={'a': 1})",
        "--hf_config_path org/name",
    ],
)
def test_what_is_no_secret_stays(text: str) -> None:
    assert hide(text) == text


@pytest.mark.parametrize(
    ("text", "hidden"),
    [
        ("unknown-config-key: Engine 0.32.0 does not start: `tokn` is no key", None),
        ("write the token: none is told; the key: `x`", None),
        ("takes no `--api-key=abc`: the value", "takes no `--api-key=***`: the value"),
        ("a token sk-abcdefgh of the server", "a token *********** of the server"),
        ("a stray ` makes --api-key abc a secret", "a stray ` makes --api-key *** a secret"),
    ],
)
def test_own_words_of_a_sentence_are_no_secrets(text: str, hidden: str | None) -> None:
    assert hide_quoted(text) == (hidden or text)


@pytest.mark.parametrize("text", ["token" * 20_000, "--" + "token-" * 20_000, "a:" * 50_000, "://" + "a" * 100_000])
@pytest.mark.timeout(20)  # a pattern that backtracks takes minutes
def test_hostile_lines_are_bounded(text: str) -> None:
    assert len(hide(text)) <= len(text)
