"""llama.cpp's own argument parser, reached inside the ``xllamacpp`` wheel.

The wheel embeds llama.cpp's server but has no command line. Its extension module exports the C++ function
``common_params_parse(argc, argv, params, example, print_usage)`` though, which ``llama-server`` and its siblings call
first and which reads the environment too. Only the standard library and ``xllamacpp`` are needed here, so the same
file works under any Python that has one of the wheels.
"""

from __future__ import annotations

import ctypes
import importlib
import os
import struct
from collections.abc import Sequence
from typing import Any, Final, NoReturn

PROGRAMS: Final = {
    "llama-speculative": 3,
    "llama-completion": 4,
    "llama-cli": 5,
    "llama-server": 12,
    "llama-lookup": 16,
}
"""Program name -> its number in the enum ``llama_example``; told apart by their ``--help`` from b8352 to b11549."""

_PARSE: Final = "_Z19common_params_parseiPPcR13common_params13llama_examplePFviS0_E"
_LOG_MAIN: Final = "_Z15common_log_mainv"
_LOG_PAUSE: Final = "_Z16common_log_pauseP10common_log"
_MARKS: Final = struct.pack("<ii", 0x0ABC1234, 0x12345678)
_PREFIX: Final = 256  # how far into the Python object the C++ struct may begin
_PrintUsage = ctypes.CFUNCTYPE(None, ctypes.c_int, ctypes.c_void_p)


class UnsupportedWheel(Exception):
    """The wheel does not offer what the parser needs."""


def library() -> Any:
    """The imported ``xllamacpp`` package (it carries no type information)."""
    return importlib.import_module("xllamacpp")


def _params_offset(package: Any) -> int:
    """Where the C++ struct lies inside its Python object: ``n_predict`` and ``n_ctx`` are its first two integers."""
    probe = package.CommonParams()
    probe.n_predict, probe.n_ctx = struct.unpack("<ii", _MARKS)
    offset = ctypes.string_at(id(probe), _PREFIX).find(_MARKS)
    if offset < 0:
        raise UnsupportedWheel("common_params was not found inside xllamacpp.CommonParams")
    return offset


class Parser:
    """The loaded parser. Making one costs an import; every :meth:`parse` is a fresh start."""

    def __init__(self) -> None:
        self.package = library()
        extension = ctypes.CDLL(importlib.import_module("xllamacpp.xllamacpp").__file__)
        try:
            self._function = getattr(extension, _PARSE)
            self._log_main, self._log_pause = getattr(extension, _LOG_MAIN), getattr(extension, _LOG_PAUSE)
        except AttributeError as missing:
            raise UnsupportedWheel(str(missing)) from None
        self._function.restype = ctypes.c_bool
        self._log_main.restype = ctypes.c_void_p
        self._offset = _params_offset(self.package)
        self._print_usage = _PrintUsage(lambda _argc, _argv: None)

    def parse(self, arguments: Sequence[str], program: str = "llama-server") -> Any | None:
        """Parse as ``program`` would: the filled ``CommonParams``, or None when llama.cpp refuses.

        llama.cpp writes what it has to say to the process's stderr, reads the process's environment, and ends the
        process itself for ``--help`` and ``--version``.
        """
        params = self.package.CommonParams()
        words = [program, *arguments]
        argv = (ctypes.c_char_p * (len(words) + 1))(*(os.fsencode(word) for word in words), None)
        where = ctypes.c_void_p(id(params) + self._offset)
        accepted = self._function(len(words), argv, where, PROGRAMS[program], self._print_usage)
        return params if accepted else None

    def leave(self, code: int) -> NoReturn:
        """End the process as a C program does, after llama.cpp's logging thread has written its last line.

        Without the pause, warnings are lost by chance: the thread may not have come to them yet.
        """
        self._log_pause(ctypes.c_void_p(self._log_main()))
        ctypes.CDLL(None).exit(code)
        raise SystemExit(code)  # not reached: exit() does not return
