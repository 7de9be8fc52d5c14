"""Python text that is long, deep, broken or hostile: read in bounded time, never run, never an error."""

from __future__ import annotations

import pytest

from mtpconfig.carrier import NO_FILES, Opener
from mtpconfig.hooks import carriers
from mtpconfig.launch import Launch
from mtpconfig.text import Fragment, Source

from ..support import lint

HEAD = "import subprocess\n"
RUN = 'subprocess.run(["prog", "-m"])\n'


def read(text: str) -> tuple[list[Launch], list[str]]:
    opener = Opener(carriers(), NO_FILES)
    found = list(opener.open(Fragment.of(Source("a.py", text)), "a.py"))
    return found, [why for _, why in opener.missed]


@pytest.mark.parametrize(
    "text",
    [
        "x = " + "(" * 5000 + ")" * 5000,
        "x = " + "[" * 150 + "]" * 150,
        "x = " + "-" * 20_000 + "1",
        "x = " + " + ".join(["'a'"] * 20_000),
        "x = " + "f(" * 90 + ")" * 90,
        "x = a" + ".b()" * 3000,
        "x = a" + "[0]" * 3000,
        "if a:\n    pass\n" + "elif b:\n    pass\n" * 2000,
        "c = ['prog', '-m']\n" + "c += ['-a', 'b']\n" * 5000,
        "c = ['prog', '-m']\n" + "".join(f"if a{i}:\n    c += ['-a{i}']\n" for i in range(2000)),
        "d = {}\n" + "".join(f"d['k{i}'] = {i}\n" for i in range(5000)) + "e.L(**d)\n",
        "x = 'a'\n" + "x = x + x\n" * 60 + "subprocess.run(['prog', x])\n",
        "x = [1]\n" + "x = [x, x]\n" * 60 + "import e\ne.L(k=x)\n",
        "x = {}\n" + "x = {'a': x, 'b': x}\n" * 60 + "import e\ne.L(k=x)\n",
        "".join(f"def f{i}(): return f{i + 1}()\n" for i in range(500)) + "f0()\n",
        "def f(): return f() + f()\nf()\n",
        "c = c + c\nc += c\n" * 200,
        "c = ['prog', '-m']\n" + "c = c + c\n" * 40,
        "for i in a:\n" + "".join("    " * n + "for i in a:\n" for n in range(2, 20)) + "    " * 20 + "pass\n",
        "subprocess.run('" + "a " * 20_000 + "', shell=True)",
        "class A:\n" + "".join(f"    def m{i}(self):\n        self.x{i} = ['prog', '-m']\n" for i in range(500)),
    ],
    ids=lambda text: text[:24].strip(),
)
@pytest.mark.timeout(60)
def test_hostile_text_ends(text: str) -> None:
    read(HEAD + text)


@pytest.mark.timeout(60)
def test_a_long_line_beyond_ascii() -> None:
    found, _ = read(HEAD + "x = ['é', " + "'😀', " * 20_000 + "]; " + RUN)
    assert [[word.text for word in launch.argv] for launch in found] == [["prog", "-m"]]


@pytest.mark.timeout(60)
def test_too_long_a_text_is_not_read_and_that_is_told() -> None:
    found, missed = read(HEAD + RUN + "x = 1\n" * 300_000)
    assert (found, missed) == ([], ["it is longer than 1,500,000 characters"])


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ('print "x"\n', 3),
        ("{% if a %}\n", 3),
        ("def f(:\n", 3),
        ("x = '''\n", 3),
        ("x = (\n\n", 3),
        ("exec 'x' in {}\n", 3),
    ],
)
def test_where_the_text_is_no_python_any_more(text: str, line: int) -> None:
    source = "# llama\n" + HEAD + text
    (finding,) = lint(source, name="a.py").findings
    assert (finding.code, finding.severity) == ("MTP001", "warning")
    assert finding.source.position(finding.span.start).line == line


def test_nothing_is_run() -> None:
    text = "import os\nassert 1 / 0\nos._exit(1)\n__import__('os').abort()\n[].x\nraise SystemExit\n"
    assert read(text) == ([], [])


@pytest.mark.parametrize("head", ["\ufeff", "# -*- coding: latin-1 -*-\n", "\f\n", "\r\n\r\n", "\r"])
def test_what_a_file_may_begin_with(head: str) -> None:
    found, missed = read(head + HEAD + RUN)
    (launch,) = found
    assert not missed and [word.fragment.locate_all()[0] for word in launch.argv]
    assert all(
        launch.argv[0].fragment.source.text[slice(*word.fragment.locate_all()[0])] == word.text for word in launch.argv
    )


def test_invalid_escapes_warn_nobody(recwarn: pytest.WarningsRecorder) -> None:
    found, _ = read(HEAD + 'subprocess.run(["prog", "\\d"])\n')
    assert [word.text for word in found[0].argv] == ["prog", "\\d"] and not recwarn.list


def test_lone_surrogates_are_no_words() -> None:
    found, _ = read(HEAD + 'subprocess.run(["prog", "\\ud800"])\n')
    assert found[0].argv[1].text == '"\\ud800"'
