"""LMDeploy for mtpconfig: an engine from outside, in a package of its own."""
