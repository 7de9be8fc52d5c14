"""Right scripts: none of these may get an error or a warning."""

from __future__ import annotations

import pytest

from mtpconfig.lint.findings import Finding

from ..support import found

CLEAN: dict[str, tuple[str, str]] = {
    # older builds with the spellings that were right then
    "draft-max on b8946": (
        "llama-server -m q.gguf -md d.gguf --draft-max 16 --draft-min 5 --draft-p-min 0.9\n",
        "b8946",
    ),
    "draft on b7488": ("llama-server -m q.gguf -md d.gguf --draft 8 -ngld 99\n", "b7488"),
    "draft-n on b8000": ("llama-server -m q.gguf -md d.gguf --draft-n 8\n", "b8000"),
    "env on b8946": ("LLAMA_ARG_MODEL_DRAFT=d.gguf LLAMA_ARG_DRAFT_MAX=8 llama-server -m q.gguf\n", "b8946"),
    "md alone on b9093": ("llama-server -m q.gguf -md d.gguf\n", "b9093"),
    "md alone on b9294": ("llama-server -m q.gguf -md d.gguf --spec-draft-n-max 3\n", "b9294"),
    "ctx-size-draft on b9105": ("llama-server -m q.gguf -md d.gguf -cd 4096\n", "b9105"),
    "spec-replace on b9105": ("llama-server -m q.gguf -md d.gguf --spec-replace A B\n", "b9105"),
    "ngram sizes on b8505": (
        "llama-server -m q.gguf --spec-type ngram-simple --spec-ngram-size-n 12 --draft-max 32\n",
        "b8505",
    ),
    "check-rate on b7955": ("llama-server -m q.gguf --spec-type ngram-map-k --spec-ngram-check-rate 2\n", "b7955"),
    "path names the old build": ("/opt/llama-b8946/bin/llama-server -m q.gguf -md d.gguf --draft-max 8\n", ""),
    "image names the old build": (
        "docker run ghcr.io/ggml-org/llama.cpp:server-cuda-b8900 -m /m.gguf -md /d.gguf --draft-max 8\n",
        "",
    ),
    "comment names the old build": ("# llama.cpp b8900\nllama-server -m q.gguf -md d.gguf --draft-max 8\n", ""),
    # what is right today
    "mtp": ("llama-server -m q.gguf --spec-type draft-mtp\n", "b11549"),
    "mtp n-max": (
        "llama-server -hf org/repo:Q4_K_M --spec-type draft-mtp --spec-draft-n-max 3 --spec-draft-p-min 0.5\n",
        "b11549",
    ),
    "mtp sidecar": ("llama-server -m q.gguf -md mtp-q.gguf --spec-type draft-mtp\n", "b11549"),
    "mtp sidecar found by contents": ("llama-server -m q.gguf -md q-mtp.gguf\n", "b11549"),
    "mtp and ngram": ("llama-server -m q.gguf --spec-type ngram-mod,draft-mtp --spec-draft-n-max 4\n", "b11549"),
    "types said twice": ("llama-server -m q.gguf --spec-type ngram-mod --spec-type draft-mtp\n", "b11549"),
    "none": ("llama-server -m q.gguf --spec-type none\n", "b11549"),
    "draft-simple": ("llama-server -m q.gguf -md d.gguf --spec-type draft-simple --spec-draft-n-max 8\n", "b11549"),
    "eagle3": ("llama-server -m q.gguf -md e.gguf --spec-type draft-eagle3\n", "b9873"),
    "dflash": ("llama-server -m q.gguf -md f.gguf --spec-type draft-dflash\n", "b10200"),
    "spec-default": ("llama-server -m q.gguf --spec-default\n", "b11549"),
    "old aliases that stay": (
        "llama-server -m q.gguf -md d.gguf --spec-type draft-simple -ngld 9 --draft-p-min 0.6 -ctkd q8_0 -td 4\n",
        "b11549",
    ),
    "underscores": ("llama-server -m q.gguf --spec_type draft-mtp --spec_draft_n_max 3\n", "b11549"),
    "env": ("export LLAMA_ARG_SPEC_TYPE=draft-mtp LLAMA_ARG_SPEC_DRAFT_N_MAX=4\nllama-server -m q.gguf\n", "b11549"),
    "layers env that stays": (
        "LLAMA_ARG_N_GPU_LAYERS_DRAFT=9 llama-server -m q.gguf -md d.gguf --spec-type draft-simple\n",
        "b11549",
    ),
    "env and flag": (
        "LLAMA_ARG_SPEC_DRAFT_N_MAX=5 llama-server -m q.gguf --spec-type draft-mtp --spec-draft-n-max 2\n",
        "b11549",
    ),
    "lookup": ("llama-lookup -m q.gguf --spec-draft-n-max 4 -lcs a.bin\n", "b11549"),
    "llama-cli": ("llama-cli -m q.gguf --spec-type draft-mtp -p hi\n", "b11549"),
    "llama serve": ("llama serve -m q.gguf --spec-type draft-mtp\n", "b11549"),
    "n-max 100": ("llama-server -m q.gguf --spec-type draft-mtp --spec-draft-n-max 100\n", "b11549"),
    "ngram with its own sizes": (
        "llama-server -m q.gguf --spec-type ngram-simple --spec-ngram-simple-size-m 16\n",
        "b11549",
    ),
    "parallel": ("llama-server -m q.gguf --spec-type draft-mtp -np 4 --kv-unified\n", "b10310"),
    "no speculation at all": ("llama-server -m q.gguf -c 8192 -ngl 99 --temp 0.7 --host 0.0.0.0\n", "b11549"),
    "router": ("llama-server --models-preset models.ini --spec-draft-n-max 3\n", "b11549"),
    "a flag of tomorrow": ("llama-server -m q.gguf --some-new-thing 3 --spec-type draft-mtp\n", "b11549"),
    "an unknown variable": (
        "LLAMA_ARG_FANCY=1 LLAMA_CACHE=/tmp llama-server -m q.gguf --spec-type draft-mtp\n",
        "b11549",
    ),
    # words from elsewhere: nothing follows from what is not seen
    "arguments": ('exec llama-server "$@"\n', "b11549"),
    "arguments behind a draft model": ('llama-server -m q.gguf -md d.gguf "$@"\n', "b11549"),
    "an unknown array": ('llama-server -m q.gguf --spec-draft-n-max 3 "${EXTRA_ARGS[@]}"\n', "b11549"),
    "the environment decides the type": (
        'llama-server -m q.gguf --spec-type "$TYPE" --spec-draft-n-max "$N"\n',
        "b11549",
    ),
    "an optional flag": ('llama-server -m q.gguf ${DRAFT:+-md "$DRAFT" --spec-type draft-simple}\n', "b11549"),
    "two branches": (
        'if [ "$OLD" ]; then A=(--spec-type draft-mtp); else A=(-md d.gguf --spec-type draft-simple); fi\n'
        'llama-server -m q.gguf "${A[@]}"\n',
        "b11549",
    ),
    # text that is no command
    "a comment": ("# llama-server --draft-max 16\nllama-server -m q.gguf --spec-type draft-mtp\n", "b11549"),
    "echo": ('echo "llama-server --draft-max 16 is gone"\necho llama-server --draft-max 5\n', "b11549"),
    "printf": ("printf '%s\\n' 'llama-server --draft-max 5'\n", "b11549"),
    "a message in a variable": ("MSG='use llama-server --draft-max 5'\nlogger \"$MSG\"\n", "b11549"),
    "prose in a here-document": ("cat <<'EOF'\nUsage: llama-server --draft-max 5\nEOF\n", "b11549"),
    "prose for standard error": ("cat >&2 <<EOF\nllama-server -m x --draft-max 5 was the old way\nEOF\n", "b11549"),
    "grep": ("grep -- '--draft-max' llama-server.log\nllama-server --help | grep -q -- --draft-max\n", "b11549"),
    "sed": ("sed -i 's/--draft-max/--spec-draft-n-max/' start-llama-server.sh\n", "b11549"),
    "help": ("llama-server --help\nllama-server --version --draft-max 5\n", "b11549"),
    "which": ("command -v llama-server && type llama-server\n", "b11549"),
    "kill": ("pkill llama-server; pgrep -f 'llama-server --draft-max'\n", "b11549"),
    "git": ("git commit -m 'llama-server: drop --draft-max 5'\n", "b11549"),
    "a build": ("cmake --build build --target llama-server -j 8\n", "b11549"),
    "a copy": ("cp build/bin/llama-server /usr/local/bin/ && ls -l llama-server\n", "b11549"),
    "a package": ("apt-get install llama-server --draft-max\nbrew install llama.cpp\n", "b11549"),
    "ignored on purpose": ("llama-server -m q.gguf --spec-type mtp  # mtpconfig: ignore[MTP105]\n", "b11549"),
    # other programs with like flags
    "another draft": ("pandoc --draft 5 llama.md\nhugo server --draft --spec-type x llama\n", "b11549"),
    "a server": ("server -m q.bin --draft-max 5  # not llama\n", "b11549"),
    "a python server": ("python -m llama_cpp.server --model q.gguf --draft_model_num_pred_tokens 10\n", "b11549"),
    "bench": ("llama-bench -m q.gguf -p 512 -n 128\n", "b11549"),
    "ollama": ("ollama run llama3 --keepalive 5m\n", "b11549"),
    "llamafile": ("./q.llamafile --server --draft-max 5\n", "b11549"),
    "quantize": ("llama-quantize q.gguf q4.gguf Q4_K_M\n", "b11549"),
    # forks
    "ik_llama by its path": ("/opt/ik_llama.cpp/build/bin/llama-server -m q.gguf --draft-max 5 -mtp\n", "b11549"),
    "ik_llama by its flags": ("llama-server -m q.gguf -mtp --draft-max 3 -fmoe\n", "b11549"),
    "ik_llama by its folder": ("cd ~/src/ik_llama.cpp && ./build/bin/llama-server -m q.gguf --draft-max 3\n", "b11549"),
    "lucebox by its path": ("/opt/lucebox-hub/build/bin/llama-server -m q.gguf --draft d.gguf\n", "b11549"),
    "lucebox by its flags": ("llama-server -m q.gguf --draft d.gguf --target-gpu 0 --draft-gpu 1\n", "b11549"),
    "ik_llama by a value": ("llama-server -m q.gguf --spec-type mtp:3\n", "b11549"),
    "ik_llama by its parameters": ("llama-server -m q.gguf --spec-type ngram-mod:n_max=64,n_min=2\n", "b11549"),
    "koboldcpp": ("koboldcpp --model q.gguf --draftmodel d.gguf --draftamount 8\n", "b11549"),
    "turboquant": ("llama-server -m q.gguf --mtp-head h.gguf --draft-max 3 -ctk turbo3\n", "b11549"),
}


def told(findings: list[Finding]) -> list[str]:
    return [f"{finding.code} {finding.message}" for finding in findings]


@pytest.mark.parametrize(("text", "target"), CLEAN.values(), ids=CLEAN.keys())
def test_a_right_script_is_clean(text: str, target: str) -> None:
    assert told(found(text, target)) == []


@pytest.mark.parametrize(("text", "target"), CLEAN.values(), ids=CLEAN.keys())
def test_it_is_clean_with_windows_line_ends(text: str, target: str) -> None:
    if "<<" in text:
        return
    assert told(found(text.replace("\n", "\r\n"), target)) == []


@pytest.mark.parametrize(
    "text",
    [
        "llama-server -m q.gguf --spec-type draft-mtp --spec-draft-n-max 3",
        "llama-server -m q.gguf -md d.gguf --spec-type draft-simple",
        "llama-server -m q.gguf --spec-type ngram-mod",
        "llama-server -m q.gguf",
    ],
)
def test_what_is_right_on_the_newest_build_is_clean_without_a_version(text: str) -> None:
    assert told(found(text + "\n")) == []
