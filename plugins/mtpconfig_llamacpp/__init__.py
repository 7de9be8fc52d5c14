"""llama.cpp for mtpconfig: its programs, its grammar, its way to speculate.

What its options are called at which build is data: `mtpconfig_rules/llama.cpp/`.
"""
