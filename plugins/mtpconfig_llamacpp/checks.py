"""Rule conditions that need llama.cpp's own code."""

from __future__ import annotations

from collections.abc import Mapping

from mtpconfig.engine import Check

CHECKS: Mapping[str, Check] = {}
