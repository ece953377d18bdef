"""Security headers: each line is what is sent, and exactly what is found."""

import pytest

from mergegate.site.facts.document import Meta
from mergegate.site.security.checks import headers, hsts
from mergegate.site.security.facts import SecurityFacts
from tests.site.security.checks.pages import PAGE, Sent, document, every, rules, severities, site

HSTS, REFERRER, PERMISSIONS = "strict_transport_security", "referrer_policy", "permissions_policy"
SNIFF, OPENER = "x_content_type_options", "cross_origin_opener_policy"
EMBEDDER, RESOURCE = "cross_origin_embedder_policy", "cross_origin_resource_policy"
NOTHING: dict[str, Sent] = dict.fromkeys((HSTS, SNIFF, REFERRER, PERMISSIONS, OPENER, RESOURCE))

TABLE: list[tuple[str, str, Sent, list[str]]] = [
    ("hsts missing", HSTS, None, ["hsts-missing"]),
    ("hsts empty", HSTS, "", ["hsts-missing"]),
    ("hsts of a month", HSTS, "max-age=2592000; includeSubDomains", ["hsts-short"]),
    ("hsts a day below 180", HSTS, "max-age=15465600; includeSubDomains", ["hsts-short"]),
    ("hsts of 180 days", HSTS, "max-age=15552000; includeSubDomains", []),
    ("hsts of half a year", HSTS, "max-age=15768000; includeSubDomains", []),
    ("hsts switched off", HSTS, "max-age=0", ["hsts-switched-off"]),
    ("hsts for the host alone", HSTS, "max-age=31536000", ["hsts-without-subdomains"]),
    ("hsts quoted, in capitals", HSTS, 'MAX-AGE="31536000" ; INCLUDESUBDOMAINS;', []),
    ("hsts with an unknown part", HSTS, "max-age=31536000; includeSubDomains; later=1", []),
    ("hsts without max-age", HSTS, "includeSubDomains", ["hsts-invalid"]),
    ("hsts with a word for a number", HSTS, "max-age=year", ["hsts-invalid"]),
    ("hsts below nothing", HSTS, "max-age=-1", ["hsts-invalid"]),
    ("hsts with a comma", HSTS, "max-age=31536000, includeSubDomains", ["hsts-invalid"]),
    ("hsts with max-age twice", HSTS, "max-age=31536000; max-age=1", ["hsts-invalid"]),
    (
        "hsts twice, the first one counts",
        HSTS,
        ("max-age=31536000; includeSubDomains", "max-age=0"),
        [],
    ),
    (
        "hsts that wants to be preloaded too soon",
        HSTS,
        "max-age=15768000; includeSubDomains; preload",
        ["hsts-preload-refused"],
    ),
    ("nosniff missing", SNIFF, None, ["nosniff-missing"]),
    ("nosniff in capitals", SNIFF, "NoSniff", []),
    ("nosniff by two servers", SNIFF, ("nosniff", "nosniff"), []),
    ("nosniff twice in one", SNIFF, "nosniff, nosniff", []),
    ("nosniff misspelt", SNIFF, "no-sniff", ["nosniff-invalid"]),
    ("referrer missing", REFERRER, None, ["referrer-policy-missing"]),
    ("referrer unsafe", REFERRER, "unsafe-url", ["referrer-policy-unsafe"]),
    (
        "referrer as it once was",
        REFERRER,
        "no-referrer-when-downgrade",
        ["referrer-policy-unsafe"],
    ),
    ("referrer origin", REFERRER, "origin", ["referrer-policy-downgrade"]),
    ("referrer with a fallback", REFERRER, "no-referrer, strict-origin-when-cross-origin", []),
    ("referrer of the future", REFERRER, "same-origin, strictest-of-all", []),
    ("referrer that ends badly", REFERRER, "same-origin, unsafe-url", ["referrer-policy-unsafe"]),
    ("referrer unknown", REFERRER, "strict", ["referrer-policy-invalid"]),
    ("permissions missing", PERMISSIONS, None, ["permissions-policy-missing"]),
    ("permissions in csp's syntax", PERMISSIONS, "camera 'none'", ["permissions-policy-invalid"]),
    (
        "permissions half wrong",
        PERMISSIONS,
        "camera=(), usb='none'",
        ["permissions-policy-invalid"],
    ),
    ("permissions to all", PERMISSIONS, "camera=*, usb=()", ["permissions-policy-wide"]),
    ("permissions to all, in a list", PERMISSIONS, "usb=(*)", ["permissions-policy-wide"]),
    ("permissions of no danger to all", PERMISSIONS, "fullscreen=*, autoplay=(self)", []),
    ("permissions with a report", PERMISSIONS, "camera=();report-to=main, usb=self", []),
    ("permissions in two headers", PERMISSIONS, ("camera=()", "usb=()"), []),
    ("opener missing", OPENER, None, ["coop-missing"]),
    ("opener unsafe", OPENER, "unsafe-none", ["coop-missing"]),
    ("opener unknown", OPENER, "same-site", ["coop-invalid"]),
    ("opener with popups and a report", OPENER, 'same-origin-allow-popups; report-to="x"', []),
    ("embedder", EMBEDDER, "require-corp", []),
    ("embedder unknown", EMBEDDER, "yes", ["coep-invalid"]),
    ("resource missing", RESOURCE, None, ["corp-missing"]),
    ("resource for all, on purpose", RESOURCE, "cross-origin", []),
    ("resource in capitals", RESOURCE, "Same-Origin", ["corp-invalid"]),
]


@pytest.mark.parametrize(
    ("name", "value", "found"), [row[1:] for row in TABLE], ids=[row[0] for row in TABLE]
)
def test_a_header_is_read_as_browsers_read_it(name: str, value: Sent, found: list[str]) -> None:
    assert rules(site(sent={name: value})) == found


def test_severities_follow_the_table() -> None:
    nothing = site(sent=NOTHING)

    assert severities(nothing) == {
        "hsts-missing": "high",
        "nosniff-missing": "low",
        "referrer-policy-missing": "low",
        "permissions-policy-missing": "low",
        "coop-missing": "low",
        "corp-missing": "low",
    }


def test_the_bare_header_ends_the_flaw_it_belongs_to() -> None:
    nothing = site(sent=NOTHING)
    patches = [patch for flaw in every(nothing) for patch in flaw.patches]
    sent = dict(patch.code.split(": ", 1) for patch in patches)

    assert {patch.product for patch in patches} == {"HTTP"}
    mended: dict[str, Sent] = {
        name.lower().replace("-", "_"): value for name, value in sent.items()
    }
    assert rules(site(sent=mended)) == []


@pytest.mark.parametrize(
    "facts",
    [
        site("http://www.example.org/", strict_transport_security=None),
        site("https://localhost:8443/", strict_transport_security=None),
        site("https://192.0.2.7/", strict_transport_security=None),
    ],
    ids=["over http", "on this machine", "an address"],
)
def test_hsts_is_not_asked_of_a_page_that_browsers_would_not_heed_it_of(
    facts: SecurityFacts,
) -> None:
    assert list(hsts.flaws(facts)) == []
    assert headers.judgements(facts)[0].verdict == "not needed"


def test_a_page_over_http_is_not_asked_for_what_needs_a_secure_context() -> None:
    facts = site(
        "http://www.example.org/", permissions_policy=None, cross_origin_opener_policy=None
    )

    assert rules(facts) == []


@pytest.mark.parametrize(
    ("content", "found"),
    [
        ("strict-origin", []),
        ("never", []),
        ("always", ["referrer-policy-unsafe"]),
        ("", ["referrer-policy-missing"]),
    ],
)
def test_a_referrer_policy_in_the_page_counts(content: str, found: list[str]) -> None:
    metas = (Meta(kind="name", name="referrer", content=content),)

    assert rules(site(document=document(metas=metas), referrer_policy=None)) == found


def test_the_policy_of_the_page_overrides_that_of_the_header() -> None:
    metas = (Meta(kind="name", name="referrer", content="unsafe-url"),)

    assert rules(site(document=document(metas=metas))) == ["referrer-policy-unsafe"]


def test_every_header_has_one_line_whether_it_is_sent_or_not() -> None:
    good = headers.judgements(site())
    bare = headers.judgements(SecurityFacts(page=site().page, document=document()))

    assert [one.name for one in good] == [
        "Strict-Transport-Security",
        "Content-Security-Policy",
        "X-Frame-Options",
        "X-Content-Type-Options",
        "Referrer-Policy",
        "Permissions-Policy",
        "Cross-Origin-Opener-Policy",
        "Cross-Origin-Embedder-Policy",
        "Cross-Origin-Resource-Policy",
    ]
    assert [one.name for one in bare] == [one.name for one in good]
    assert [one.verdict for one in good] == [
        *("good", "good", "not needed", "good", "good", "good", "good", "not needed", "good")
    ]
    assert all(one.note for one in good if one.verdict == "not needed")


def test_a_header_that_was_not_sent_is_missing_and_one_that_is_wrong_is_weak() -> None:
    facts = site(
        content_security_policy="script-src 'unsafe-inline'",
        strict_transport_security="max-age=0",
        referrer_policy=None,
        x_content_type_options=None,
    )
    verdicts = {one.name: one.verdict for one in headers.judgements(facts)}

    assert verdicts["Strict-Transport-Security"] == "weak"
    assert verdicts["Content-Security-Policy"] == "weak"
    assert verdicts["X-Frame-Options"] == "missing"
    assert verdicts["Referrer-Policy"] == "missing"


def test_what_is_sent_is_shown_short_and_on_one_line() -> None:
    facts = site(referrer_policy="x\n" * 1000)
    [flaw] = every(facts)
    line = headers.judgements(facts)[4]

    assert len(flaw.evidence) <= 300 and "\n" not in flaw.evidence
    assert len(line.value) <= 300 and "\n" not in line.value
    assert flaw.url == PAGE


@pytest.mark.parametrize(
    "value",
    [
        "a=(" + "self " * 5000 + "!",
        "a;" * 20_000,
        "max-age" + " " * 20_000 + "=",
        "(" * 20_000,
        'camera=("' + "x" * 20_000,
    ],
)
def test_a_hostile_value_is_read_in_time(value: str) -> None:
    names = (HSTS, REFERRER, PERMISSIONS, OPENER, RESOURCE, "content_security_policy")

    assert len(every(site(sent=dict.fromkeys(names, value)))) > len(names) - 2
