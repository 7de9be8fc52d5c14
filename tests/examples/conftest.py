"""The plugin of `examples/engine-plugin`, installed for the length of the tests: its package and its metadata."""

from __future__ import annotations

import os
import shutil
from collections.abc import Mapping

import pytest
import tomli

from ..support import ROOT

PLUGIN = ROOT / "examples" / "engine-plugin"


@pytest.fixture(scope="session")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, str]:
    """An environment in which the plugin is installed, as an installer would leave it."""
    site = tmp_path_factory.mktemp("site")
    shutil.copytree(PLUGIN / "mtpconfig_lmdeploy", site / "mtpconfig_lmdeploy")
    project = tomli.loads((PLUGIN / "pyproject.toml").read_text("utf-8"))["project"]
    info = site / f"{project['name'].replace('-', '_')}-{project['version']}.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(
        f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: {project['version']}\n", "utf-8"
    )
    rows = [
        f"[{group}]\n" + "".join(f"{name} = {place}\n" for name, place in points.items())
        for group, points in project["entry-points"].items()
    ]
    (info / "entry_points.txt").write_text("\n".join(rows), "utf-8")
    path = os.pathsep.join(filter(None, (str(site), os.environ.get("PYTHONPATH"))))
    return {"PYTHONPATH": path, "NO_COLOR": "1", "PYTHONDONTWRITEBYTECODE": "1"}
