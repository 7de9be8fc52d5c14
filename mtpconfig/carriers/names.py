"""What file names of each format may look like: the cheap question before a carrier is imported to be asked.

Each says yes to every name that its carrier could claim. A name without a suffix may be anything.
"""

from __future__ import annotations

_YAML = frozenset(("yaml", "yml", "json"))
_MARKDOWN = frozenset(("md", "markdown", "mdx", "qmd", "rmd", "mkd", "mdown"))
_SCRIPTS = frozenset(("sh", "bash", "zsh", "ksh", "command", "bats", "py", "js", "ts"))


def _suffixes(name: str) -> frozenset[str]:
    return frozenset(name.strip(".").split(".")[1:])


def may_be_yaml(name: str) -> bool:
    """YAML or JSON, also as a template (`values.yaml.gotmpl`)."""
    suffixes = _suffixes(name)
    return not suffixes or not suffixes.isdisjoint(_YAML) or name.endswith((".tpl", ".tmpl", ".j2"))


def may_be_markdown(name: str) -> bool:
    """Markdown."""
    suffixes = _suffixes(name)
    return not suffixes or not suffixes.isdisjoint(_MARKDOWN)


def may_be_dockerfile(name: str) -> bool:
    """Dockerfile, Containerfile, and names made of them."""
    return "dockerfile" in name or "containerfile" in name


def may_be_unit(name: str) -> bool:
    """Unit files and drop-ins have many suffixes: whatever is no script, no YAML and no Markdown."""
    last = name.rpartition(".")[2]
    return last not in _YAML and last not in _MARKDOWN and last not in _SCRIPTS


def may_be_dotenv(name: str) -> bool:
    """`.env`, `prod.env`, `env.example`."""
    return "env" in name


def may_be_shell(name: str) -> bool:
    """Any: a script may be told by its shebang, or come on standard input; it is asked last."""
    return True


def may_be_python(name: str) -> bool:
    """Python; a name without a suffix may be that of a script."""
    return name.endswith((".py", ".pyw")) or "." not in name.strip(".")


def may_be_ini(name: str) -> bool:
    """INI, `.cfg` and `.conf`, also as a template."""
    return not _suffixes(name).isdisjoint(("ini", "cfg", "conf")) or "." not in name
