"""The harvest of Ollama, on a small repository made for the test, and what it wrote against known releases."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from mtpconfig.hooks import find_engine
from mtpconfig.version import PEP440
from tools.harvest.ollama import compose, curated, repository, snapshot
from tools.harvest.pypi import HarvestError

TYPES = """\
type Options struct {
\tRunner
\tTemperature float32  `json:"temperature,omitempty"`
\tStop        []string `json:"stop,omitempty"`
}
type Runner struct {
\tNumCtx          int   `json:"num_ctx,omitempty"`
\tUseMMap         *bool `json:"use_mmap,omitempty"`
%s}
"""
DRAFTING = '\tDraftNumPredict int   `json:"draft_num_predict,omitempty"`\n'
PARSER = """\
var deprecatedParameters = []string{
\t"low_vram",
}
func isValidCommand(cmd string) bool {
\tswitch strings.ToLower(cmd) {
\tcase "from", %s"parameter":
\t\treturn true
"""
COMMAND = """\
\tcreateCmd.Flags().StringP("file", "f", "", "Name")
%s\trunCmd.Flags().Bool("verbose", false, "Show")
\trunCmd.Flags().Lookup("think").NoOptDefVal = "true"
"""


def release(folder: Path, tag: str, files: dict[str, str]) -> None:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    git = [
        "git",
        "-C",
        str(folder),
        "-c",
        "user.name=t",
        "-c",
        "user.email=t@example.org",
        "-c",
        "commit.gpgsign=false",
    ]
    for arguments in (["add", "-A"], ["commit", "-qm", tag], ["tag", tag]):
        subprocess.run([*git, *arguments], check=True)


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    subprocess.run(["git", "init", "-q", str(tmp_path)], check=True)
    old = {"api/types.go": TYPES % "", "parser/parser.go": PARSER % "", "cmd/cmd.go": COMMAND % ""}
    release(tmp_path, "v0.1.0", {"note": "1"})
    release(tmp_path, "v0.24.0", {**old, "x/mlx.go": 'os.Getenv("OLLAMA_MLX_MTP_DEPTH")\n'})
    new = {
        "api/types.go": TYPES % DRAFTING + "\tDraftNumPredict: 4,\n",
        "parser/parser.go": PARSER % '"draft", ',
        "cmd/cmd.go": COMMAND % '\tcreateCmd.Flags().String("draft-quantize", "", "Quantize")\n',
        "LLAMA_CPP_VERSION": "b9452\n",
        "llm/llama_server.go": 'x = "draft-mtp"\n',
        "x/mlx.go": "package x\n",
        "x/mlx_test.go": 'os.Getenv("OLLAMA_MTP")\n',
    }
    release(tmp_path, "v0.30.0", new)
    release(tmp_path, "v0.31.0-rc1", {"note": "2"})
    release(tmp_path, "v0.31.0-rc2", {"LLAMA_CPP_VERSION": "b9781\n"})
    return tmp_path


def test_what_a_release_reads(clone: Path) -> None:
    source = repository.Repository(clone)
    assert source.releases() == ["0.24.0", "0.30.0", "0.31.0-rc2"]
    old, new = snapshot.read(source, "0.24.0"), snapshot.read(source, "0.30.0")
    assert old.parameters == {"temperature": "float", "stop": "list", "num_ctx": "int", "use_mmap": "bool"}
    assert new.parameters == {**old.parameters, "draft_num_predict": "int"}
    assert old.deprecated == {"low_vram"} and new.commands - old.commands == {"DRAFT"}
    assert new.flags.keys() - old.flags.keys() == {("create", "--draft-quantize")}
    assert old.flags["create", "-f"] == "string"
    assert old.variables == {"OLLAMA_MLX_MTP_DEPTH"} and not new.variables
    assert (old.build, new.build, old.default, new.default) == ("", "b9452", "", "4")


def test_what_is_written(clone: Path) -> None:
    source = repository.Repository(clone)
    found = [snapshot.read(source, one) for one in source.releases()]
    facts = curated.Curated((), (), curated.load().options)
    written = compose.documents(found, facts)
    assert (
        'draft_num_predict = [{since = ["0.24.0", "0.30.0"], status = "active", type = "modelfile-int"}]'
        in written["options.toml"]
    )
    assert 'DRAFT = [{since = ["0.24.0", "0.30.0"], status = "active"}]' in written["options.toml"]
    assert '{since = ["0.24.0", "0.30.0"], status = "unread"' in written["options.toml"]
    assert '{value = "b9452", since = ["0.24.0", "0.30.0"], until = ["0.30.0", "0.31.0-rc2"]}' in written["embeds.toml"]
    assert 'last-read = "0.31.0-rc2"' in written["embeds.toml"]
    assert 'num_ctx = [{params = "num_ctx", type = "int", since = ["", "0.24.0"]}]' in written["names.toml"]


@pytest.mark.parametrize(
    ("files", "message"),
    [
        ({"api/types.go": "package api\n"}, "no struct Options"),
        ({"parser/parser.go": "package parser\n"}, "does not list its commands"),
        ({"LLAMA_CPP_VERSION": "main\n"}, "no build"),
        ({"x/y.go": 'os.Getenv("OLLAMA_MTP_DEPTH")\n'}, "facts.toml says that no release does"),
        ({"cmd/cmd.go": COMMAND % '\trunCmd.Flags().Int("draft-depth", 0, "")\n'}, "has --draft-depth"),
        ({"api/types.go": TYPES % DRAFTING + "\tDraftNumPredict: 6,\n"}, "default of draft_num_predict is 6"),
    ],
)
def test_what_is_not_as_ever_stops_the_harvest(clone: Path, files: dict[str, str], message: str) -> None:
    release(clone, "v0.32.0", files)
    source = repository.Repository(clone)
    with pytest.raises(HarvestError, match=message):
        compose.documents([snapshot.read(source, one) for one in source.releases()], curated.load())


def test_observed_releases_are_given_up_when_their_source_can_be_read(clone: Path) -> None:
    source = repository.Repository(clone)
    found = [snapshot.read(source, one) for one in source.releases()]
    with pytest.raises(HarvestError, match=r"0\.30\.0: the source can be read now"):
        compose.documents(found, curated.Curated(("0.30.0",), (), curated.load().options))


@pytest.mark.parametrize(
    ("surface", "name", "before", "first"),
    [
        # commits 9db4bdba (draft_num_predict), 15e6076d (DRAFT), 8852220f (REQUIRES), 47991940 (RENDERER)
        ("param", "draft_num_predict", "0.24.0", "0.30.0"),
        ("request", "draft_num_predict", "0.24.0", "0.30.0"),
        ("instruction", "DRAFT", "0.23.0", "0.23.1"),
        ("instruction", "REQUIRES", "0.13.5", "0.14.0"),
        ("instruction", "RENDERER", "0.11.11", "0.12.0"),
        ("flag", "--draft-quantize", "0.23.0", "0.23.1"),
        ("param", "min_p", "0.3.0", "0.3.1"),
    ],
)
def test_known_beginnings(surface: str, name: str, before: str, first: str) -> None:
    history = find_engine("ollama").options()
    program = "create"
    assert history.find(surface, name, PEP440.parse(before), program) is None
    assert history.find(surface, name, PEP440.parse(first), program) is not None
