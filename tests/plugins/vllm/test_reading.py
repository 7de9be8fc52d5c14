"""What a release makes of a launch: from config/speculative.py and arg_utils.py of each, and from runs of 0.32.0."""

from __future__ import annotations

import pytest

from mtpconfig.launch import Opaque
from mtpconfig.text import Source

from ...support import linter
from .support import read, release, serve, vllm

ON, OFF, AUTO, UNKNOWN = "on", "off", "auto", "unknown"
MTP2 = '{"method":"mtp","num_speculative_tokens":2}'

STATES: list[tuple[str, str, str, tuple[str, ...], int | None]] = [
    # words, release, state, methods, gamma
    ("", "0.33.0", OFF, (), None),
    (f"--speculative-config '{MTP2}'", "0.33.0", ON, ("mtp",), 2),
    (f"--speculative_config='{MTP2}'", "0.22.1", ON, ("mtp",), 2),
    (f"-sc '{MTP2}'", "0.19.0", ON, ("mtp",), 2),
    (f"--speculative '{MTP2}'", "0.32.0", ON, ("mtp",), 2),  # the beginning of one name alone
    (f"--spec '{MTP2}'", "0.13.0", ON, ("mtp",), 2),
    (f"--spec '{MTP2}'", "0.32.0", OFF, (), None),  # ambiguous: it does not start
    (f"--port 1 --speculative-config '{MTP2}' m2", "0.32.0", ON, ("mtp",), 2),
    ("--speculative-config.method mtp --speculative-config.num_speculative_tokens 4", "0.22.0", ON, ("mtp",), 4),
    ("--speculative-config.method=mtp --speculative-config.num-speculative-tokens=4", "0.26.0", ON, ("mtp",), 4),
    ("-sc.method mtp -sc.num_speculative_tokens 4", "0.22.0", ON, ("mtp",), 4),
    ("--spec-method mtp --spec-tokens 3", "0.22.0", ON, ("mtp",), 3),
    ('-sc \'{"method":"mtp"}\' --spec-tokens 3', "0.22.0", ON, ("mtp",), 3),
    ('-sc \'{"method":"mtp","num-speculative-tokens":1}\'', "0.28.0", ON, ("mtp",), 1),
    ('-sc \'{"method":"mtp","num-speculative-tokens":1}\'', "0.20.0", ON, ("mtp",), None),
    # the last configuration stands alone
    (f"-sc '{MTP2}' --speculative-config.num_speculative_tokens 5", "0.32.0", UNKNOWN, (), 5),
    (f"--speculative-config '{MTP2}' --speculative-config '{MTP2.replace('2', '4')}'", "0.32.0", ON, ("mtp",), 4),
    # names of methods
    ('--speculative-config \'{"method":"deepseek_mtp","num_speculative_tokens":1}\'', "0.10.2", ON, ("mtp",), 1),
    ('--speculative-config \'{"method":"qwen3_5_mtp","num_speculative_tokens":1}\'', "0.24.0", ON, ("mtp",), 1),
    ('--speculative-config \'{"method":"suffix"}\'', "0.24.0", ON, ("suffix",), None),
    ('--speculative-config \'{"method":"dspark","num_speculative_tokens":5}\'', "0.25.0", ON, ("dspark",), 5),
    # a number alone
    ("--speculative-config '{\"num_speculative_tokens\":1}'", "0.8.5", ON, ("mtp",), 1),
    ("--speculative-config '{\"num_speculative_tokens\":1}'", "0.11.0", UNKNOWN, (), 1),
    ("--num-speculative-tokens 1", "0.7.3", ON, ("mtp",), 1),
    # the options of old
    ("--speculative-model '[ngram]' --num-speculative-tokens 5", "0.6.6", ON, ("ngram",), 5),
    ("--speculative-model d --num-speculative-tokens 5", "0.6.6", ON, (), 5),
    ("--speculative-model d --num-speculative-tokens 5", "0.33.0", UNKNOWN, (), None),
    # the name of the drafter
    ('-sc \'{"model":"org/EAGLE3-x","num_speculative_tokens":3}\'', "0.24.0", ON, ("eagle3",), 3),
    ('-sc \'{"method":"mtp","model":"/m/eagle-x","num_speculative_tokens":3}\'', "0.24.0", ON, ("eagle",), 3),
    # nothing at all
    ("--speculative-config ''", "0.32.0", OFF, (), None),
    ("--speculative-config null", "0.32.0", OFF, (), None),
    ('--speculative-config \'{"method":null,"num_speculative_tokens":1}\'', "0.10.2", ON, ("mtp",), 1),
    # not JSON, not known
    ("--speculative-config \"{'method':'mtp','num_speculative_tokens':2}\"", "0.32.0", UNKNOWN, (), None),
    ("--speculative-config \"{'model':'[ngram]','num_speculative_tokens':2}\"", "0.8.2", ON, ("ngram",), 2),
    ('--speculative-config "$SPEC"', "0.32.0", UNKNOWN, (), None),
    ("$EXTRA", "0.32.0", UNKNOWN, (), None),
    ('-sc \'{"method":"mtp","num_speculative_tokens":\'$N\'}\'', "0.32.0", ON, ("mtp",), None),
    ('-sc \'{"method":"mtp","num_speculative_tokens":\'${N:-3}\'}\'', "0.32.0", ON, ("mtp",), 3),
    ('-sc \'{"method":"\'$M\'","num_speculative_tokens":3}\'', "0.32.0", UNKNOWN, (), 3),
    ('-sc \'{"method":"mtp", \'"$MORE"\'"num_speculative_tokens":3}\'', "0.32.0", UNKNOWN, (), None),
]


@pytest.mark.parametrize(("words", "version", "state", "methods", "gamma"), STATES)
def test_speculation(words: str, version: str, state: str, methods: tuple[str, ...], gamma: int | None) -> None:
    spec = serve(words, version).spec
    assert (spec.state, spec.methods, spec.gamma) == (state, methods, gamma)


def test_a_checkpoint_that_brings_its_speculation() -> None:
    text = "vllm serve RedHatAI/Llama-3.1-8B-Instruct-speculator.eagle3\n"
    assert read(text, "0.24.0").spec.state == AUTO
    assert read(text, "0.9.2").spec.state == OFF


@pytest.mark.parametrize(
    ("words", "version", "temperature"),
    [
        ("", "0.33.0", None),
        ("", "0.7.3", 1.0),
        ("--generation-config vllm", "0.33.0", 1.0),
        ("--generation-config auto", "0.33.0", None),
        ("--override-generation-config '{\"temperature\": 0.6}'", "0.33.0", 0.6),
        ("--generation-config vllm --override-generation-config '{\"temperature\": 0}'", "0.33.0", 0.0),
        ("--override-generation-config '{\"top_p\": 0.9}'", "0.33.0", None),
        ('--override-generation-config "$X"', "0.33.0", None),
    ],
)
def test_temperature(words: str, version: str, temperature: float | None) -> None:
    assert serve(words, version).spec.temperature == temperature


@pytest.mark.parametrize(
    ("text", "model"),
    [
        ("vllm serve org/m --port 1", "org/m"),
        ("vllm serve --port 1 org/m", "org/m"),
        ("vllm serve --served-model-name a b --port 1 org/m", "org/m"),
        ("vllm serve --enforce-eager org/m", "org/m"),
        ("vllm serve --model org/m", "org/m"),
        ("python3 -m vllm.entrypoints.openai.api_server --model=org/m", "org/m"),
        ('vllm serve "$MODEL"', "$MODEL"),
        ("docker run vllm/vllm-openai:v0.24.0 --model org/m", "org/m"),
    ],
)
def test_model(text: str, model: str) -> None:
    assert read(text + "\n", "0.24.0").spec.model == model


def test_a_hole_leaves_the_other_keys_known() -> None:
    reading = serve('-sc \'{"method":"mtp","num_speculative_tokens":\'$N\'}\'', "0.32.0")
    (tokens,) = reading.by_option["spec.num_speculative_tokens"]
    assert tokens.value == Opaque("$N")
    assert reading.by_option["spec.method"][0].text == "mtp"
    assert reading.closed


def test_discarded_keys_are_unread() -> None:
    reading = serve(f"-sc '{MTP2}' --speculative-config.num_speculative_tokens 5", "0.32.0")
    assert "spec.method" not in reading.by_option
    assert [setting.spelling for setting in reading.unread] == ["method", "num_speculative_tokens"]


def test_underscores_behind_the_dot_at_the_first_releases_with_dots() -> None:
    words = "--speculative-config.method deepseek_mtp --speculative-config.num_speculative_tokens 1"
    assert serve(words, "0.9.1").spec.gamma == 1
    reading = serve(words, "0.9.0")
    assert "spec.num_speculative_tokens" not in reading.by_option
    assert reading.settings[-1].key == "num-speculative-tokens"


CONFIG = "model: org/m\nspeculative-config:\n  method: mtp\n  num_speculative_tokens: 1\nenforce-eager: true\n"


@pytest.mark.parametrize(
    ("version", "state", "gamma"), [("0.24.0", ON, 1), ("0.16.0", ON, 1), ("0.15.1", UNKNOWN, None)]
)
def test_a_config_file(version: str, state: str, gamma: int | None) -> None:
    spec = read(CONFIG, version, "serve.yaml").spec
    assert (spec.state, spec.gamma, spec.model) == (state, gamma, "org/m")


@pytest.mark.parametrize(
    ("line", "gamma"),
    [
        ("""speculative-config: '{"method": "mtp", "num_speculative_tokens": 3}'""", 3),
        ("speculative_config: {method: mtp, num_speculative_tokens: 3}", 3),
        ("speculative-config.method: mtp\nspeculative-config.num_speculative_tokens: 3", 3),
        ("spec-method: mtp\nspec-tokens: 3", 3),
    ],
)
def test_forms_in_a_config_file(line: str, gamma: int) -> None:
    spec = read(f"model: org/m\nmax-model-len: 4096\n{line}\n", "0.32.0", "serve.yaml").spec
    assert (spec.state, spec.methods, spec.gamma) == (ON, ("mtp",), gamma)


RAY = """\
applications:
  - import_path: ray.serve.llm:build_openai_app
    args:
      llm_configs:
        - model_loading_config: {model_id: q, model_source: Qwen/Qwen3.5-27B-FP8}
          engine_kwargs:
            max_model_len: 65536
            speculative_config: {method: mtp, num_speculative_tokens: 2}
        - model_loading_config: {model_id: other}
          llm_engine: SGLang
          engine_kwargs: {tp_size: 2}
"""


def test_ray_serve() -> None:
    (found,) = linter().launches(Source("serve.yaml", RAY))
    spec = vllm().read(found, release("0.24.0")).spec
    assert (spec.state, spec.methods, spec.gamma, spec.model) == (ON, ("mtp",), 2, "Qwen/Qwen3.5-27B-FP8")
    assert found.label == "q"
