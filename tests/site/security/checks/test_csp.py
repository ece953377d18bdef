"""Content security policies: what is sent, and exactly what is found."""

import pytest

from mergegate.core.severity import Severity
from mergegate.site.security.checks.content_policy import parse
from tests.site.security.checks.pages import (
    PAGE,
    Sent,
    document,
    every,
    policy_in_page,
    rules,
    severities,
    site,
)

REST = "object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
NONCE = "'nonce-cmFuZG9tLXJhbmRvbS1yYW4='"

TABLE: list[tuple[str, Sent, list[str]]] = [
    ("default self", f"default-src 'self'; {REST}", []),
    ("strict by nonce", f"script-src {NONCE} 'strict-dynamic'; {REST}", []),
    (
        "strict with fallbacks for old browsers",
        f"script-src {NONCE} 'strict-dynamic' https: http: 'unsafe-inline'; {REST}",
        [],
    ),
    ("inline beside a nonce", f"script-src 'unsafe-inline' {NONCE} 'self'; {REST}", []),
    ("inline beside a hash", f"script-src 'unsafe-inline' 'sha256-{'A' * 43}='; {REST}", []),
    ("inline", f"script-src 'self' 'unsafe-inline'; {REST}", ["csp-unsafe-inline"]),
    ("inline beside strict-dynamic", f"script-src 'strict-dynamic' 'unsafe-inline'; {REST}", []),
    ("inline in capitals", f"SCRIPT-SRC 'self' 'UNSAFE-INLINE'; {REST}", ["csp-unsafe-inline"]),
    (
        "inline by default",
        f"default-src 'self' 'unsafe-inline'; {REST}",
        ["csp-unsafe-inline", "csp-unsafe-inline-style"],
    ),
    (
        "inline in elements",
        f"script-src 'self'; script-src-elem 'unsafe-inline'; {REST}",
        ["csp-unsafe-inline"],
    ),
    (
        "inline in handlers",
        f"script-src 'self'; script-src-attr 'unsafe-inline'; {REST}",
        ["csp-unsafe-inline"],
    ),
    (
        "inline styles",
        f"default-src 'self'; style-src 'unsafe-inline'; {REST}",
        ["csp-unsafe-inline-style"],
    ),
    ("eval", f"script-src 'self' 'unsafe-eval'; {REST}", ["csp-unsafe-eval"]),
    ("eval of WebAssembly alone", f"script-src 'self' 'wasm-unsafe-eval'; {REST}", []),
    ("any host", f"script-src *; {REST}", ["csp-wide-script-src"]),
    ("any host of a port", f"script-src *:443; {REST}", ["csp-wide-script-src"]),
    ("any host over https", f"script-src https:; {REST}", ["csp-wide-script-src"]),
    ("any host, written out", f"script-src https://*; {REST}", ["csp-wide-script-src"]),
    ("data", f"script-src 'self' data:; {REST}", ["csp-wide-script-src"]),
    ("any host beside a nonce", f"script-src {NONCE} https:; {REST}", ["csp-wide-script-src"]),
    ("a wildcard of one's own", f"script-src *.example.org; {REST}", []),
    ("blob and own host", f"script-src 'self' blob:; {REST}", []),
    ("images from anywhere", f"default-src 'self'; img-src * data:; {REST}", []),
    ("a CDN for all", f"script-src 'self' cdn.jsdelivr.net; {REST}", ["csp-bypassable-host"]),
    (
        "a CDN for all, its package folder",
        f"script-src https://cdn.jsdelivr.net/npm/; {REST}",
        ["csp-bypassable-host"],
    ),
    ("one package of it", f"script-src https://cdn.jsdelivr.net/npm/vue@3.4.1/dist/; {REST}", []),
    ("one file of it", f"script-src https://unpkg.com/vue@3.4.1/dist/vue.js; {REST}", []),
    ("one file in no folder", f"script-src https://unpkg.com/vue; {REST}", []),
    (
        "the folder of all packages",
        f"script-src https://cdnjs.cloudflare.com/ajax/libs/; {REST}",
        ["csp-bypassable-host"],
    ),
    ("one interface of a host", f"script-src https://www.google.com/recaptcha/; {REST}", []),
    ("it beside strict-dynamic", f"script-src {NONCE} 'strict-dynamic' unpkg.com; {REST}", []),
    ("a bucket of all", f"script-src 'self' *.cloudfront.net; {REST}", ["csp-bypassable-host"]),
    ("a bucket of one's own", f"script-src 'self' d111111abcdef8.cloudfront.net; {REST}", []),
    ("short nonce", f"script-src 'nonce-1234'; {REST}", ["csp-short-nonce"]),
    ("no word on scripts", REST, ["csp-without-script-src"]),
    (
        "upgrades alone",
        "upgrade-insecure-requests",
        [
            *("csp-base-uri-open", "csp-form-action-open", "csp-object-src-open"),
            *("csp-without-script-src", "framing-missing"),
        ],
    ),
    (
        "objects by default",
        "default-src 'self'; base-uri 'self'; form-action 'self'; frame-ancestors 'self'",
        [],
    ),
    (
        "no word on objects",
        "script-src 'self'; base-uri 'self'; form-action 'self'; frame-ancestors 'self'",
        ["csp-object-src-open"],
    ),
    (
        "base, forms and ancestors have no default",
        "default-src 'none'",
        ["csp-base-uri-open", "csp-form-action-open", "framing-missing"],
    ),
    (
        "over http",
        f"default-src 'self'; img-src http://i.example.org; {REST}",
        ["csp-insecure-source"],
    ),
    ("self without quotes", f"script-src self; {REST}", ["csp-ignored-source"]),
    ("a host called so", f"script-src self.example.org; {REST}", []),
    ("none and more", f"script-src 'none' 'self'; {REST}", ["csp-ignored-source"]),
    ("misspelt", f"default-src 'self'; script-scr 'self'; {REST}", ["csp-unknown-directive"]),
    (
        "a lost semicolon",
        f"default-src 'self'; https://x.example.org; {REST}",
        ["csp-unknown-directive"],
    ),
    ("old but known", f"default-src 'self'; block-all-mixed-content; {REST}", []),
    (
        "twice, the first one counts",
        f"script-src 'self'; script-src 'unsafe-inline'; {REST}",
        ["csp-repeated-directive"],
    ),
    (
        "two policies, one of them strict",
        (f"script-src * 'unsafe-inline'; {REST}", "script-src 'self'"),
        [],
    ),
    ("two policies in one header", f"script-src *; {REST}, script-src 'self'", []),
    (
        "two policies, both open",
        (f"script-src 'unsafe-inline'; {REST}", "script-src 'self' 'unsafe-inline'"),
        ["csp-unsafe-inline"],
    ),
    (
        "one for scripts, one for the rest",
        ("script-src 'self'", REST),
        [],
    ),
    ("a sandbox without scripts", f"sandbox allow-forms; {REST}", []),
    (
        "a sandbox with scripts",
        f"sandbox allow-forms Allow-Scripts; {REST}",
        ["csp-without-script-src"],
    ),
    (
        "a nonce that was never filled in",
        f"script-src 'self' 'unsafe-inline' 'nonce-{{{{nonce}}}}'; {REST}",
        ["csp-ignored-source", "csp-unsafe-inline"],
    ),
    ("a misspelt keyword", f"script-src 'self' 'unsafe-inlin'; {REST}", ["csp-ignored-source"]),
    (
        "every keyword there is",
        f"script-src {NONCE} 'report-sample' 'unsafe-hashes' 'wasm-unsafe-eval'; {REST}",
        [],
    ),
    ("trusted types", f"script-src 'self'; require-trusted-types-for 'script'; {REST}", []),
    (
        "curly quotes",
        f"script-src \u2018self\u2019; {REST}",
        ["csp-ignored-source", "csp-without-script-src"],
    ),
    (
        "strict-dynamic is nothing to objects",
        f"default-src {NONCE} 'strict-dynamic' *; {REST.partition('; ')[2]}",
        ["csp-object-src-open"],
    ),
    (
        "strict-dynamic is nothing to styles",
        f"default-src 'strict-dynamic' 'unsafe-inline'; {REST}",
        ["csp-unsafe-inline-style"],
    ),
    ("empty", " ; ", ["csp-missing", "framing-missing"]),
    ("missing", None, ["csp-missing", "framing-missing"]),
    ("nothing allowed", f"script-src; {REST}", []),
]


@pytest.mark.parametrize(
    ("value", "found"), [row[1:] for row in TABLE], ids=[row[0] for row in TABLE]
)
def test_a_policy_is_judged_by_what_browsers_make_of_it(value: Sent, found: list[str]) -> None:
    assert rules(site(content_security_policy=value)) == found


def test_a_policy_that_only_reports_is_missing_and_said_to_be_there() -> None:
    facts = site(
        content_security_policy=None,
        content_security_policy_report_only="default-src 'self'",
        x_frame_options="DENY",
    )

    [flaw] = every(facts)
    assert (flaw.rule, flaw.severity) == ("csp-report-only", Severity.HIGH)
    assert flaw.evidence == "default-src 'self'"


def test_a_policy_that_only_reports_is_nothing_beside_one_that_is_enforced() -> None:
    assert rules(site(content_security_policy_report_only="script-src *")) == []


def test_a_policy_in_the_page_counts_without_what_only_a_header_can_say() -> None:
    metas = (policy_in_page(f"default-src 'self'; {REST}"),)
    facts = site(document=document(metas=metas), content_security_policy=None)

    assert rules(facts) == ["csp-ignored-in-meta", "framing-missing"]


def test_a_policy_in_the_body_does_not_count() -> None:
    metas = (policy_in_page("default-src 'self'", in_head=False),)
    facts = site(document=document(metas=metas), content_security_policy=None)

    assert rules(facts) == ["csp-missing", "framing-missing"]


def test_a_comma_in_the_page_does_not_end_a_policy() -> None:
    [policy] = parse(["default-src 'self', script-src *"], in_meta=True)

    assert policy.directives == {"default-src": ("'self',", "script-src", "*")}


def test_header_and_page_are_held_to_together() -> None:
    metas = (policy_in_page("script-src 'self'"),)
    facts = site(
        document=document(metas=metas),
        content_security_policy=f"script-src 'unsafe-inline'; {REST}",
    )

    assert rules(facts) == []


def test_frame_options_make_missing_ancestors_a_remark() -> None:
    policy = "default-src 'self'; base-uri 'none'; form-action 'self'"
    facts = site(content_security_policy=policy, x_frame_options="DENY")

    assert severities(facts) == {"csp-frame-ancestors-missing": "info"}


@pytest.mark.parametrize(
    ("option", "ancestors"), [("DENY", "'none'"), ("SAMEORIGIN", "'self'"), (None, "'self'")]
)
def test_the_patch_lets_nobody_in_whom_frame_options_keep_out(option: Sent, ancestors: str) -> None:
    policy = "script-src 'self'; base-uri 'none'; form-action 'self'"
    flaws = every(site(content_security_policy=policy, x_frame_options=option))
    patches = {patch.code for flaw in flaws if "csp" in flaw.rule for patch in flaw.patches}

    assert patches == {
        f"Content-Security-Policy: {policy}; object-src 'none'; frame-ancestors {ancestors}"
    }


def test_there_is_no_patch_where_a_list_has_to_be_thought_over() -> None:
    policy = f"script-src 'self'; object-src *; base-uri 'none'; {REST.split('; ', 2)[2]}"
    [flaw] = every(site(content_security_policy=policy))

    assert (flaw.rule, flaw.patches) == ("csp-object-src-open", ())


def test_an_open_base_is_worse_where_scripts_are_trusted_by_nonce() -> None:
    tail = "object-src 'none'; form-action 'self'; frame-ancestors 'none'"
    by_nonce = site(content_security_policy=f"script-src {NONCE}; {tail}")
    by_host = site(content_security_policy=f"script-src 'self'; {tail}")
    by_hash = site(content_security_policy=f"script-src 'sha256-{'A' * 43}='; {tail}")

    assert severities(by_nonce) == {"csp-base-uri-open": "medium"}
    assert severities(by_host) == severities(by_hash) == {"csp-base-uri-open": "low"}


def test_severities_follow_the_table() -> None:
    facts = site(content_security_policy=f"script-src 'unsafe-inline' 'unsafe-eval' *; {REST}")

    assert severities(facts) == {
        "csp-unsafe-inline": "high",
        "csp-wide-script-src": "high",
        "csp-unsafe-eval": "medium",
    }


def test_the_patch_is_the_policy_with_its_gaps_closed() -> None:
    facts = site(content_security_policy="script-src 'self'; form-action 'self';")
    flaws = [flaw for flaw in every(facts) if flaw.rule.startswith("csp")]
    codes = {patch.code for flaw in flaws for patch in flaw.patches}

    [code] = codes
    assert code == (
        "Content-Security-Policy: script-src 'self'; form-action 'self'; object-src 'none'; "
        "base-uri 'self'; frame-ancestors 'self'"
    )
    assert rules(site(content_security_policy=code.split(": ", 1)[1])) == []


def test_what_a_missing_policy_is_mended_with_has_no_flaw() -> None:
    facts = site(content_security_policy=None, x_frame_options="DENY")
    [patch] = every(facts)[0].patches

    assert rules(site(content_security_policy=patch.code.split(": ", 1)[1])) == []


def test_a_huge_policy_is_read_in_bounds() -> None:
    facts = site(content_security_policy="script-src " + "a.example.org " * 100_000)
    flaws = every(facts)

    assert flaws[0].url == PAGE
    assert all(len(flaw.evidence) <= 300 and flaw.patches == () for flaw in flaws[:1])
