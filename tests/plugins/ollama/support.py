"""What the tests of Ollama share."""

from mtpconfig.engine import Engine, Reading
from mtpconfig.hooks import find_engine
from mtpconfig.lint.findings import FileReport, Finding
from mtpconfig.text import Source
from mtpconfig.version import PEP440, Version

from ...support import linter


def ollama() -> Engine:
    return find_engine("ollama")


def version(text: str) -> Version:
    return PEP440.parse(text)


def report(text: str, release: str = "0.32.14", name: str = "Modelfile") -> FileReport:
    return linter(f"ollama@{release}" if release else "").lint_source(Source(name, text))


def told(text: str, release: str = "0.32.14", name: str = "Modelfile") -> list[Finding]:
    """The findings above a note."""
    return [finding for finding in report(text, release, name).findings if finding.severity != "info"]


def codes(text: str, release: str = "0.32.14", name: str = "Modelfile") -> list[str]:
    return [finding.code for finding in told(text, release, name)]


def reading(text: str, release: str = "0.32.14", name: str = "Modelfile") -> Reading:
    """The one launch of a text as a release reads it."""
    (launch,) = linter().launches(Source(name, text))
    return ollama().read(launch, version(release))
