"""What a security scan saw of a site; all of it is hostile."""

from dataclasses import dataclass, field

from mergegate.core.severity import Confidence, Severity
from mergegate.sandbox.fetched import Fetched
from mergegate.site.facts.document import Document
from mergegate.site.facts.stack import Stack

NONCE = "{NONCE}"
"""The place in a proposed policy where the server puts a fresh random value into each answer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceText:
    """A piece of text that visitors get: a page, a script, or a file of a source map."""

    url: str
    """The address of the text; for a file of a source map the map's."""
    kind: str
    """``html``, ``script``, ``inline-script``, ``source-map`` or ``json``."""
    text: str = field(repr=False)
    name: str = ""
    """A source map's name for a file of it; the selector of an inline script."""
    whole: bool = True
    own: bool = True
    """Whether it is of the page's own origin."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LoadedScript:
    """A script file that the page loads, by its markup or at run time."""

    url: str
    own: bool
    fetched: Fetched | None = None
    """None when it was not fetched: of another origin, or beyond the bounds."""
    source_map: Fetched | None = None
    """What its ``sourceMappingURL`` or ``SourceMap`` header leads to, if it was fetched."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SentCookie:
    """A cookie that the site sets, its value left out."""

    name: str
    set_by: str
    """The address whose answer set it; the page's own for one that a script set."""
    domain: str = ""
    """The ``Domain`` attribute; empty for a host-only cookie."""
    path: str = ""
    secure: bool = False
    http_only: bool = False
    same_site: str = ""
    """``Strict``, ``Lax``, ``None``, something else as written, or empty."""
    partitioned: bool = False
    max_age_s: int | None = None
    """How long it is kept; None for the session."""
    by_script: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class CorsAnswer:
    """How the page answered when asked from another origin."""

    origin: str
    """What was sent: a stranger's origin, ``null``, a look-alike."""
    kind: str
    """``stranger``, ``null``, ``suffix`` (our host is its start) or ``prefix`` (its end)."""
    allow_origin: str = ""
    allow_credentials: bool = False
    vary_origin: bool = False
    url: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Certificate:
    """One certificate of the chain; times are ISO 8601 in UTC."""

    subject: str
    issuer: str
    not_before: str
    not_after: str
    names: tuple[str, ...] = ()
    """DNS names and addresses that it is for."""
    key: str = ""
    """Such as ``RSA 2048`` or ``EC secp256r1``."""
    signature: str = ""
    """Such as ``sha256``."""
    serial: str = ""
    sha256: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class TlsFacts:
    """How the site speaks TLS."""

    host: str
    port: int
    protocol: str = ""
    """Negotiated with a modern client, such as ``TLSv1.3``; empty when none came about."""
    cipher: str = ""
    alpn: str = ""
    chain: tuple[Certificate, ...] = ()
    """The chain as the server sends it, its own certificate first."""
    trusted: bool | None = None
    """Whether the chain leads to a root known here; None when that was not found out."""
    trust_error: str = ""
    name_matches: bool = True
    days_left: int | None = None
    """Until the server's certificate expires; negative afterwards."""
    accepts: tuple[str, ...] = ()
    """Every protocol version that came about, of those that this machine can speak."""
    untested: tuple[str, ...] = ()
    """Versions that this machine cannot speak, or that were not answered in time."""
    weak_ciphers: tuple[str, ...] = ()
    """Accepted ones without forward secrecy or with a broken algorithm."""
    failure: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ProbedFile:
    """A path that should not be public, and what was there; asked for with HEAD or a small GET."""

    path: str
    what: str
    """``git``, ``env``, ``backup``… as the list of paths calls it."""
    fetched: Fetched
    proved: bool = False
    """Whether what came back has the marks of such a file, not merely a good status."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RenderedPage:
    """What the page became in a browser."""

    document: Document
    requests: tuple[tuple[str, str], ...] = ()
    """Address and kind (``script``, ``image``, ``xhr``…) of all that was asked for, in order."""
    mixed: tuple[tuple[str, str], ...] = ()
    """Address and kind of what an https page asked for over http, blocked or not."""
    cookies: tuple[SentCookie, ...] = ()
    """Cookies that scripts set."""
    failure: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class PolicyBreach:
    """Something the page does that a policy would forbid."""

    directive: str
    blocked: str
    """The address, ``inline`` or ``eval``."""
    source: str = ""
    """Script and line, where the browser says so."""
    sample: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class PolicyTrial:
    """A content security policy that the page was reloaded under."""

    policy: str
    """The whole header value."""
    proved: bool = False
    """Whether the page loaded under it without a breach and without a new error."""
    nonces: bool = False
    """Whether the server has to put a fresh nonce into it, and into the page's inline scripts."""
    breaches: tuple[PolicyBreach, ...] = ()
    """What would break under it."""
    errors: tuple[str, ...] = ()
    """Script errors that only appear under it."""
    failure: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ExposedSecret:
    """A key, token or password in what visitors get; nothing here can be turned back into it."""

    detector: str
    """Kebab-case and permanent: ``github-token``, ``stripe-publishable-key``…"""
    url: str
    """The address of the text; for a file of a source map the map's."""
    kind: str
    """That text's kind, as :attr:`SourceText.kind`."""
    name: str = ""
    """A source map's name for a file of it."""
    line: int = 0
    column: int = 0
    """Both from 1, in that text."""
    label: str = ""
    """The name that the value is given to, such as ``clientSecret``; letters, digits, ``_-.$``."""
    masked: str = ""
    """The secret as at most four characters of a publicly known prefix, then stars."""
    identity: str = ""
    """Slow salted hash of the value: equal for equal secrets of one detector."""
    confidence: Confidence = Confidence.HIGH
    claim: str = ""
    """What a signed token (JWT) says of itself: ``anon``, ``service_role``, ``expired``,
    ``expiring`` or ``lasting``; empty for everything else."""
    count: int = 1
    """How often the same value was met in all texts."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LibraryAdvisory:
    """A published weakness of a JavaScript library."""

    ids: tuple[str, ...]
    """CVE numbers first, then GitHub's."""
    severity: Severity
    summary: str
    fixed_in: str
    """The first version of that line without it."""
    cwe: str = ""
    reference: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class UsedLibrary:
    """A JavaScript library that was recognised, and what is known against its version."""

    name: str
    version: str
    url: str
    """The script that holds or is it."""
    found_by: str = "content"
    """``content`` (its own banner or code), ``url`` or ``file name``."""
    advisories: tuple[LibraryAdvisory, ...] = ()
    """Worst first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SecurityFacts:
    """Everything a check of a site's security may look at."""

    page: Fetched
    document: Document
    site: str = ""
    """The domain that was registered for the page's host, such as ``example.co.uk`` (public suffix
    list); an address or a name without any is its own."""
    local: bool = False
    """Whether the page stands on this machine or a private host: what needs https is not judged."""
    signed_in: bool = False
    """Whether the page was asked for with a header or cookie that opens it."""
    insecure: Fetched | None = None
    """The same address asked for over http; None for a local page."""
    scripts: tuple[LoadedScript, ...] = ()
    texts: tuple[SourceText, ...] = ()
    """Everything to look for secrets and libraries in."""
    secrets: tuple[ExposedSecret, ...] = ()
    """What was found in ``texts``: each value once, in the order of the texts."""
    libraries: tuple[UsedLibrary, ...] = ()
    """Libraries, ordered by name, then version."""
    cookies: tuple[SentCookie, ...] = ()
    """Cookies that every answer on the way set, and those that scripts set."""
    cors: tuple[CorsAnswer, ...] = ()
    tls: TlsFacts | None = None
    """None for a page without TLS."""
    files: tuple[ProbedFile, ...] = ()
    errors: tuple[Fetched, ...] = ()
    """What the site answers with a status of 400 or above: for an address that is not there, and
    for the first ones that the page links."""
    security_txt: Fetched | None = None
    rendered: RenderedPage | None = None
    stack: Stack = Stack()
    trial: PolicyTrial | None = None
    now: str = ""
    """The moment of the scan, ISO 8601 in UTC: expiry is judged by it."""
    notes: tuple[str, ...] = ()
    """What could not be looked at, each a sentence."""
