"""The carriers that ship with mtpconfig, one package or module a file format."""
