"""Where commits that a clone lacks come from, and what Git may know of the way there."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from mergegate.core.errors import UsageError

LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})
"""Names of this machine: the way there cannot be listened to."""
_CARRIED = (
    *("https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY", "no_proxy", "NO_PROXY"),
    *("GIT_SSL_CAINFO", "GIT_SSL_CAPATH"),
)
_HEADER = re.compile(r"[A-Za-z]+ [\x21-\x7e]+", re.ASCII)


@dataclass(frozen=True, slots=True, kw_only=True)
class Origin:
    """Where missing commits come from, as the job tells it; raises UsageError for an odd one."""

    url: str
    """https, without credentials. Plain http is taken from this machine, through ``proxy``, or
    where ``plain`` says so."""
    authorization: str = field(default="", repr=False)
    """Value of the header (``Basic …``); empty for a public repository or behind ``proxy``."""
    proxy: str = ""
    """On this machine; it adds the credentials, as Bitbucket Pipelines has one."""
    connection: Mapping[str, str] = field(default_factory=dict, repr=False)
    """What :func:`connection` found: the way out of a closed network."""
    plain: bool = False
    """Whether the platform names its own address itself, for which plain http will do."""
    local: bool = False
    """Whether ``url`` is a folder of this machine (``file:///…``); only tests set it."""

    def __post_init__(self) -> None:
        if not self._is_allowed():
            raise UsageError(
                "the origin's address is not one to fetch from",
                remedy="Only https addresses without credentials are fetched from.",
            )
        if self.authorization and not _HEADER.fullmatch(self.authorization):
            raise UsageError("the origin's credentials hold letters that no header may hold")

    def _is_allowed(self) -> bool:
        if not self.url.isascii() or not self.url.isprintable() or " " in self.url:
            return False
        try:
            parts, proxy = urlsplit(self.url), urlsplit(self.proxy)
            _ = parts.port, proxy.port
        except ValueError:
            return False
        if self.proxy and not (proxy.scheme == "http" and proxy.hostname in LOOPBACK):
            return False
        if "@" in parts.netloc or parts.query or parts.fragment or not parts.path.strip("/"):
            return False
        return self._is_safe(parts.scheme, parts.hostname)

    def _is_safe(self, scheme: str, host: str | None) -> bool:
        """Whether the credentials cannot be read, nor the answer changed, on the way."""
        if self.local:
            return scheme == "file"
        if scheme == "http":
            through = self.proxy and not self.authorization
            return host in LOOPBACK or bool(host and (self.plain or through))
        return scheme == "https" and bool(host)

    @property
    def host(self) -> str:
        """Whom errors name."""
        return urlsplit(self.url).hostname or "this machine"

    def environment(self) -> dict[str, str]:
        """Settings for Git that must not stand in an argument list, where others see them."""
        parts = urlsplit(self.url)
        settings = {f"protocol.{parts.scheme}.allow": "always"}
        if self.authorization:
            key = f"http.{parts.scheme}://{parts.netloc}/.extraHeader"
            settings[key] = f"Authorization: {self.authorization}"
        if self.proxy:
            settings["http.proxy"] = self.proxy
        numbered = dict(self.connection) | {"GIT_CONFIG_COUNT": str(len(settings))}
        for number, (key, value) in enumerate(settings.items()):
            numbered |= {f"GIT_CONFIG_KEY_{number}": key, f"GIT_CONFIG_VALUE_{number}": value}
        return numbered


def connection(environment: Mapping[str, str]) -> dict[str, str]:
    """The proxies and certificates among the job's variables; no other reaches Git."""
    found = {name: environment[name] for name in _CARRIED if environment.get(name)}
    if authority := environment.get("CI_SERVER_TLS_CA_FILE"):  # GitLab's runner, private authority
        found.setdefault("GIT_SSL_CAINFO", authority)
    return found
