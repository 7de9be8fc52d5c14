"""Functions that start programs, and functions that only look at what they are given; by their dotted names."""

from __future__ import annotations

from msgspec import Struct


class Starter(Struct, frozen=True):
    """How a function takes what it starts.

    words    the argument that is the list of words, or a text; `args` is its name
    spread   from this argument on, each is a word
    program  the program stands apart, in front of the words, whose first is only its name
    shell    a text is read by a shell in any case
    env      the argument that is the environment, by place, where it has one besides its name
    """

    words: int = 0
    spread: bool = False
    program: bool = False
    shell: bool = False
    env: int | None = None


_LIST = Starter()
_SHELL = Starter(shell=True)
_SPREAD = Starter(spread=True)

STARTERS: dict[str, Starter] = {
    **{f"subprocess.{name}": _LIST for name in ("run", "Popen", "call", "check_call", "check_output")},
    "subprocess.getoutput": _SHELL,
    "subprocess.getstatusoutput": _SHELL,
    "asyncio.create_subprocess_exec": _SPREAD,
    "asyncio.subprocess.create_subprocess_exec": _SPREAD,
    "asyncio.create_subprocess_shell": _SHELL,
    "asyncio.subprocess.create_subprocess_shell": _SHELL,
    "anyio.run_process": _LIST,
    "anyio.open_process": _LIST,
    "trio.run_process": _LIST,
    "psutil.Popen": _LIST,
    "pty.spawn": _LIST,
    "pexpect.spawn": _SHELL,
    "pexpect.run": _SHELL,
    "os.system": _SHELL,
    "os.popen": _SHELL,
    "os.execv": Starter(1, program=True),
    "os.execvp": Starter(1, program=True),
    "os.execve": Starter(1, program=True, env=2),
    "os.execvpe": Starter(1, program=True, env=2),
    "os.posix_spawn": Starter(1, program=True, env=2),
    "os.posix_spawnp": Starter(1, program=True, env=2),
    "os.spawnv": Starter(2, program=True),
    "os.spawnvp": Starter(2, program=True),
    "os.spawnve": Starter(2, program=True, env=3),
    "os.spawnvpe": Starter(2, program=True, env=3),
    "os.execl": Starter(1, spread=True, program=True),
    "os.execlp": Starter(1, spread=True, program=True),
}

SHELL_METHODS = frozenset(
    ("exec_command", "run_command", "run_commands", "execute_command", "send_command", "sendline", "getoutput", "sudo")
)
"""Methods, whoever has them, whose texts a shell reads."""

PINNING_METHODS = frozenset(("pip_install", "uv_pip_install"))
IMAGE_METHODS = frozenset(("from_registry",))

LOOKING = frozenset(
    (
        "print",
        "len",
        "str",
        "repr",
        "list",
        "tuple",
        "dict",
        "set",
        "frozenset",
        "sorted",
        "reversed",
        "enumerate",
        "zip",
        "map",
        "filter",
        "any",
        "all",
        "iter",
        "next",
        "type",
        "id",
        "isinstance",
        "issubclass",
        "hasattr",
        "getattr",
        "hash",
        "bool",
        "min",
        "max",
        "join",
        "info",
        "debug",
        "warning",
        "warn",
        "error",
        "exception",
        "critical",
        "log",
        "write",
        "writelines",
        "echo",
        "secho",
        "format",
        "dumps",
        "dump",
        "deepcopy",
        "copy",
        "append",
        "extend",
        "put",
        "index",
        "count",
        "get",
        "pformat",
        "pprint",
        "quote",
        "list2cmdline",
        "asdict",
        "vars",
        "call",
        "run",
        "Popen",
        "check_call",
        "check_output",
    )
)
"""Last names of functions that leave a list or dict that they are given as it is."""

EXPECTING = frozenset(("raises", "assertRaises", "assertRaisesRegex", "suppress", "pytest_raises"))
"""What a `with` names inside which something is meant to fail."""
