"""The only place where adapters are built and rooms are joined."""

from mergegate.wiring.cards import rule_cards
from mergegate.wiring.forging import Key, deployed_change, forge, key, pull_request_of, surroundings
from mergegate.wiring.formats import FORMATS, Format, Surface, alerts, console_text
from mergegate.wiring.policies import policy_from, repository_policy
from mergegate.wiring.scanning import (
    Stock,
    advisories_status,
    engine_versions,
    sources,
    toolbox,
    update_advisories,
)

__all__ = [
    "FORMATS",
    "Format",
    "Key",
    "Stock",
    "Surface",
    "advisories_status",
    "alerts",
    "console_text",
    "deployed_change",
    "engine_versions",
    "forge",
    "key",
    "policy_from",
    "pull_request_of",
    "repository_policy",
    "rule_cards",
    "sources",
    "surroundings",
    "toolbox",
    "update_advisories",
]
