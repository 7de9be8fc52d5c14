"""From launches to findings: rules, targets, suppressions, fixes, reports."""
