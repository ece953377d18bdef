"""Comment commands: what a comment orders, who may order it, and what it changes.

What is decided here rests on the comment's event and the platform's answer about its author;
nothing is carried out, and the texts of the answers are in ``report/replies.py``.
"""

from mergegate.forges.orders.decide import Ruling, decide, needed
from mergegate.forges.orders.lines import order_line
from mergegate.forges.orders.nouns import (
    Explain,
    Help,
    Ignore,
    Misread,
    NotAnOrder,
    Order,
    Rescan,
    Unignore,
)
from mergegate.forges.orders.parse import parse
from mergegate.forges.orders.pin import Pin, pinned
from mergegate.forges.orders.waivers import lift, standing_waivers, waive

__all__ = [
    "Explain",
    "Help",
    "Ignore",
    "Misread",
    "NotAnOrder",
    "Order",
    "Pin",
    "Rescan",
    "Ruling",
    "Unignore",
    "decide",
    "lift",
    "needed",
    "order_line",
    "parse",
    "pinned",
    "standing_waivers",
    "waive",
]
