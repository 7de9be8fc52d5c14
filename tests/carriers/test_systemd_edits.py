"""Edits of units through all layers, byte by byte, and read back."""

from pathlib import Path

import pytest

from mtpconfig.text import apply_edits
from tests.carriers.systemd_reading import inserted, only, read, removed, replaced, service
from tests.support import linter
from tests.support import run as mtpconfig

UNIT = """\
[Service]
Environment="OPTS=--old 1" 'A=é 2' B=3
ExecStart=/p --first 1 \\
  --old 8 \\
# a comment
  --both 2 --three '3 4' \\
  --last
"""


@pytest.mark.parametrize(
    ("gone", "result"),
    [
        (["--old", "8"], UNIT.replace("  --old 8 \\\n", "")),
        (["--first", "1"], UNIT.replace(" --first 1", "")),
        (["--both", "2"], UNIT.replace("--both 2 ", "")),
        (["--three", "3 4"], UNIT.replace(" --three '3 4'", "")),
        (["--last"], UNIT.replace(" \\\n  --last", "")),
        (["--old", "8", "--both", "2", "--three", "3 4"], UNIT.split("  --old")[0] + "  --last\n"),
    ],
)
@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_remove(gone: list[str], result: str, newline: str) -> None:
    found = removed(UNIT.replace("\n", newline), "a.service", *gone)
    assert found == result.replace("\n", newline)


@pytest.mark.parametrize(
    ("after", "new", "where", "by"),
    [
        ("8", ["--x", "1"], "--old 8 \\", "--old 8 --x 1 \\"),
        ("8", ["--x", 'a "$B" 5%'], "--old 8 \\", "--old 8 --x 'a \"$$B\" 5%%' \\"),
        ("3 4", ["it's", ";", "#"], "'3 4'", '\'3 4\' "it\'s" ";" "#"'),
        ("--last", ["a\\b"], "--last", '--last "a\\\\b"'),
    ],
)
def test_insert(after: str, new: list[str], where: str, by: str) -> None:
    text = inserted(UNIT, "a.service", after, new)
    assert text == UNIT.replace(where, by)
    words = [word.text for word in only(text).argv]
    place = words.index(after) + 1
    assert words[place : place + len(new)] == new


def test_a_variable_that_one_place_uses_is_edited_where_it_is_set() -> None:
    text = UNIT.replace("--first", "$OPTS ${A} --first").replace("--old 8", "--other 8")
    assert replaced(text, "a.service", "--old", "old", "new") == text.replace("OPTS=--old", "OPTS=--new")
    assert replaced(text, "a.service", "--old", "old", "n w") is None
    assert replaced(text, "a.service", "é 2", "é", "x y\"'") == text.replace("A=é", "A=x y\"\\'")
    assert removed(text, "a.service", "é 2") == text.replace(" ${A}", "")


def test_a_variable_that_several_places_use_is_not_edited() -> None:
    text = UNIT.replace("--first", "$OPTS $OPTS --first")
    assert replaced(text, "a.service", "--old", "old", "new") is None


@pytest.mark.parametrize(
    ("name", "result"),
    [
        ("A", UNIT.replace(" 'A=é 2'", "")),
        ("OPTS", UNIT.replace('"OPTS=--old 1" ', "")),
        ("B", UNIT.replace(" B=3", "")),
    ],
)
def test_remove_an_assignment(name: str, result: str) -> None:
    launch = only(UNIT)
    given = next(given for given in launch.given if given.name.text == name)
    assert launch.container is not None
    assert apply_edits(UNIT, launch.container.remove_given(given) or ()) == result


def test_remove_the_only_assignment_of_a_line() -> None:
    text = service("Environment=A=1 \\", "", "Environment=B=2", "ExecStart=/p")
    launch = only(text)
    assert launch.container is not None
    edits = launch.container.remove_given(launch.given[0])
    assert apply_edits(text, edits or ()) == service("Environment=B=2", "ExecStart=/p")


HEREDOC = """\
# 😀
cat > /etc/systemd/system/x.service <<EOF
[Service]
Environment=A=1
ExecStart=/p ${DIR}/x \\\\
  --old 8 "\\$A" \\\\
  --last
EOF
"""
FENCE = "> text\n>\n> ```ini\n> [Service]\n> ExecStart=/p 😀 \\\n>   --old 8\n> ```\n"
LIST = """\
1. A

   ```sh
   sudo tee /etc/systemd/system/x.service <<'E'
   [Service]
   ExecStart=/p --old 8
   E
   ```
"""
TASK = """\
- hosts: all
  tasks:
    - copy:
        dest: /etc/systemd/system/x.service
        content: |
          [Service]
          ExecStart=/p \\
            --old 8
"""

NESTINGS = [
    # name, text, word, part of it, what takes its place, how that is written
    ("a.service", service("ExecStart=/p --old 8"), "--old", "old", "a b", "ExecStart=/p --a\\sb 8"),
    ("a.service", service("ExecStart=/p '--old 8'"), "--old 8", "8", "it's%", "ExecStart=/p '--old it\\'s%%'"),
    ("a.service", service("ExecStart=/bin/sh -c '/p --old \"8\"'"), "8", "8", "$x", "'/p --old \"\\\\$$x\"'"),
    ("a.service", service("ExecStart=/bin/sh -c \"/p --old '8'\""), "8", "8", '"', '"/p --old \'\\"\'"'),
    ("a.service", service("ExecStart=/bin/docker run -e A=1 img/x:1 --old 8"), "--old", "old", "new", "x:1 --new 8"),
    ("a.container", "[Container]\nImage=a/b:1\nExec=--old \\\n  8\n", "--old", "old", "new", "Exec=--new \\\n  8"),
    ("x.sh", HEREDOC, "--old", "old", "new", '  --new 8 "\\$A" \\\\\n'),
    ("x.sh", HEREDOC, "8", "8", "a$b\\", '  --old a\\$\\$b\\\\\\\\ "\\$A" \\\\\n'),
    ("x.sh", HEREDOC.replace("<<EOF", "<<'EOF'").replace("\\\\", "\\"), "--old", "old", "new", '  --new 8 "\\$A" \\\n'),
    ("x.md", FENCE, "--old", "old", "new", ">   --new 8\n"),
    ("x.md", LIST, "--old", "old", "new", "   ExecStart=/p --new 8\n"),
    ("x.yml", TASK, "--old", "old", "new", "            --new 8\n"),
]


@pytest.mark.parametrize(("name", "text", "word", "part", "by", "within"), NESTINGS, ids=range(len(NESTINGS)))
@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_replace_through_layers(name: str, text: str, word: str, part: str, by: str, within: str, newline: str) -> None:
    text, within = text.replace("\n", newline), within.replace("\n", newline)
    before = [[found.text for found in launch.argv] for launch in read(text, name)]
    after = replaced(text, name, word, part, by)
    assert after is not None and within in after
    expected = [[found.replace(part, by) if found == word else found for found in words] for words in before]
    assert [[found.text for found in launch.argv] for launch in read(after, name)] == expected


def test_an_old_flag_in_a_unit_in_a_heredoc_is_fixed_in_place(tmp_path: Path) -> None:
    text = HEREDOC.replace("/p", "/usr/bin/llama-server").replace("--old", "--spec-type draft-simple --draft-max")
    script = tmp_path / "install.sh"
    script.write_text(text, encoding="utf-8")
    done = mtpconfig("lint", "--fix", "--target", "llama.cpp@b11434", str(script))
    assert done.returncode in (0, 1)
    assert script.read_text("utf-8") == text.replace("--draft-max", "--spec-draft-n-max")


def test_a_file_that_a_unit_names_is_linted_and_left_alone(tmp_path: Path) -> None:
    (tmp_path / "llama.env").write_text("LLAMA_ARG_DRAFT_MAX=3\n")
    unit = tmp_path / "llama.service"
    unit.write_text("[Service]\nEnvironmentFile=llama.env\nExecStart=/usr/bin/llama-server -m q.gguf\n")
    report = linter("llama.cpp@b11434").lint_path(str(unit), str(tmp_path))
    (finding,) = [finding for finding in report.findings if finding.code == "MTP101"]
    assert finding.source.path.endswith("llama.env") and finding.fix is None


def test_a_word_that_becomes_empty_stays_a_word() -> None:
    text = "[Service]\nExecStart=/bin/prog --a 1\n"
    (launch,) = read(text)
    edit = launch.argv[2].fragment.replace(0, 1, "")
    assert edit is not None
    (changed,) = read(apply_edits(text, [edit]))
    assert [word.text for word in changed.argv] == ["/bin/prog", "--a", ""]
