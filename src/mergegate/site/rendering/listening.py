"""What the browser says of a page while it loads: requests, breaches of policies, script errors."""

import json
import re
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from playwright.async_api import CDPSession

from mergegate.site.browser_test.journey.telling import address, clean
from mergegate.site.security.facts import PolicyBreach


@dataclass(frozen=True, slots=True, kw_only=True)
class Bounds:
    """Beyond them the page is told as far as it was seen."""

    page_s: float = 60.0
    """All that is done on one page."""
    load_s: float = 20.0
    """Until it has loaded; what it looks like by then is looked at."""
    settle_s: float = 4.0
    """After that, for scripts that are still loading something."""
    step_s: float = 10.0
    """For one look at it; a page that takes longer to let us look hangs."""
    requests: int = 2_000
    events: int = 5_000
    """Messages of the browser about a page, of each kind; it is deaf to what comes after."""
    html_letters: int = 5 * 1024 * 1024
    breaches: int = 300
    """Different ones."""
    errors: int = 50
    """Different ones."""
    cookies: int = 100
    body_bytes: int = 8 * 1024 * 1024
    """The most bytes of the page's own answer, where a policy is put on it."""


BINDING = "mergegateTell"
"""What our script in the page's frames calls; only the isolated world has it."""
_HASH = re.compile(
    r"(?:Executing (?P<script>inline script)|Applying inline style) violates .*"
    r"a hash \('(?P<hash>sha256-[A-Za-z0-9+/]{43}=)'\)(?P<rest>[^\0]*)\Z",
    re.DOTALL,
)
"""Chromium's words for an inline element that a policy forbids (its ContentSecurityPolicy.cpp)."""
_ATTRIBUTE = "hashes do not apply to event handlers, style attributes"
_LITERAL = re.compile(r"([\"'`])(?:(?!\1).)+(?:\1|\Z)")
"""A string literal of a quoted script: its content may be a secret."""
_NAMES = {"XHR": "xhr", "CSPViolationReport": "csp-report"}
_STREAMS = frozenset({"eventsource", "websocket", "media", "ping", "csp-report", "prefetch"})
"""Requests that may last as long as the page is open, and that the scan does not wait for."""
_LONGEST_MESSAGE = 300

Event = Mapping[str, Any]


class Listener:
    """Hears one page; made before it is opened."""

    def __init__(self, bounds: Bounds) -> None:
        self._bounds = bounds
        self._heard = Counter[str]()
        self._pending: set[str] = set()
        self._breaches: dict[tuple[str, PolicyBreach], None] = {}
        self._hashes: dict[tuple[str, str], None] = {}
        self._errors: dict[str, None] = {}
        self._mixed: dict[tuple[str, str], None] = {}
        self._cookies: set[str] = set()
        self.requests: list[tuple[str, str]] = []
        """Address and kind of all that was asked for, hops of redirects included, in order."""
        self.led: list[tuple[str, str]] = []
        """Redirects: from where, to where."""
        self.overflown = False
        """Whether it said more than is listened to, or something that is not understood."""

    async def listen(self, session: CDPSession) -> None:
        """Have the browser speak."""
        answers: dict[str, Callable[[Event], None]] = {
            "Network.requestWillBeSent": self._sent,
            "Network.responseReceivedExtraInfo": self._answered,
            "Network.loadingFinished": self._ended,
            "Network.loadingFailed": self._ended,
            "Network.webSocketCreated": self._socket,
            "Log.entryAdded": self._logged,
            "Audits.issueAdded": self._issue,
            "Runtime.exceptionThrown": self._thrown,
            "Runtime.bindingCalled": self._told,
        }
        for event, answer in answers.items():
            session.on(event, self._bounded(event, answer))
        for domain in ("Page", "Runtime", "Network", "Log", "Audits"):
            await session.send(f"{domain}.enable")

    @property
    def pending(self) -> bool:
        """Whether something is still on its way."""
        return bool(self._pending)

    @property
    def mixed(self) -> tuple[tuple[str, str], ...]:
        """Address and kind of what an https page asked for over http, blocked or not."""
        return tuple(self._mixed)

    @property
    def cookies(self) -> frozenset[str]:
        """Names of those that answers set."""
        return frozenset(self._cookies)

    @property
    def errors(self) -> tuple[str, ...]:
        """Different messages of scripts that threw, in order."""
        return tuple(self._errors)

    @property
    def hashes(self) -> tuple[tuple[str, str], ...]:
        """``script`` or ``style`` and the hash of each inline element that a policy forbade."""
        return tuple(self._hashes)

    def breaches(self, disposition: str) -> tuple[PolicyBreach, ...]:
        """Different ones of policies that ``enforce`` or only ``report``, in order."""
        return tuple(one for how, one in self._breaches if how == disposition)

    def _bounded(self, name: str, answer: Callable[[Event], None]) -> Callable[[Event], None]:
        """``answer``, up to a number of events of the kind ``name``."""

        def heard(event: Event) -> None:
            self._heard[name] += 1
            if self._heard[name] > self._bounds.events:
                self.overflown = True
                self._pending.clear()
                return
            try:
                answer(event)
            except (KeyError, TypeError, ValueError, AttributeError):
                self.overflown = True  # another Chromium may use other words

        return heard

    def _sent(self, event: Event) -> None:
        url, kind = address(event["request"]["url"]), _kind(str(event.get("type") or "Other"))
        if "redirectResponse" in event:
            self.led.append((address(event["redirectResponse"]["url"]), url))
        if kind not in _STREAMS and url.startswith("http"):
            self._pending.add(event["requestId"])
        self._ask(url, kind)

    def _socket(self, event: Event) -> None:
        self._ask(address(event["url"]), "websocket")

    def _ask(self, url: str, kind: str) -> None:
        if len(self.requests) < self._bounds.requests:
            self.requests.append((url, kind))

    def _answered(self, event: Event) -> None:
        headers = {name.lower(): value for name, value in event["headers"].items()}
        for line in str(headers.get("set-cookie", "")).split("\n"):
            self._cookies.add(line.partition("=")[0].strip())

    def _ended(self, event: Event) -> None:
        self._pending.discard(event["requestId"])

    def _logged(self, event: Event) -> None:
        entry = event["entry"]
        found = _HASH.match(str(entry["text"])[:10_000]) if entry["source"] == "security" else None
        if found and _ATTRIBUTE not in found["rest"] and len(self._hashes) < self._bounds.breaches:
            self._hashes["script" if found["script"] else "style", found["hash"]] = None

    def _issue(self, event: Event) -> None:
        details = event["issue"]["details"].get("mixedContentIssueDetails")
        if details and len(self._mixed) < self._bounds.requests:
            kind = str(details.get("resourceType") or "other").lower()
            self._mixed[address(details["insecureURL"]), kind] = None

    def _thrown(self, event: Event) -> None:
        details = event["exceptionDetails"]
        said = str(details.get("exception", {}).get("description") or details["text"])
        if len(self._errors) < self._bounds.errors:
            self._errors[clean(said.partition("\n")[0], _LONGEST_MESSAGE)] = None

    def _told(self, event: Event) -> None:
        """Record a breach from our script; the page's own world does not know the binding."""
        if event["name"] != BINDING or len(self._breaches) >= self._bounds.breaches:
            return
        how, directive, blocked, source, line, sample = json.loads(event["payload"])
        script = address(source).partition("#")[0].partition("?")[0]
        place = f"{script}:{int(line)}" if source and line else script
        breach = PolicyBreach(
            directive=clean(directive, 60),
            blocked=address(blocked),
            source=place,
            sample=_LITERAL.sub(r"\1…\1", clean(sample, 100)),
        )
        self._breaches[clean(how, 20), breach] = None


def _kind(type: str) -> str:
    return _NAMES.get(type, type.lower())
