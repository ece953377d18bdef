"""Remedies in the syntax of what the site is built with."""

import ast
import json
import subprocess
from collections.abc import Sequence
from xml.etree import ElementTree as ET

import pytest

from mergegate.core.severity import Severity
from mergegate.sandbox.process.node import node
from mergegate.site.facts.stack import Stack, Technology
from mergegate.site.security.checks.flaw import RULES
from mergegate.site.security.patches import (
    SYNTAXES,
    Cookie,
    Syntax,
    localised,
    needs_policy,
    together,
)
from mergegate.site.security.report import Area, Flaw, Patch
from mergegate.site.stack.rule import rules

POLICY = "default-src 'self'; img-src 'self' data:; upgrade-insecure-requests"
HEADERS = {
    "Strict-Transport-Security": "max-age=63072000; includeSubDomains",
    "Content-Security-Policy": POLICY,
    "X-Frame-Options": "SAMEORIGIN",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "strict-origin-when-cross-origin",
    "Permissions-Policy": "camera=(), geolocation=()",
    "Cross-Origin-Opener-Policy": "same-origin",
}
COOKIE = "Set-Cookie: sid=…; Path=/; Secure; HttpOnly; SameSite=Lax"


def flaw(rule: str = "framing-missing", *codes: str, area: Area = Area.HEADERS) -> Flaw:
    return Flaw(
        id=rule,
        area=area,
        rule=rule,
        severity=Severity.HIGH,
        title="",
        message="",
        url="https://example.org/",
        patches=tuple(Patch(product="HTTP", code=code, language="http") for code in codes),
    )


def stack(*names: str, confidence: int = 100) -> Stack:
    return Stack(tuple(Technology(name, confidence=confidence) for name in names))


def products(of: Sequence[Patch]) -> list[str]:
    return [one.product for one in of]


def code(product: str, *flaws: Flaw) -> str:
    """What one product gets for all of them."""
    names = next(one.technologies for one in SYNTAXES if one.product == product)
    [*_, patch] = [one for one in together(flaws, stack(*names)) if one.product == product]
    return patch.code


ALL = [flaw(name, f"{name}: {value}") for name, value in HEADERS.items()]


PRODUCTS = [one.product for one in SYNTAXES]
BY_NAME = [one for one in PRODUCTS if one != "Django"]
"""Django has settings of its own for most of them; see below."""


@pytest.mark.parametrize("product", BY_NAME)
def test_every_product_sends_every_header(product: str) -> None:
    written = code(product, *ALL)
    for name, value in HEADERS.items():
        assert name.lower() in written.lower()
        assert value.replace("'", "&apos;") in written or value in written


@pytest.mark.parametrize("syntax", SYNTAXES, ids=PRODUCTS)
def test_every_product_is_one_that_the_rules_recognise(syntax: Syntax) -> None:
    assert set(syntax.technologies) <= rules().keys()


def test_what_is_nearer_to_the_code_comes_first_and_the_bare_header_last() -> None:
    [one] = localised([flaw("f", "X-Frame-Options: DENY")], stack("nginx", "PHP", "Express"))
    assert products(one.patches) == ["Express", "nginx", "HTTP"]


def test_nobody_is_left_without_the_bare_header() -> None:
    before = flaw("f", "X-Frame-Options: DENY")
    assert localised([before], Stack()) == (before,)
    assert localised([before], stack("React")) == (before,)


def test_a_guess_is_not_written_for() -> None:
    before = flaw("f", "X-Frame-Options: DENY")
    assert localised([before], stack("nginx", confidence=40)) == (before,)


@pytest.mark.parametrize(
    "value",
    ['a"; } evil', "a$b", "a\\b", "a`b`", "a%b", "a#b", "a{b}", "a<b>", "a\nb", "a\u2028b"],
)
def test_what_a_site_sent_never_gets_out_of_its_quotes(value: str) -> None:
    before = flaw("csp-object-src-open", f"Content-Security-Policy: {value}")
    assert localised([before], stack("nginx", "Express")) == (before,)
    assert products(together([before], stack("nginx"))) == ["HTTP"]


@pytest.mark.parametrize("name", ["a b", 'a"b', "$a", "", "ä"])
def test_a_cookie_whose_name_means_something_stays_a_header(name: str) -> None:
    before = flaw("cookie-without-secure", f"Set-Cookie: {name}=…; Secure", area=Area.COOKIES)
    assert localised([before], stack("nginx", "PHP")) == (before,)


COOKIES = {
    "nginx": "proxy_cookie_flags sid secure httponly samesite=lax;",
    "Apache": (
        'Header onsuccess edit Set-Cookie "^(sid=.*)$" "$1; Secure; HttpOnly; SameSite=Lax"\n'
        'Header always edit Set-Cookie "^(sid=.*)$" "$1; Secure; HttpOnly; SameSite=Lax"'
    ),
    "IIS": '<httpCookies requireSSL="true" httpOnlyCookies="true" sameSite="Lax" />',
    "Next.js": '(await cookies()).set("sid", value, { secure: true, httpOnly: true, sameSite: ',
    "Express": 'session({ name: "sid", cookie: { secure: true, httpOnly: true, sameSite: "lax" }',
    "Django": "SESSION_COOKIE_SECURE = True\nSESSION_COOKIE_HTTPONLY = True",
    "Ruby on Rails": 'key: "sid", secure: true, httponly: true, same_site: :lax',
    "Laravel": "'secure' => true,\n'http_only' => true,\n'same_site' => 'lax',",
    "Spring": "server.servlet.session.cookie.same-site=lax",
    "PHP": "session.cookie_secure = 1\nsession.cookie_httponly = 1",
}


@pytest.mark.parametrize("product", COOKIES)
def test_a_cookie_is_set_where_the_product_sets_it(product: str) -> None:
    names = next(one.technologies for one in SYNTAXES if one.product == product)
    before = flaw("session-cookie-without-httponly", COOKIE, area=Area.COOKIES)
    [one] = localised([before], stack(*names))
    assert products(one.patches) == [product, "HTTP"]
    assert COOKIES[product] in one.patches[0].code


OTHER_COOKIES = {
    "nginx": "proxy_cookie_flags theme secure samesite=lax;",
    "Express": 'res.cookie("theme", value, { secure: true, httpOnly: false, sameSite: "lax" });',
    "Django": 'response.set_cookie("theme", value, secure=True, httponly=False, samesite="Lax")',
    "Ruby on Rails": 'cookies["theme"] = { value: value, secure: true, httponly: false, ',
    "Laravel": 'cookie("theme", $value, secure: true, httpOnly: false, sameSite: ',
    "Spring": 'ResponseCookie.from("theme", value).secure(true).httpOnly(false).sameSite("Lax")',
    "PHP": "setcookie(\"theme\", $value, ['secure' => true, 'httponly' => false, ",
}


@pytest.mark.parametrize("product", OTHER_COOKIES)
def test_what_is_no_session_is_not_set_by_the_settings_of_sessions(product: str) -> None:
    names = next(one.technologies for one in SYNTAXES if one.product == product)
    asked = "Set-Cookie: theme=…; Path=/; Secure; SameSite=Lax"
    [one] = localised([flaw("cookie-without-secure", asked, area=Area.COOKIES)], stack(*names))
    assert OTHER_COOKIES[product] in one.patches[0].code
    assert "session" not in one.patches[0].code.lower()


def test_djangos_own_settings_are_used_where_there_are_any() -> None:
    written = code("Django", *ALL)
    settings, _, middleware = written.partition("# a middleware")
    found = {
        node.targets[0].id: ast.literal_eval(node.value)  # type: ignore[attr-defined]
        for node in ast.parse(settings).body
        if isinstance(node, ast.Assign)
    }
    assert found["SECURE_HSTS_SECONDS"] == 63072000
    assert found["SECURE_HSTS_INCLUDE_SUBDOMAINS"] is True
    assert found["X_FRAME_OPTIONS"] == "SAMEORIGIN"
    assert found["SECURE_CSP"] == {
        "default-src": ["'self'"],
        "img-src": ["'self'", "data:"],
        "upgrade-insecure-requests": True,
    }
    assert ast.parse(f"# a middleware{middleware}")
    assert 'response["Permissions-Policy"]' in middleware


@pytest.mark.parametrize("product", ["Next.js", "Nuxt", "Express", "Amazon CloudFront"])
def test_javascript_parses(product: str) -> None:
    source = code(product, *ALL).replace("export default ", "const config = ")
    script = "new Function(require('fs').readFileSync(0, 'utf8'))"
    subprocess.run([node(), "-e", script], input=source.encode(), check=True, timeout=30)


def test_json_and_xml_parse() -> None:
    sent = json.loads(code("Vercel", *ALL))["headers"][0]["headers"]
    assert {one["key"]: one["value"] for one in sent} == HEADERS
    added = ET.fromstring(code("IIS", *ALL)).iter("add")
    assert {one.get("name"): one.get("value") for one in added} == HEADERS


def test_the_policy_made_for_the_page_takes_the_place_of_any_other() -> None:
    before = [
        flaw("csp-missing", "Content-Security-Policy: default-src 'none'"),
        flaw("csp-unsafe-inline"),
    ]
    for one in localised(before, stack("nginx"), policy=POLICY):
        assert f'add_header Content-Security-Policy "{POLICY}" always;' in one.patches[0].code
        assert one.patches[-1].code == f"Content-Security-Policy: {POLICY}"


def test_a_policy_that_only_lacks_something_is_mended_and_not_replaced() -> None:
    before = flaw("csp-base-uri-open", "Content-Security-Policy: img-src *; base-uri 'self'")
    assert localised([before], Stack(), policy=POLICY) == (before,)
    assert not needs_policy([before])
    assert needs_policy([before, flaw("csp-unsafe-eval")])


def test_a_policy_with_nonces_is_no_line_of_a_configuration() -> None:
    [one] = localised([flaw("csp-missing")], stack("nginx"), policy="script-src 'nonce-{NONCE}'")
    assert products(one.patches) == ["HTTP"]


OWN = "script-src 'nonce-r4nd0mr4nd0mr4nd0mr4nd0'; base-uri 'self'"


def test_a_nonce_that_the_site_sent_once_is_handed_back_to_nobody() -> None:
    before = flaw("csp-base-uri-open", f"Content-Security-Policy: {OWN}")
    [one] = localised([before], stack("nginx"))
    [bare] = one.patches
    assert bare.code == "Content-Security-Policy: script-src 'nonce-{NONCE}'; base-uri 'self'"


def test_what_changes_with_each_answer_keeps_no_other_header_out_of_a_configuration() -> None:
    before = [
        flaw("csp-base-uri-open", f"Content-Security-Policy: {OWN}"),
        flaw("nosniff-missing", "X-Content-Type-Options: nosniff"),
    ]
    server, bare = together(localised(before, Stack()), stack("nginx"))
    assert "X-Content-Type-Options" in server.code
    assert "Content-Security-Policy" not in server.code
    assert "'nonce-{NONCE}'" in bare.code


def test_what_the_application_sends_too_does_not_arrive_twice() -> None:
    asked = flaw("nosniff-missing", "X-Content-Type-Options: nosniff")
    assert "proxy_hide_header" in code("nginx", asked)
    assert "\tdefer\n" in code("Caddy", asked)
    assert code("Apache", asked).endswith(
        "Header onsuccess unset X-Content-Type-Options\n"
        'Header always set X-Content-Type-Options "nosniff"'
    )


def test_an_element_with_its_hash_is_the_whole_remedy() -> None:
    before = flaw("sri-missing", area=Area.INTEGRITY)
    [one] = localised([before], stack("nginx"), tags={"sri-missing": "<script>"})
    assert one.patches == (Patch(product="HTML", code="<script>", language="html"),)


@pytest.mark.parametrize(
    ("rule", "product", "part"),
    [
        ("server-version", "nginx", "server_tokens off;"),
        ("server-version", "Apache", "ServerTokens Prod"),
        ("server-version", "IIS", "removeServerHeader"),
        ("powered-by", "IIS", '<remove name="X-Powered-By" />'),
        ("powered-by", "Express", "x-powered-by"),
        ("powered-by", "PHP", "expose_php = Off"),
        ("https-not-enforced", "nginx", "return 301 https://$host$request_uri;"),
        ("https-not-enforced", "Django", "SECURE_SSL_REDIRECT = True"),
        ("tls-old-version", "nginx", "ssl_protocols TLSv1.2 TLSv1.3;"),
    ],
)
def test_what_is_a_setting_is_told_as_one(rule: str, product: str, part: str) -> None:
    names = next(one.technologies for one in SYNTAXES if one.product == product)
    [one] = localised([flaw(rule, area=Area.CONTENT)], stack(*names))
    assert [product] == products(one.patches)
    assert part in one.patches[0].code


def test_a_setting_is_told_by_who_has_it_however_many_others_stand_before_it() -> None:
    before = flaw("tls-old-version", area=Area.CONTENT)
    [one] = localised([before], stack("Next.js", "Express", "Laravel", "nginx"))
    assert products(one.patches) == ["nginx"]


def test_a_cookie_is_told_by_who_sets_it_however_many_others_stand_before_it() -> None:
    before = flaw("session-cookie-without-httponly", COOKIE, area=Area.COOKIES)
    [one] = localised([before], stack("Nuxt", "Vercel", "nginx"))
    assert products(one.patches) == ["nginx", "HTTP"]


def test_a_framework_does_not_hide_its_server() -> None:
    [one] = localised([flaw("server-version", area=Area.CONTENT)], stack("Express"))
    assert one.patches == ()


@pytest.mark.parametrize("syntax", SYNTAXES, ids=PRODUCTS)
def test_every_template_is_given_all_that_it_names(syntax: Syntax) -> None:
    rules = ("server-version", "powered-by", "https-not-enforced", "tls-old-version")
    settings = localised([flaw(rule) for rule in rules], stack(*syntax.technologies))
    cookies = [
        syntax.with_cookie(Cookie(name=name, http_only=False, same_site="Lax", is_session=session))
        for name in ("sid", "csrftoken")
        for session in (True, False)
    ]

    assert all(one.code for it in settings for one in it.patches)
    assert len({bool(one) for one in cookies}) == 1


@pytest.mark.parametrize("syntax", SYNTAXES, ids=PRODUCTS)
def test_settings_are_named_by_rules_and_lines_by_headers_that_are_asked_for(
    syntax: Syntax,
) -> None:
    assert syntax.settings.keys() <= RULES.keys()
    assert syntax.lines.keys() <= {rule.header for rule in RULES.values()}
