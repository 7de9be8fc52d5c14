"""Functions of the standard library whose results are known, and methods of texts and dicts."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from msgspec.structs import replace

from mtpconfig.carriers.python_.drafts import Arguments
from mtpconfig.carriers.python_.evaluate import Evaluator
from mtpconfig.carriers.python_.json_text import guards_in, json_runs, variants
from mtpconfig.carriers.python_.nodes import last_name
from mtpconfig.carriers.python_.scope import Branches
from mtpconfig.carriers.python_.values import Items, Made, Table, Text, Value, either, joined, made_up, options_of
from mtpconfig.carriers.shell.runs import cut

SAME = frozenset(
    (
        "builtins.str",
        "builtins.int",
        "builtins.float",
        "pathlib.Path",
        "pathlib.PurePath",
        "pathlib.PosixPath",
        "os.fspath",
        "shlex.quote",
        "os.path.expanduser",
        "os.path.expandvars",
        "os.path.abspath",
        "os.path.realpath",
        "os.path.normpath",
        "shutil.which",
        "textwrap.dedent",
        "inspect.cleandoc",
        "typing.cast",
    )
)
"""Functions that give the text that they are given, or one that is as good."""

COPIES = ("builtins.list", "builtins.tuple", "copy.copy", "copy.deepcopy", "builtins.dict")


class Known:
    """What functions give that are known by name."""

    def __init__(self, evaluator: Evaluator, branches: Branches) -> None:
        self._evaluator = evaluator
        self._branches = branches

    def same(self, dotted: str, first: Value | None, arguments: Arguments) -> Value | None:
        """Functions that give the text that they are given."""
        if dotted == "typing.cast":
            return arguments.get(1)
        if dotted.startswith("pathlib.") and len(arguments.items.entries) > 1:
            return self.joined([entry.value for entry in arguments.items.entries], "/", None)
        options = [
            (guard, replace(option, kind="unknown" if option.kind == "unknown" else "str"))
            for guard, option in options_of(first)
            if isinstance(option, Text)
        ]
        if dotted in ("builtins.int", "builtins.float"):
            return first if isinstance(first, Text) and first.kind in ("number", "str") else None
        return either(options) if options and len(options) == len(list(options_of(first))) else None

    def copied(self, node: ast.Call, first: Value | None, arguments: Arguments) -> Value | None:
        """`list(x)`, `dict(x, a=1)` and copies."""
        if isinstance(first, Items) and not arguments.keywords.pairs:
            return first
        if arguments.items.entries and not isinstance(first, (Table, Made)):
            return None
        table = first.arguments if isinstance(first, Made) else first if isinstance(first, Table) else Table(())
        if last_name(node.func) not in ("dict", "copy", "deepcopy"):
            return None
        table = table.having(arguments.keywords.pairs)
        return replace(table, open=table.open or arguments.keywords.open, span=self._evaluator.tree.span(node))

    def json(self, node: ast.Call, value: Value | None) -> Value | None:
        """`json.dumps(...)`."""
        span = self._evaluator.tree.span(node)
        if value is None:
            return None
        arms = self._branches.arms(list(guards_in(value)))
        source = self._evaluator.tree.layer.text
        ways = variants(value, arms)
        options = [(world, Text(json_runs(way, source), "str", span)) for world, way in ways]
        return either(options) if options else None

    def joined(self, values: Sequence[Value], mark: str, node: ast.Call | None) -> Value | None:
        """Several texts as one, with a mark between them; None where one is no text."""
        texts = [value for value in values if isinstance(value, Text)]
        if not texts or len(texts) != len(values):
            return None
        parts = [part for text in texts for part in (made_up(mark), text)][1:]
        return joined(parts, self._evaluator.tree.span(node) if node is not None else texts[0].site)

    def spaced(self, value: Value | None, node: ast.Call, between: str, *, quoted: bool = False) -> Text | None:
        """The words of a list as one text; where they are quoted or depend on branches, the list alone."""
        if not isinstance(value, Items):
            return None
        texts = [entry.value for entry in value.entries if isinstance(entry.value, Text)]
        parts = [part for text in texts for part in (made_up(between), text)][1:]
        unsure = value.open or len(texts) != len(value.entries) or any(entry.guard for entry in value.entries)
        if quoted or unsure:
            return replace(self._evaluator.unknown(node), parts=value)
        return joined(parts, self._evaluator.tree.span(node))


def stripped(text: Text, name: str) -> Text:
    """What `strip` and its like make of a text."""
    whole = text.text
    start = len(whole) - len(whole.lstrip()) if name != "rstrip" else 0
    end = len(whole.rstrip()) if name != "lstrip" else len(whole)
    return replace(text, runs=cut(text.runs, start, max(start, end)))


def of_table(table: Table, name: str, arguments: Arguments) -> Value | None:
    """What a method of a dict gives that changes nothing."""
    key, other = arguments.get(0), arguments.get(1)
    if name == "copy":
        return replace(table)
    if name == "get" and isinstance(key, Text) and key.known is not None:
        found = table.get(key.known)
        return found if found is not None or table.open else other
    return None
