"""The published hooks under the real pre-commit: it clones a commit of the checkout, builds it, and runs the hooks."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

CHECKOUT = Path(__file__).resolve().parents[1]

OUTDATED = "# mtpconfig: target llama.cpp@b11434\nllama-server -m q.gguf --spec-type draft-mtp --draft-max 5\n"
FIXED = OUTDATED.replace("--draft-max", "--spec-draft-n-max")
UNIT = "[Service]\nExecStart=/opt/llama-b11434/llama-server -m q.gguf --spec-type draft-mtp --draft-max 5\n"
CONFIG = """\
repos:
  - repo: {repo}
    rev: {rev}
    hooks:
      - id: {hook}
"""

Run = Callable[..., subprocess.CompletedProcess[str]]

pytestmark = [
    pytest.mark.skipif(shutil.which("git") is None, reason="needs git"),
    pytest.mark.timeout(300),
]


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """Runs a program with nobody's git configuration, and with a pre-commit cache of its own."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("GIT_", "PRE_COMMIT"))}
    environment |= {
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_AUTHOR_NAME": "test",
        "GIT_AUTHOR_EMAIL": "test@localhost",
        "GIT_COMMITTER_NAME": "test",
        "GIT_COMMITTER_EMAIL": "test@localhost",
        "PRE_COMMIT_HOME": str(tmp_path_factory.mktemp("pre-commit")),
        "PRE_COMMIT_COLOR": "never",
    }

    def call(*words: str, cwd: Path, check: bool = True) -> subprocess.CompletedProcess[str]:
        done = subprocess.run(
            words, cwd=cwd, env=environment, encoding="utf-8", stdout=subprocess.PIPE, stderr=subprocess.STDOUT
        )
        assert not check or done.returncode == 0, done.stdout
        return done

    return call


def commit(run: Run, folder: Path) -> str:
    """Make the folder a repository with one commit of all that is in it; returns the commit."""
    run("git", "init", "--quiet", cwd=folder)
    run("git", "add", "--all", "--force", cwd=folder)
    run("git", "commit", "--quiet", "--no-verify", "--message", "all", cwd=folder)
    return run("git", "rev-parse", "HEAD", cwd=folder).stdout.strip()


@pytest.fixture(scope="module")
def published(run: Run, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """The checkout as it is now, what is not committed included, as a repository that pre-commit can clone."""
    listed = run("git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", cwd=CHECKOUT, check=False)
    if listed.returncode != 0:
        pytest.skip("not a git checkout")
    copy = tmp_path_factory.mktemp("published")
    for name in filter(None, listed.stdout.split("\0")):
        if (CHECKOUT / name).is_file():
            (copy / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(CHECKOUT / name, copy / name)
    return copy, commit(run, copy)


@pytest.fixture
def project(run: Run, tmp_path: Path) -> Path:
    """Somebody's repository: a script and a unit that no longer start, a clean script, and a text that is none."""
    (tmp_path / "start.sh").write_text(OUTDATED)
    (tmp_path / "llama.service").write_text(UNIT)
    (tmp_path / "clean.sh").write_text(FIXED)
    (tmp_path / "notes.txt").write_text(OUTDATED)
    commit(run, tmp_path)
    return tmp_path


def hook(run: Run, published: tuple[Path, str], project: Path, name: str) -> subprocess.CompletedProcess[str]:
    repo, rev = published
    (project / ".pre-commit-config.yaml").write_text(CONFIG.format(repo=repo, rev=rev, hook=name))
    run("git", "add", ".pre-commit-config.yaml", cwd=project)
    return run(sys.executable, "-m", "pre_commit", "run", "--all-files", "--verbose", cwd=project, check=False)


def test_lint_reports_and_changes_nothing(run: Run, published: tuple[Path, str], project: Path) -> None:
    done = hook(run, published, project, "mtpconfig")
    assert done.returncode == 1, done.stdout
    assert "start.sh:2:46: error[MTP101] renamed-option" in done.stdout
    assert "llama.service:2:" in done.stdout
    assert "clean.sh:" not in done.stdout
    assert "notes.txt:" not in done.stdout
    assert (project / "start.sh").read_text() == OUTDATED


def test_fix_rewrites_once_and_then_passes(run: Run, published: tuple[Path, str], project: Path) -> None:
    first = hook(run, published, project, "mtpconfig-fix")
    assert first.returncode == 1, first.stdout
    assert "files were modified by this hook" in first.stdout
    assert (project / "start.sh").read_text() == FIXED
    assert (project / "notes.txt").read_text() == OUTDATED
    assert (project / "llama.service").read_text() == UNIT.replace("--draft-max", "--spec-draft-n-max")
    run("git", "add", "start.sh", "llama.service", cwd=project)
    second = hook(run, published, project, "mtpconfig-fix")
    assert second.returncode == 0, second.stdout
