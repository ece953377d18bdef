"""What a forge tells by webhook: whether it was the forge, and what it asks for; pure."""

from mergegate.forges.hooks.credentials import App, Credentials
from mergegate.forges.hooks.reading import READERS, delivery_of, is_genuine, known_by, read
from mergegate.forges.hooks.scan_request import Delivery, Heard, Ignored, ScanRequest

__all__ = [
    "READERS",
    "App",
    "Credentials",
    "Delivery",
    "Heard",
    "Ignored",
    "ScanRequest",
    "delivery_of",
    "is_genuine",
    "known_by",
    "read",
]
