"""Reports of a security scan: a bad one, a good one, a hostile one, one too large."""

from dataclasses import replace

from mergegate.core.report import EngineRun
from mergegate.core.severity import Confidence, Severity
from mergegate.site.security.facts import Certificate, PolicyBreach, PolicyTrial, TlsFacts
from mergegate.site.security.report import (
    Advice,
    Area,
    Flaw,
    HeaderJudgement,
    Observatory,
    ObservatoryTest,
    Patch,
    SecurityReport,
)
from tests.repo.report.samples import HOSTILE

URL = "https://shop.example.org/"
ENGINES = (
    EngineRun(name="web", version="0.1.0", duration_ms=1400),
    EngineRun(name="chromium", version="156.0.8078.79", duration_ms=2700),
    EngineRun(name="egress", reason="hosts contacted: 3"),
)
POLICY = "default-src 'self'; script-src 'self' 'nonce-{NONCE}'; object-src 'none'"
NGINX = Patch(
    product="nginx",
    code='add_header X-Frame-Options "SAMEORIGIN" always;',
    language="nginx",
)
HTTP = Patch(product="HTTP", code="X-Frame-Options: SAMEORIGIN", language="http")
SECRET = Flaw(
    id="1111111111111111",
    area=Area.SECRETS,
    rule="secret-stripe-secret-key",
    severity=Severity.CRITICAL,
    title="Stripe secret key in a script",
    message="Every visitor has it.",
    url="https://shop.example.org/app.js",
    line=12,
    evidence="key: sk_l********",
    remedy="Revoke it where it was issued.",
    cwe="CWE-798",
    owasp="A07:2025 Authentication Failures",
    reference="https://docs.example.org/secrets",
)
FRAMING = Flaw(
    id="2222222222222222",
    area=Area.HEADERS,
    rule="framing-missing",
    severity=Severity.HIGH,
    title="Any site may show the page in a frame",
    message="Nothing is sent: any site may show the page in a frame.",
    url=URL,
    remedy="Send frame-ancestors 'self'.",
    patches=(NGINX, HTTP),
    cwe="CWE-1021",
    owasp="A06:2025 Insecure Design",
    reference="https://docs.example.org/framing",
)
FORM = Flaw(
    id="3333333333333333",
    area=Area.CSRF,
    rule="csrf-token-missing",
    severity=Severity.MEDIUM,
    confidence=Confidence.MEDIUM,
    title="A form has no token against forged requests",
    message="Another site can send it in the visitor's name.",
    url=URL,
    selector="body > main > form",
    evidence='<form method="post" action="/buy"> amount',
    remedy="Put a token into the form.",
    count=3,
)
NOTE = Flaw(
    id="4444444444444444",
    area=Area.CONTENT,
    rule="powered-by",
    severity=Severity.INFO,
    title="A header tells what the site is made with",
    message="It is of no use to visitors.",
    url=URL,
)
TLS = TlsFacts(
    host="shop.example.org",
    port=443,
    protocol="TLSv1.3",
    cipher="TLS_AES_256_GCM_SHA384",
    alpn="h2",
    chain=(
        Certificate(
            subject="CN=shop.example.org",
            issuer="CN=R11,O=Authority",
            not_before="2026-10-01T00:00:00Z",
            not_after="2026-11-29T00:00:00Z",
            names=("shop.example.org",),
            key="EC secp256r1",
            signature="sha256",
        ),
    ),
    trusted=True,
    days_left=9,
    accepts=("TLSv1.1", "TLSv1.2", "TLSv1.3"),
    untested=("SSLv3",),
    weak_ciphers=("AES128-SHA",),
)
TRIAL = PolicyTrial(
    policy=POLICY,
    breaches=(
        PolicyBreach(
            directive="script-src-attr",
            blocked="inline",
            source="https://shop.example.org/:3",
            sample="buy()",
        ),
    ),
    errors=("EvalError: refused",),
    nonces=True,
)


OPINION = Observatory(
    score=35,
    grade="D",
    tests=(
        ObservatoryTest(
            "content-security-policy", "csp-implemented-with-unsafe-inline", False, -20
        ),
        ObservatoryTest("cookies", "cookies-not-found", True, 0),
        ObservatoryTest("x-frame-options", "x-frame-options-not-implemented", False, -20),
    ),
)


def bad() -> SecurityReport:
    """With one of everything."""
    return SecurityReport(
        id="sec_0123456789ab",
        url="http://shop.example.org/",
        final_url=URL,
        score=35,
        grade="D",
        flaws=(SECRET, FRAMING, FORM, NOTE),
        headers=(
            HeaderJudgement(
                name="Strict-Transport-Security", value="max-age=63072000", verdict="good"
            ),
            HeaderJudgement(
                name="Content-Security-Policy",
                value="script-src *",
                verdict="weak",
                note="The policy allows scripts from anywhere.",
            ),
            HeaderJudgement(name="X-Frame-Options", verdict="missing", note="Nothing is sent."),
            HeaderJudgement(
                name="Cross-Origin-Embedder-Policy",
                verdict="not needed",
                note="It is for pages that ask to be isolated.",
            ),
        ),
        tls=TLS,
        trial=TRIAL,
        advice=(
            Advice(
                title="Stripe secret key in a script",
                message="Revoke it where it was issued.",
                flaw_ids=(SECRET.id,),
                points=25,
            ),
            Advice(
                title="Send the security headers",
                message="All of them stand in one place of the configuration.",
                flaw_ids=(FRAMING.id,),
                points=20,
                patches=(NGINX, HTTP),
            ),
        ),
        deductions={Area.SECRETS: (30, 25), Area.HEADERS: (30, 20), Area.CSRF: (20, 20)},
        skipped=("The page is so large that not all of it was read: links.",),
        gaps=("The page is so large that not all of it was read: links.",),
        observatory=OPINION,
        libraries=(("jquery", "1.8.1"), ("lodash", "4.17.21")),
        summary="35 of 100, grade D. Found: 1 critical, 1 high and 1 medium.",
        engines=ENGINES,
        created_at="2026-11-20T09:14:02.000Z",
        completed_at="2026-11-20T09:14:06.000Z",
        tool_version="0.1.0",
    )


def good() -> SecurityReport:
    """With nothing to be said, and a policy that was proved."""
    return replace(
        bad(),
        score=100,
        grade="A+",
        flaws=(),
        headers=bad().headers[:1],
        tls=replace(TLS, days_left=60, accepts=("TLSv1.3",), untested=(), weak_ciphers=()),
        trial=PolicyTrial(policy="default-src 'self'", proved=True),
        advice=(),
        deductions={},
        skipped=(),
        gaps=(),
        observatory=Observatory(score=125, grade="A+", tests=OPINION.tests[1:2]),
        libraries=(),
        summary="100 of 100, grade A+. Nothing unsafe was found in what was looked at.",
    )


def plain() -> SecurityReport:
    """A report on a page without TLS, made without a browser."""
    trial = PolicyTrial(policy="default-src 'self'", failure="It was not tried: no browser.")
    return replace(bad(), tls=None, trial=trial, observatory=None)


def hostile() -> SecurityReport:
    """Everything that a site can choose is hostile."""
    flaw = replace(
        FORM,
        title=HOSTILE,
        message=HOSTILE,
        url=f"https://shop.example.org/{HOSTILE}",
        selector=HOSTILE,
        evidence=HOSTILE,
        remedy=HOSTILE,
        patches=(Patch(product=HOSTILE, code=HOSTILE, language=HOSTILE),),
        reference="javascript:alert(1)",
    )
    breach = PolicyBreach(directive=HOSTILE, blocked=HOSTILE, source=HOSTILE, sample=HOSTILE)
    certificate = replace(TLS.chain[0], subject=HOSTILE, issuer=HOSTILE, key=HOSTILE)
    return replace(
        bad(),
        url=f"http://shop.example.org/{HOSTILE}",
        final_url=f"https://shop.example.org/{HOSTILE}",
        flaws=(flaw, replace(flaw, id="5", severity=Severity.CRITICAL)),
        headers=(HeaderJudgement(name=HOSTILE, value=HOSTILE, verdict="weak", note=HOSTILE),),
        tls=replace(TLS, chain=(certificate,), cipher=HOSTILE, trust_error=HOSTILE, trusted=False),
        trial=PolicyTrial(policy=HOSTILE, breaches=(breach,), errors=(HOSTILE,), failure=HOSTILE),
        advice=(Advice(title=HOSTILE, message=HOSTILE, patches=flaw.patches, flaw_ids=("5",)),),
        skipped=(HOSTILE,),
        libraries=((HOSTILE, HOSTILE),),
        summary=HOSTILE,
    )


def huge() -> SecurityReport:
    """More of everything than any page has room for."""
    long = "word " * 400
    patch = Patch(product="nginx", code="add_header X y;\n" * 2000, language="nginx")
    flaws = tuple(
        replace(FRAMING, id=f"{n:016}", message=long, evidence=long, patches=(patch,) * 3)
        for n in range(1500)
    )
    breach = PolicyBreach(directive="img-src", blocked=long, sample=long)
    advice = Advice(title="Do", message=long, patches=(patch,), flaw_ids=("1",))
    return replace(
        bad(),
        flaws=flaws,
        advice=(advice,) * 20,
        trial=replace(TRIAL, policy=long, breaches=(breach,) * 500, errors=(long,) * 500),
        skipped=(long,) * 100,
        libraries=(("jquery", "1"),) * 1000,
    )
