"""What GitHub workflows and actions risk: zizmor's audits in our severities and words.

A comment that asks zizmor to look away changes no severity: only the policy may waive a risk.
"""
