"""`python -m mtpconfig`."""

from mtpconfig.cli import main

main()
