"""What a Python program starts: commands, texts that a shell reads, and calls of what is imported."""

from __future__ import annotations

import pytest

from mtpconfig.carriers.python_.claims import is_python, is_test
from mtpconfig.launch import Default, Launch, exclude

from .yaml_launches import env, read, said


def launches(text: str, name: str = "start.py") -> list[Launch]:
    return read(text, name)


def only(text: str) -> Launch:
    (launch,) = launches(text)
    return launch


def argv(text: str) -> list[str]:
    return said(only(text))


HEAD = "import asyncio, json, os, shlex, subprocess, sys\nfrom pathlib import Path\n"


@pytest.mark.parametrize(
    ("name", "head", "expected"),
    [
        ("a.py", "", True),
        ("A.PYW", "", True),
        ("run", "#!/usr/bin/env python3\n", True),
        ("run", "#!/usr/bin/python3.11 -u\n", True),
        ("run", "#!/usr/bin/env -S uv run --script\n", True),
        ("run", "#!/bin/sh\n", False),
        ("a.pyi", "", False),
        ("a.txt", "#!/usr/bin/python3\n", False),
    ],
)
def test_claims(name: str, head: str, expected: bool) -> None:
    assert is_python(name, head) is expected


def test_tests_are_told_by_their_names() -> None:
    assert is_test("src/tests/launch.py") and is_test("test_launch.py") and is_test("a/conftest.py")
    assert not is_test("src/latest/launch.py") and not is_test("contest.py")


@pytest.mark.parametrize(
    "call",
    [
        'subprocess.run(["prog", "-m", "x"])',
        'subprocess.Popen(args=("prog", "-m", "x"), stdout=None)',
        'asyncio.run(asyncio.create_subprocess_exec("prog", "-m", "x", stdout=None))',
        'os.execvp("prog", ["prog", "-m", "x"])',
        'os.execlp("prog", "prog", "-m", "x")',
        'os.system("prog -m x")',
        'os.system("""\n  prog \\\\\n    -m x\n""")',
        'subprocess.run("prog -m x", shell=True)',
        'subprocess.check_output(" ".join(["prog", "-m", "x"]), shell=True)',
        "subprocess.call(shlex.split(\"prog -m 'x'\"))",
        'subprocess.call("prog -m x".split())',
        'subprocess.call(["nohup", "env", "A=1", "prog", "-m", "x"])',
        'subprocess.call(["bash", "-lc", "prog -m x"])',
        'c = ["prog"] + ["-m"] + ["x"]\nsubprocess.call(c)',
        'c = ["prog"]\nc += ["-m", "x"]\nsubprocess.call(c)',
        'c = ["prog"]\nc.append("-m")\nc.extend(["x"])\nsubprocess.call(c)',
        'c = ["-m", "x"]\nc.insert(0, "prog")\nsubprocess.call(c)',
        'b = ["-m", "x"]\nsubprocess.call(["prog", *b])',
        'M = "x"\ndef f():\n    return ["prog", "-m", M]\nsubprocess.call(f())',
        'def f(m):\n    c = ["prog", "-m", m]\n    subprocess.call(c)\nf("x")',
        'def f(c):\n    c += ["-m", "x"]\nd = ["prog"]\nf(d)\nsubprocess.call(d)',
        'class A:\n    B = "prog"\n    def __init__(self):\n        self.c = [self.B, "-m", "x"]\n'
        "    def go(self):\n        subprocess.call(self.c)\n",
        'def f():\n    return ["prog", "-m", "x"]',
        'SETTINGS = {"cmd": ["prog", "-m", "x"]}',
        'x = "x"\nsubprocess.call(["prog", "-m", f"{x}"])',
        'n = ["prog", "-m", "x", "-z"]\nsubprocess.call(n[:3])',
        'c = ["prog", "-m", "x", "-z"]\nc.remove("-z")\nsubprocess.call(c)',
    ],
)
def test_ways_to_start_the_same(call: str) -> None:
    assert argv(HEAD + call + "\n") == ["prog", "-m", "x"]


@pytest.mark.parametrize(
    "text",
    [
        '"""prog -m x"""\n# subprocess.run(["prog", "-m", "x"])\n',
        'assert build() == ["prog", "-m", "x"]\n',
        'self.assertEqual(build(), ["prog", "-m", "x"])\n',
        '@pytest.mark.parametrize("a", [["prog", "-m", "x"]])\ndef test_a(a): pass\n',
        'with pytest.raises(OSError):\n    subprocess.run(["prog", "-m", "x"])\n',
        'NAMES = ["prog", "other"]\n',
        'return_code = ["a sentence with words", "-m"]\n',
        'if TYPE_CHECKING:\n    subprocess.run(["prog", "-m", "x"])\n',
        'if ["prog", "-m"] == argv[:2]:\n    pass\n',
        'OPTIONS = ["--a", "--b"]\n',
    ],
)
def test_what_is_no_start(text: str) -> None:
    assert launches(HEAD + text) == []


def test_lists_in_tests_are_samples_unless_they_are_run() -> None:
    text = HEAD + 'SAMPLE = ["prog", "-m", "x"]\ndef test_it():\n    subprocess.run(["prog", "-n"])\n'
    assert [said(launch) for launch in launches(text, "test_launch.py")] == [["prog", "-n"]]


def test_branches_are_guards_and_the_same_condition_is_one_branch() -> None:
    launch = only(
        HEAD + "def f(a, n=None):\n"
        '    c = ["prog"]\n'
        "    if a:\n        c += ['--one']\n    else:\n        c += ['--other']\n"
        "    if n is not None:\n        c += ['-n', str(n)]\n"
        "    if not a:\n        c.append('--more')\n"
        "    subprocess.run(c)\n"
    )
    guard = {word.text: word.guard for word in launch.argv}
    assert exclude(guard["--one"], guard["--other"]) and exclude(guard["--one"], guard["--more"])
    assert not exclude(guard["--other"], guard["--more"]) and not exclude(guard["--one"], guard["-n"])
    assert all(launch.exhaustive[branch] == (0, 1) for word in launch.argv for branch, _ in word.guard)
    assert launch.closed


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("def f(*a):\n    subprocess.run(['prog', *a])\n", "a"),
        ("c = ['prog']\nc += extra()\nsubprocess.run(c)\n", "extra()"),
        ("c = ['prog']\nfor k in keys:\n    c += ['--k', k]\nsubprocess.run(c)\n", "c, filled in a loop"),
        ("c = ['prog', '-m']\nadd(c)\nsubprocess.run(c)\n", "add(...)"),
        ("subprocess.run(['prog'] + sys.argv[1:])\n", "sys.argv[1:]"),
        ("def f(more):\n    c = ['prog', '-m']\n    if more:\n        c.extend(more)\n    return c\n", "more"),
    ],
)
def test_what_may_hold_more_words(text: str, why: str) -> None:
    launch = only(HEAD + text)
    assert (launch.closed, launch.why_open) == (False, why)


@pytest.mark.parametrize(
    "text",
    [
        "def f(v):\n    c = ['prog', '-m']\n    if version(v) >= 3:\n        c += ['--new']\n    else:\n"
        "        c += ['--old']\n    subprocess.run(c)\n",
        "def f(modern):\n    c = ['prog', '-m']\n    c += ['--new'] if modern else ['--old']\n    subprocess.run(c)\n",
        "def f(b):\n    c = ['prog', '-m']\n    if supports(b, '--new'):\n        c.append('--new')\n    elif a:\n"
        "        c.append('--old')\n    subprocess.run(c)\n",
    ],
)
def test_of_what_is_said_to_one_version_only_nothing_is_concluded(text: str) -> None:
    launch = only(HEAD + text)
    assert (said(launch), launch.closed) == (["prog", "-m"], False)


def test_what_is_not_known_is_opaque() -> None:
    text = 'subprocess.run([exe, "-m", f"{home}/m.gguf", "-n", str(n), "%s" % a, "{}".format(b), cfg["c"]])\n'
    assert argv(HEAD + text) == ["exe?", "-m", "{home}/m.gguf?", "-n", "n?", "%s?", "{}?", 'cfg["c"]?']
    words = only(HEAD + text).argv
    assert words[2].holes == ((0, 6),) and words[2].text[6:] == "/m.gguf"


def test_holes_in_texts_for_a_shell() -> None:
    text = HEAD + 'os.system(f"prog -m {model} --n {n} {extra}")\n'
    assert argv(text) == ["prog", "-m", "{model}?*", "--n", "{n}?*", "{extra}?*"]


def test_defaults_hold_unless_something_is_set() -> None:
    text = (
        "import argparse\np = argparse.ArgumentParser()\np.add_argument('--gamma', type=int, default=3)\n"
        "args = p.parse_args()\n"
        "def f(kind='mtp'):\n"
        "    subprocess.run(['prog', str(args.gamma), os.environ.get('M', 'x'), kind, args.other or 'y'])\n"
    )
    values = [word.value for word in only(HEAD + text).argv[1:]]
    assert values == [
        Default("3", "--gamma"), Default("x", "M"), Default("mtp", "kind"), Default("y", "args.other"),
    ]  # fmt: skip


def test_a_dataclass_has_defaults() -> None:
    text = "@dataclass\nclass C:\n    n: int = 4\n    def cmd(self):\n        return ['prog', '-n', str(self.n)]\n"
    assert only(text).argv[2].value == Default("4", "C.n")


def test_the_environment() -> None:
    text = (
        'os.environ["A"] = "1"\nos.environ.setdefault("B", "2")\nos.environ.update({"C": "3"})\n'
        'subprocess.run(["prog", "-m"], env={**os.environ, "D": "4", "A": "5"})\n'
        'e = os.environ.copy()\ne["E"] = str(6)\n'
        'subprocess.run(["prog", "-n"], env=e)\nsubprocess.run(["prog", "-o"], env={"F": x})\n'
        'subprocess.run(["prog", "-p"])\n'
    )
    shared = {"A": "1", "B": "2", "C": "3"}
    assert [env(launch) for launch in launches(HEAD + text)] == [
        {**shared, "D": "4", "A": "5"}, {**shared, "E": "6"}, {"F": "?"}, shared,
    ]  # fmt: skip


def test_containers() -> None:
    text = (
        "import docker\nclient = docker.from_env()\n"
        'client.containers.run("r/llm:1", ["--n", "1"], environment={"A": "b"}, detach=True)\n'
        'subprocess.run(["docker", "run", "-e", "A=b", "r/llm:2", "--n", "2"])\n'
    )
    one, two = (launch for launch in launches(HEAD + text) if launch.image)
    assert (said(one), env(one)) == (["[r/llm:1]", "--n", "1"], {"A": "b"})
    assert (said(two), env(two)) == (["[r/llm:2]", "--n", "2"], {"A": "b"})


def given(text: str) -> dict[str, str]:
    return {entry.name.text: entry.value.text for entry in only(text).given if entry.value is not None}


def test_calls_of_what_is_imported() -> None:
    text = (
        "import eng\nimport eng as e\nfrom eng.args import Args as A\nfrom .own import B\n"
        "eng.LLM('m', n=1, on=True, off=None, name='x')\ne.LLM(n=2)\nA(k=[1, 'a'])\nB(q=1)\nC(q=1)\nlen(x=1)\n"
    )
    found = launches(text)
    assert [said(launch) for launch in found] == [["eng.LLM", "m"], ["eng.LLM"], ["eng.args.Args"], [".own.B"]]
    assert all(entry.surface == "kwarg" for launch in found for entry in launch.given)
    assert [(g.name.text, g.value.text) for g in found[0].given if g.value] == [
        ("n", "1"), ("on", "True"), ("off", "None"), ("name", "x"),
    ]  # fmt: skip
    assert found[2].given[0].value is not None and found[2].given[0].value.text == '[1, "a"]'


def test_keywords_that_are_gathered_before() -> None:
    text = (
        "from eng import LLM\nBASE = dict(a=1, b={'x': True})\nkw = {**BASE, 'c': 'd'}\nkw['e'] = 2\nkw.update(f=3)\n"
        "kw |= {'g': 4}\ndel kw['a']\nkw.pop('c')\nLLM(**kw)\n"
    )
    assert given(text) == {"b": '{"x": true}', "e": "2", "f": "3", "g": "4"}
    assert only(text).closed
    assert not only("from eng import LLM\ndef f(**kw):\n    LLM(a=1, **kw)\n").closed


def test_the_arguments_of_one_object_are_spread_into_another() -> None:
    text = "from dataclasses import asdict\nfrom eng import Args, LLM\na = Args(m='x', n=2)\nLLM(**asdict(a))\n"
    assert [(g.name.text, g.value.text) for g in launches(text)[-1].given if g.value] == [("m", "x"), ("n", "2")]


def test_a_dict_that_depends_on_a_branch_is_given_in_each_of_its_ways() -> None:
    text = (
        "from eng import LLM\ndef f(big):\n    s = {'k': 'a'}\n    if big:\n        s['n'] = 4\n    else:\n"
        "        s['n'] = 2\n    LLM(spec=s)\n"
    )
    one, other = only(text).given
    assert one.value is not None and other.value is not None
    assert (one.value.text, other.value.text) == ('{"k": "a", "n": 4}', '{"k": "a", "n": 2}')
    assert exclude(one.guard, other.guard)


def test_dumped_json_is_a_word() -> None:
    text = (
        HEAD + 'S = {"m": "a", "n": 2}\nsubprocess.run(["prog", "--s", json.dumps(S), "--t=" + json.dumps([True])])\n'
    )
    assert argv(text) == ["prog", "--s", '{"m": "a", "n": 2}', "--t=[true]"]


def test_texts_that_may_name_a_version() -> None:
    text = (
        '# /// script\n# dependencies = ["eng==0.11.0", "other"]\n# ///\nimport image\n'
        'image.from_registry("eng/eng:1.2").pip_install("eng==0.12.0")\n# eng 1.3\ncmd = ["prog", "-m"]\n'
    )
    launch = launches(text)[-1]
    assert {(hint.kind, hint.fragment.text) for hint in launch.hints} >= {
        ("pin", "eng==0.11.0"), ("image", "eng/eng:1.2"), ("pin", "eng==0.12.0"), ("comment", "# eng 1.3"),
    }  # fmt: skip


def test_two_images_name_no_version() -> None:
    text = 'import m\nm.from_registry("e/e:1")\nm.from_registry("e/e:2")\ncmd = ["prog", "-m"]\n'
    assert not [hint for hint in launches(text)[-1].hints if hint.kind == "image"]


def test_a_hash_in_a_string_is_no_comment() -> None:
    launch = only('a = "# no"\nb = """\n# no\n"""\nc = ["prog", "-m"]  # yes\n')
    assert [hint.fragment.text for hint in launch.hints] == ["# yes"]


def test_written_files_are_read_as_what_they_are() -> None:
    text = HEAD + 'Path("a.service").write_text("""[Service]\nExecStart=/bin/prog -m x\n""")\n'
    assert argv(text) == ["/bin/prog", "-m", "x"]


def test_markdown_fences() -> None:
    (launch,) = read('# T\n\n```python\nimport subprocess\nsubprocess.run(["prog", "-m"])\n```\n', "README.md")
    assert said(launch) == ["prog", "-m"]


def test_a_fault_is_told_with_its_line_and_what_stands_before_it_is_read() -> None:
    from mtpconfig.carrier import NO_FILES, Opener
    from mtpconfig.hooks import carriers
    from mtpconfig.text import Fragment, Source

    source = Source("a.py", HEAD + 'subprocess.run(["prog", "-m"])\nprint "x"\n')
    opener = Opener(carriers(), NO_FILES)
    (launch,) = opener.open(Fragment.of(source), "a.py")
    ((span, why),) = opener.missed
    assert said(launch) == ["prog", "-m"] and source.position(span.start).line == 4 and "Python" in why
