"""detect-secrets' detectors, without the network client that only its verification would use."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from types import ModuleType


@contextmanager
def _no_network_client() -> Iterator[None]:
    """Let ``import requests`` find nothing, unless it is here already.

    We never verify a secret with its provider. Loading the client would be two fifths of what
    it takes to start a worker, and what is not loaded makes no requests.
    """
    if "requests" in sys.modules:
        yield
        return
    sys.modules["requests"] = ModuleType("requests")
    try:
        yield
    finally:
        del sys.modules["requests"]


with _no_network_client():
    from detect_secrets.plugins.aws import AWSKeyDetector
    from detect_secrets.plugins.azure_storage_key import AzureStorageKeyDetector
    from detect_secrets.plugins.base import BasePlugin
    from detect_secrets.plugins.discord import DiscordBotTokenDetector
    from detect_secrets.plugins.github_token import GitHubTokenDetector
    from detect_secrets.plugins.gitlab_token import GitLabTokenDetector
    from detect_secrets.plugins.high_entropy_strings import (
        Base64HighEntropyString,
        HexHighEntropyString,
    )
    from detect_secrets.plugins.openai import OpenAIDetector
    from detect_secrets.plugins.private_key import PrivateKeyDetector
    from detect_secrets.plugins.pypi_token import PypiTokenDetector
    from detect_secrets.plugins.sendgrid import SendGridDetector
    from detect_secrets.plugins.slack import SlackDetector
    from detect_secrets.plugins.square_oauth import SquareOAuthDetector
    from detect_secrets.plugins.stripe import StripeDetector
    from detect_secrets.plugins.telegram_token import TelegramBotTokenDetector
    from detect_secrets.plugins.twilio import TwilioKeyDetector


@cache
def keyword_detector() -> BasePlugin:
    """detect-secrets' detector of names, loaded when a line is suspicious: it is slow to load."""
    from detect_secrets.plugins.keyword import KeywordDetector  # noqa: PLC0415

    return KeywordDetector()


__all__ = [
    "AWSKeyDetector",
    "AzureStorageKeyDetector",
    "Base64HighEntropyString",
    "DiscordBotTokenDetector",
    "GitHubTokenDetector",
    "GitLabTokenDetector",
    "HexHighEntropyString",
    "OpenAIDetector",
    "PrivateKeyDetector",
    "PypiTokenDetector",
    "SendGridDetector",
    "SlackDetector",
    "SquareOAuthDetector",
    "StripeDetector",
    "TelegramBotTokenDetector",
    "TwilioKeyDetector",
    "keyword_detector",
]
