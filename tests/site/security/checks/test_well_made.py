"""Ten well-made sites, as frameworks and careful owners set them up: nothing high is found."""

from dataclasses import replace

import pytest

from mergegate.core.severity import Severity
from mergegate.site.facts.document import Document, Form, Image, Input, Link, Meta, Resource
from mergegate.site.security.checks import flaws
from mergegate.site.security.facts import CorsAnswer, SecurityFacts, SentCookie
from tests.site.security.checks.pages import HASH, PAGE, Sent, form, script, site

NONCE = "'nonce-3q2+7wAAAAB1c2VkT25jZQ=='"
SESSION = SentCookie(
    name="session", set_by=PAGE, secure=True, http_only=True, same_site="Lax", path="/"
)
HELMET: dict[str, Sent] = {
    "content_security_policy": (
        "default-src 'self';base-uri 'self';font-src 'self' https: data:;form-action 'self';"
        "frame-ancestors 'self';img-src 'self' data:;object-src 'none';script-src 'self';"
        "script-src-attr 'none';style-src 'self' https: 'unsafe-inline';upgrade-insecure-requests"
    ),
    "strict_transport_security": "max-age=15552000; includeSubDomains",
    "referrer_policy": "no-referrer",
    "x_frame_options": "SAMEORIGIN",
    "x_dns_prefetch_control": "off",
    "permissions_policy": None,
}
DJANGO: dict[str, Sent] = {
    "content_security_policy": f"script-src 'self' {NONCE}; object-src 'none'; base-uri 'none'",
    "strict_transport_security": "max-age=31536000; includeSubDomains; preload",
    "referrer_policy": "same-origin",
    "x_frame_options": "DENY",
    "cross_origin_resource_policy": None,
    "permissions_policy": None,
}
STRICT: dict[str, Sent] = {
    "content_security_policy": (
        f"script-src {NONCE} 'strict-dynamic' https: 'unsafe-inline' 'report-sample'; "
        "object-src 'none'; base-uri 'self'; report-uri /csp"
    ),
    "x_frame_options": "SAMEORIGIN",
    "permissions_policy": "unload=()",
    "cross_origin_opener_policy": 'same-origin-allow-popups; report-to="gws"',
}
FORGE: dict[str, Sent] = {
    "content_security_policy": (
        "default-src 'none'; base-uri 'self'; child-src github.githubassets.com; connect-src "
        "'self' uploads.example.org wss://alive.example.org; font-src assets.example.org; "
        "form-action 'self'; frame-ancestors 'none'; img-src 'self' data: blob: "
        "*.cloudfront.net; script-src assets.example.org; style-src 'unsafe-inline' "
        "assets.example.org; upgrade-insecure-requests; worker-src assets.example.org"
    ),
    "referrer_policy": "origin-when-cross-origin, strict-origin-when-cross-origin",
    "x_frame_options": "deny",
    "cross_origin_resource_policy": None,
}
TWO_POLICIES: dict[str, Sent] = {
    "content_security_policy": (
        "default-src 'self' https:; script-src 'self' 'unsafe-inline'",
        f"script-src 'self' {NONCE}; object-src 'none'; base-uri 'self'; frame-ancestors 'self'",
    ),
}
DJANGO_FORM = form("name", "*password", "-csrfmiddlewaretoken=" + "a1" * 32)
TOKEN = replace(SESSION, name="csrftoken", http_only=False)
SHOP = Document(
    url=PAGE,
    scripts=(
        script("https://www.googletagmanager.com/gtag/js"),
        script("https://js.stripe.com/v3/"),
        script("https://cdn.example.net/vue@3.4.1/vue.js", integrity=HASH, crossorigin=""),
        script("", text="boot()", nonce="x"),
    ),
    links=(
        Link(rels=frozenset({"stylesheet"}), href="https://fonts.googleapis.com/css2?family=Inter"),
        Link(rels=frozenset({"canonical"}), href="http://www.example.org/shop/"),
    ),
    images=(Image(src="https://images.example.net/a.webp"), Image(src="data:image/gif;base64,R0")),
    forms=(
        form("q", method="get", action=f"{PAGE}search"),
        form("email", action="https://example.us1.list-manage.com/subscribe/post"),
    ),
)
SPA = Document(
    url=PAGE,
    scripts=(script(f"{PAGE}assets/index-B1x2.js", type="module", crossorigin=""),),
    forms=(Form(action=PAGE, inputs=(Input(name="", type="text"),)),),
)
RAILS = Document(
    url=PAGE,
    metas=(
        Meta(kind="name", name="csrf-param", content="authenticity_token"),
        Meta(kind="name", name="csrf-token", content="x"),
    ),
    forms=(form("comment"), form("-_method=delete")),
)
VIDEO = Document(
    url=PAGE,
    resources=(
        Resource(url="https://www.youtube-nocookie.com/embed/x", kind="iframe"),
        Resource(url=f"{PAGE}a.mp4", kind="video"),
        Resource(url="//localhost/x", kind="css"),
    ),
)
ANALYTICS = tuple(
    SentCookie(name=name, set_by=PAGE, by_script=True, same_site="Lax", path="/", secure=True)
    for name in (
        "_ga",
        "_ga_ABC123",
        "_fbp",
        "_hjSessionUser_12345",
        "ai_session",
        "cookie_consent",
    )
)
PUBLIC = CorsAnswer(origin="https://stranger.example", kind="stranger", allow_origin="*", url=PAGE)

PREVIEW = "http://localhost:3000/"


def document(url: str) -> Document:
    """A page with a form of its own, wherever it stands."""
    scripts = (script(f"{url}main.js"),)
    return Document(url=url, scripts=scripts, forms=(form("*password", "-_token=x", action=url),))


SITES: dict[str, SecurityFacts] = {
    "everything": site(),
    "Express with Helmet": site(document=SPA, cookies=[SESSION], sent=HELMET),
    "Django": site(document=Document(url=PAGE, forms=(DJANGO_FORM,)), cookies=[TOKEN], sent=DJANGO),
    "Rails": site(document=RAILS, cookies=[replace(SESSION, name="_shop_session")]),
    "a strict policy": site(document=SHOP, cookies=ANALYTICS, sent=STRICT),
    "a forge": site(cookies=[replace(SESSION, name="__Host-user_session_same_site")], sent=FORGE),
    "two policies": site(
        document=SPA, cookies=[replace(SESSION, name="__Host-sid")], sent=TWO_POLICIES
    ),
    "a public page of static files": site(document=VIDEO, cors=[PUBLIC]),
    "a session for other sites": site(
        document=Document(url=PAGE, forms=(form("text", "-authenticity_token=1"),)),
        cookies=[replace(SESSION, same_site="None", partitioned=True)],
    ),
    "a preview on this machine": replace(
        site(PREVIEW, strict_transport_security=None, document=document(PREVIEW)), local=True
    ),
}


@pytest.mark.parametrize("facts", SITES.values(), ids=SITES.keys())
def test_nothing_high_is_found_on_a_well_made_site(facts: SecurityFacts) -> None:
    assert [one.rule for one in flaws(facts) if one.severity >= Severity.HIGH] == []


@pytest.mark.parametrize("facts", SITES.values(), ids=SITES.keys())
def test_only_headers_that_are_left_out_are_found_beside_remarks(facts: SecurityFacts) -> None:
    told = {one.rule for one in flaws(facts) if one.severity >= Severity.LOW}

    assert told <= {"permissions-policy-missing", "corp-missing"}


def test_there_are_ten() -> None:
    assert len(SITES) == 10
