"""What to do about a site's security, and what is said of it."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from mergegate.core.severity import Severity
from mergegate.site.facts.stack import Stack, Technology
from mergegate.site.security.facts import PolicyBreach, PolicyTrial, TlsFacts
from mergegate.site.security.patches import together
from mergegate.site.security.report import Advice, Area, Flaw, Patch, SecurityReport
from mergegate.site.security.summary import advice, summarise

PATCH = Patch(product="HTTP", code="X: y", language="http")
ALL = Patch(product="nginx", code="everything")
PROVED = PolicyTrial(policy="default-src 'self'", proved=True)
UNTRIED = PolicyTrial(policy="default-src 'self'", failure="It was not tried.")
BROKEN = PolicyTrial(
    policy="default-src 'self'",
    breaches=(PolicyBreach(directive="script-src-attr", blocked="inline"),),
)
REPORT = SecurityReport(id="sec_1", url="https://example.org/", final_url="", score=100, grade="A+")


def flaw(id: str, severity: Severity, area: Area = Area.HEADERS, rule: str = "") -> Flaw:
    patches = (PATCH,) if area is Area.HEADERS else ()
    return Flaw(
        id=id,
        area=area,
        rule=rule or id,
        severity=severity,
        title=f"Title of {rule or id}",
        message="",
        url="https://example.org/",
        remedy="Do this.",
        patches=patches,
    )


def advised(flaws: Sequence[Flaw], trial: PolicyTrial | None = None) -> tuple[Advice, ...]:
    return advice(flaws, trial, len, lambda _: (ALL,))


def test_headers_are_one_step_and_every_other_rule_is_one() -> None:
    found = [
        flaw("secret", Severity.CRITICAL, Area.SECRETS),
        flaw("csp-missing", Severity.HIGH),
        flaw("sri-1", Severity.LOW, Area.INTEGRITY, "sri-missing"),
        flaw("nosniff", Severity.LOW),
        flaw("sri-2", Severity.LOW, Area.INTEGRITY, "sri-missing"),
    ]
    first, headers, files = advised(found)
    assert (first.title, first.flaw_ids, first.points) == ("Title of secret", ("secret",), 1)
    assert (headers.title, headers.flaw_ids) == (
        "Send the security headers",
        ("csp-missing", "nosniff"),
    )
    assert headers.patches == (ALL,)
    assert (files.title, files.flaw_ids) == ("Title of sri-missing (2 places)", ("sri-1", "sri-2"))


@pytest.mark.parametrize("technology", ["Apache HTTP Server", "PHP", "nginx"])
@pytest.mark.parametrize(
    ("policy", "lacks"), [("script-src 'nonce-{NONCE}'", True), ("script-src 'self'", False)]
)
def test_code_that_lacks_a_header_is_not_called_complete(
    technology: str, policy: str, lacks: bool
) -> None:
    """A nonce is no fixed line: only the bare headers have such a policy."""
    codes = (f"Content-Security-Policy: {policy}", "X-Content-Type-Options: nosniff")
    found = [
        replace(flaw(id, Severity.LOW), patches=(Patch(product="HTTP", code=code),))
        for id, code in zip(("csp-missing", "nosniff-missing"), codes, strict=True)
    ]
    stack = Stack((Technology(technology),))
    [step] = advice(found, None, len, lambda some: together(some, stack))

    assert len(step.patches) == 2
    assert (policy in step.patches[0].code) is not lacks
    assert ("lacks Content-Security-Policy" in step.message) is lacks


def test_a_single_header_keeps_its_own_title_and_remedy() -> None:
    [step] = advised([flaw("nosniff", Severity.LOW)])
    assert (step.title, step.message) == ("Title of nosniff", "Do this.")


def test_notes_ask_for_nothing() -> None:
    assert advised([flaw("hint", Severity.INFO)]) == ()


def test_what_one_piece_of_code_ends_is_one_step() -> None:
    """What a cookie lacks is set in one place; each flag brings a sentence."""
    code = Patch(product="Express", code="session({ … })")
    rules = {"without-httponly": "Add HttpOnly.", "without-samesite": "Add SameSite."}
    found = [
        replace(flaw(id, Severity.LOW, Area.COOKIES), patches=(code,), remedy=remedy)
        for id, remedy in rules.items()
    ]
    other = replace(found[0], id="another cookie", patches=(PATCH,))
    [step] = advised([found[0], other, found[1]])
    assert step.flaw_ids == ("without-httponly", "another cookie", "without-samesite")
    assert step.title == "Title of without-httponly (2 places)"
    assert (step.message, step.patches) == ("Add HttpOnly. Add SameSite.", (code,))


def test_all_elements_of_a_rule_are_ready_to_paste() -> None:
    found = [
        replace(flaw(id, Severity.LOW, Area.INTEGRITY, "sri-missing"), patches=patches)
        for id, patches in {
            "1": (),
            "2": (Patch(product="HTML", code="<script a>", language="html"),),
            "3": (Patch(product="HTML", code="<script b>", language="html"),),
        }.items()
    ]
    [step] = advised(found)
    code = "<script a>\n<script b>"
    assert step.patches == (Patch(product="HTML", code=code, language="html"),)


def test_a_nonce_is_said_to_be_made_for_each_answer() -> None:
    fresh = Patch(product="HTTP", code="Content-Security-Policy: script-src 'nonce-{NONCE}'")
    found = [flaw("csp-base-uri-open", Severity.LOW)]
    [step] = advice(found, None, len, lambda _: (ALL, fresh))
    assert "in the place of {NONCE} in each answer" in step.message
    assert "{NONCE}" not in advised(found)[0].message


def test_a_policy_that_is_not_proved_comes_with_a_warning() -> None:
    found = [flaw("csp-missing", Severity.HIGH)]
    assert advised(found, PROVED)[0].message == (
        "Do this. The policy is proved for this page alone; send it as "
        "Content-Security-Policy-Report-Only to all others first."
    )
    assert "1 thing would break" in advised(found, BROKEN)[0].message
    assert "Report-Only first" in advised(found, UNTRIED)[0].message
    assert advised([flaw("nosniff", Severity.LOW)], BROKEN)[0].message == "Do this."


def test_the_summary_of_a_safe_site_is_short() -> None:
    said = summarise(replace(REPORT, trial=None))
    assert said == "100 of 100, grade A+. Nothing unsafe was found in what was looked at."


def test_the_summary_names_what_cannot_wait_and_where_to_begin() -> None:
    found = (flaw("secret", Severity.CRITICAL, Area.SECRETS), flaw("csp-missing", Severity.HIGH))
    report = replace(
        REPORT,
        score=55,
        grade="C",
        flaws=found,
        advice=advised(found),
        trial=BROKEN,
        tls=TlsFacts(host="example.org", port=443, days_left=-1),
    )
    assert summarise(report) == (
        "55 of 100, grade C. Found: 1 critical and 1 high, about exposed secrets and security "
        "headers. Critical: Title of secret. Its certificate has expired. A strict content "
        "security policy is proposed; 1 thing would break under it. Start here: Title of secret."
    )


def test_the_summary_tells_what_became_of_the_policy() -> None:
    assert "kept working." in summarise(replace(REPORT, trial=PROVED))
    nonces = replace(PROVED, nonces=True)
    assert "a fresh nonce in each answer" in summarise(replace(REPORT, trial=nonces))
    assert "proposed, not proved" in summarise(replace(REPORT, trial=UNTRIED))


def test_a_certificate_that_ends_soon_is_told_of_and_no_other() -> None:
    tls = TlsFacts(host="example.org", port=443, days_left=9)
    assert "Its certificate ends in 9 days." in summarise(replace(REPORT, tls=tls))
    assert "certificate" not in summarise(replace(REPORT, tls=replace(tls, days_left=60)))
