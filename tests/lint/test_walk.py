"""Which files a run looks at: links, pipes, folders that cannot be read, and very deep trees."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from mtpconfig.errors import UsageError
from mtpconfig.lint.walk import SKIPPED, files_below


def names(*paths: Path | str) -> list[str]:
    return [os.path.basename(path) for path, _ in files_below([str(path) for path in paths])]


def touch(path: Path) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("x", "utf-8")
    return path


def test_files_come_in_a_stable_order_each_once(tmp_path: Path) -> None:
    for name in ("b.sh", "a.sh", "sub/d.sh", "sub/c.sh", "z.sh"):
        touch(tmp_path / name)
    assert names(tmp_path) == ["a.sh", "b.sh", "z.sh", "c.sh", "d.sh"]
    assert names(tmp_path / "a.sh", tmp_path, tmp_path / "sub" / ".." / "a.sh") == [
        "a.sh",
        "b.sh",
        "z.sh",
        "c.sh",
        "d.sh",
    ]


def test_hard_links_and_links_to_the_same_file_are_read_once(tmp_path: Path) -> None:
    touch(tmp_path / "a.sh")
    os.link(tmp_path / "a.sh", tmp_path / "b.sh")
    (tmp_path / "c.sh").symlink_to("a.sh")
    assert names(tmp_path) == ["a.sh"]


def test_link_loops_end(tmp_path: Path) -> None:
    touch(tmp_path / "sub" / "a.sh")
    (tmp_path / "sub" / "up").symlink_to("..")
    (tmp_path / "self").symlink_to("self")
    (tmp_path / "one").symlink_to("two")
    (tmp_path / "two").symlink_to("one")
    assert names(tmp_path) == ["a.sh"]


def test_links_out_of_the_tree_are_not_followed(tmp_path: Path) -> None:
    touch(tmp_path / "out" / "secret.sh")
    tree = tmp_path / "tree"
    touch(tree / "a.sh")
    (tree / "link.sh").symlink_to(tmp_path / "out" / "secret.sh")
    (tree / "folder").symlink_to(tmp_path / "out")
    (tree / "dangling.sh").symlink_to("nowhere")
    assert names(tree) == ["a.sh"]


def test_a_sibling_whose_name_begins_like_the_tree_is_outside(tmp_path: Path) -> None:
    touch(tmp_path / "tree-other" / "secret.sh")
    tree = tmp_path / "tree"
    tree.mkdir()
    (tree / "link.sh").symlink_to(tmp_path / "tree-other" / "secret.sh")
    assert names(tree) == []


def test_a_link_given_by_name_is_read(tmp_path: Path) -> None:
    touch(tmp_path / "out" / "a.sh")
    (tmp_path / "link.sh").symlink_to("out/a.sh")
    (tmp_path / "folder").symlink_to("out")
    assert names(tmp_path / "link.sh") == ["link.sh"]
    assert names(tmp_path / "folder") == ["a.sh"]


def test_pipes_and_sockets_are_passed_over_and_refused_by_name(tmp_path: Path) -> None:
    touch(tmp_path / "a.sh")
    os.mkfifo(tmp_path / "pipe.sh")
    (tmp_path / "link.sh").symlink_to("pipe.sh")
    assert names(tmp_path) == ["a.sh"]
    with pytest.raises(UsageError, match=r"pipe\.sh is neither a file nor a folder"):
        names(tmp_path / "pipe.sh")


@pytest.mark.parametrize("name", sorted(SKIPPED))
def test_folders_of_tools_are_not_walked_but_read_by_name(tmp_path: Path, name: str) -> None:
    touch(tmp_path / name / "a.sh")
    assert names(tmp_path) == []
    assert names(tmp_path / name) == ["a.sh"] == names(tmp_path / name / "a.sh")


def test_a_folder_that_cannot_be_read_is_passed_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    touch(tmp_path / "a.sh")
    touch(tmp_path / "shut" / "b.sh")
    real = os.scandir

    def scandir(path: str) -> object:
        if str(path).endswith("shut"):
            raise PermissionError(13, "Permission denied")
        return real(path)

    monkeypatch.setattr(os, "scandir", scandir)
    assert names(tmp_path) == ["a.sh"]


@pytest.fixture
def deep(tmp_path: Path) -> Iterator[Path]:
    """Ten thousand folders inside each other; beyond what a path can name."""
    top, before = tmp_path / "deep", Path.cwd()
    top.mkdir()
    os.chdir(top)
    made = 0
    try:
        for _ in range(10_000):
            os.mkdir("d")
            os.chdir("d")
            made += 1
        touch(Path("bottom.sh"))
        os.chdir(before)
        yield top
    finally:
        os.chdir(top)
        handle = os.open(".", os.O_RDONLY)
        for _ in range(made):
            inner = os.open("d", os.O_RDONLY, dir_fd=handle)
            os.close(handle)
            handle = inner
        if made == 10_000:
            os.unlink("bottom.sh", dir_fd=handle)
        for _ in range(made):
            outer = os.open("..", os.O_RDONLY, dir_fd=handle)
            os.rmdir("d", dir_fd=outer)
            os.close(handle)
            handle = outer
        os.close(handle)
        os.chdir(before)


def test_ten_thousand_nested_folders_are_bounded(deep: Path) -> None:
    touch(deep / "top.sh")
    assert names(deep)[:1] == ["top.sh"]


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ("deploy.yml", "(did you mean {}/deploy.yaml?)"),
        ("nothing-like-it", "does not exist"),
        ("no/where/x.sh", "does not exist"),
    ],
)
def test_a_missing_path_is_told_with_the_nearest(tmp_path: Path, asked: str, said: str) -> None:
    touch(tmp_path / "deploy.yaml")
    with pytest.raises(UsageError) as error:
        names(tmp_path / asked)
    assert said.format(tmp_path) in str(error.value)


def test_a_path_below_a_file_is_told(tmp_path: Path) -> None:
    touch(tmp_path / "a.sh")
    with pytest.raises(UsageError, match="cannot be read: Not a directory"):
        names(tmp_path / "a.sh" / "b.sh")


def test_names_that_are_no_utf_8_are_walked(tmp_path: Path) -> None:
    with open(os.path.join(os.fsencode(tmp_path), b"\xff.sh"), "wb") as file:
        file.write(b"x")
    assert len(names(tmp_path)) == 1
