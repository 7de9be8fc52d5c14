"""SGLang for mtpconfig: its programs, its grammar, its way to speculate.

What its options are called at which release is data: `mtpconfig_rules/sglang/`.
"""
