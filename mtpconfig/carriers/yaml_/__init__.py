"""The text layer of YAML: nodes whose texts know where they were written, and edits of lists and maps.

It is no carrier itself: compose, Kubernetes, continuous integration and others are built on it.
"""

from mtpconfig.carriers.yaml_.comments import comments
from mtpconfig.carriers.yaml_.nodes import Document, Entries, Items, Node, Scalar
from mtpconfig.carriers.yaml_.parse import documents, report_faults
from mtpconfig.carriers.yaml_.rows import ListContainer
from mtpconfig.carriers.yaml_.words import word_of

__all__ = [
    "Document",
    "Entries",
    "Items",
    "ListContainer",
    "Node",
    "Scalar",
    "comments",
    "documents",
    "report_faults",
    "word_of",
]
