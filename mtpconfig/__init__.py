"""mtpconfig: multi-token-prediction settings, right for the version of the engine that runs.

The public API is imported on first use, so that importing the package costs almost nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from mtpconfig.engine import Engine, Reading, Rendering
    from mtpconfig.errors import MtpconfigError
    from mtpconfig.hooks import engines, find_engine
    from mtpconfig.lint.findings import FileReport, Finding
    from mtpconfig.lint.linter import Linter
    from mtpconfig.probe.verify import Outcome, verify
    from mtpconfig.rendering import render
    from mtpconfig.spec import MTPSpec, load_spec
    from mtpconfig.translation import Translation, translate

__version__ = "0.1.0"

_HOMES = {
    "Engine": "mtpconfig.engine",
    "FileReport": "mtpconfig.lint.findings",
    "Finding": "mtpconfig.lint.findings",
    "Linter": "mtpconfig.lint.linter",
    "MTPSpec": "mtpconfig.spec",
    "MtpconfigError": "mtpconfig.errors",
    "Outcome": "mtpconfig.probe.verify",
    "Reading": "mtpconfig.engine",
    "Rendering": "mtpconfig.engine",
    "Translation": "mtpconfig.translation",
    "engines": "mtpconfig.hooks",
    "find_engine": "mtpconfig.hooks",
    "load_spec": "mtpconfig.spec",
    "render": "mtpconfig.rendering",
    "translate": "mtpconfig.translation",
    "verify": "mtpconfig.probe.verify",
}

__all__ = [
    "Engine",
    "FileReport",
    "Finding",
    "Linter",
    "MTPSpec",
    "MtpconfigError",
    "Outcome",
    "Reading",
    "Rendering",
    "Translation",
    "__version__",
    "engines",
    "find_engine",
    "load_spec",
    "render",
    "translate",
    "verify",
]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'mtpconfig' has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)
