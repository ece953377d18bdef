"""The findings of an imagined web shop, one or more of every kind."""

import hashlib
from dataclasses import replace

from mergegate.core.finding import Advisory, Edit, Finding, Place
from mergegate.core.report import Fix
from mergegate.core.severity import Category, Confidence, Kind, Severity

_CWE = "https://cwe.mitre.org/data/definitions"
_OWASP = "https://cheatsheetseries.owasp.org/cheatsheets"


def identified(finding: Finding) -> Finding:
    """``finding`` with an id."""
    evidence = finding.evidence or finding.snippet or finding.message
    parts = f"{finding.rule_id} {finding.place} {evidence}".encode("utf-8", "backslashreplace")
    return replace(finding, id=hashlib.sha256(parts).hexdigest()[:20])


SQL = identified(
    Finding(
        rule_id="python-sql-injection",
        title="SQL built from a request parameter",
        message=(
            "The query is put together from `request.args`, so a visitor can read or change any "
            "row. Pass the value as a parameter: `cursor.execute(query, (name,))`."
        ),
        severity=Severity.CRITICAL,
        category=Category.SECURITY,
        kind=Kind.CODE,
        place=Place("shop/db/orders.py", 42, 42, 5, 71),
        cwe=("CWE-89",),
        references=(f"{_CWE}/89.html", f"{_OWASP}/Query_Parameterization_Cheat_Sheet.html"),
        engine="semgrep",
        snippet='    cursor.execute("SELECT * FROM orders WHERE name = \'" + name + "\'")',
        is_new=True,
        fix_id="fix-sql",
    )
)
AWS = identified(
    Finding(
        rule_id="aws-access-key",
        title="AWS access key in the source",
        message=(
            "Anyone who can read the repository can use this key. Revoke it in the AWS console "
            "now, then load its successor from the environment or a secret store."
        ),
        severity=Severity.CRITICAL,
        category=Category.SECURITY,
        kind=Kind.SECRET,
        place=Place("deploy/settings.py", 8, 8, 15, 35),
        cwe=("CWE-798",),
        references=(f"{_CWE}/798.html",),
        engine="detect-secrets",
        evidence="sha256:5b1d",
        snippet='AWS_KEY_ID = "AKIA****************"',
        is_new=True,
    )
)
PICKLE = identified(
    Finding(
        rule_id="python-unsafe-pickle",
        title="Unpickling data from the network",
        message=(
            "`pickle.loads` runs code that the sender chooses. Use JSON, or sign the data and "
            "check the signature first."
        ),
        severity=Severity.HIGH,
        category=Category.SECURITY,
        kind=Kind.CODE,
        place=Place("shop/cart/session.py", 27, 29, 12, 6),
        cwe=("CWE-502",),
        references=(f"{_CWE}/502.html",),
        engine="semgrep",
        snippet="    cart = pickle.loads(\n        b64decode(request.cookies['cart'])\n    )",
        is_new=False,
    )
)
MD5 = identified(
    Finding(
        rule_id="python-weak-password-hash",
        title="Password hashed with MD5",
        message=(
            "MD5 is fast to guess: a leaked table of passwords is open within hours. Use "
            "`hashlib.scrypt` or argon2."
        ),
        severity=Severity.HIGH,
        category=Category.SECURITY,
        kind=Kind.CODE,
        place=Place("shop/accounts/passwords.py", 14, 14, 12, 54),
        confidence=Confidence.MEDIUM,
        cwe=("CWE-916", "CWE-327"),
        references=(f"{_OWASP}/Password_Storage_Cheat_Sheet.html",),
        engine="semgrep",
        snippet="    return hashlib.md5(password.encode()).hexdigest()",
        is_new=False,
    )
)
BUCKET = identified(
    Finding(
        rule_id="terraform-public-bucket",
        title="Storage bucket is readable by everyone",
        message=(
            '`acl = "public-read"` lets anyone list and read the bucket. Set the ACL to '
            "`private` and publish single files through the CDN."
        ),
        severity=Severity.MEDIUM,
        category=Category.IAC,
        kind=Kind.IAC,
        place=Place("infra/storage.tf", 11, 11),
        cwe=("CWE-732",),
        references=(f"{_CWE}/732.html",),
        engine="iac",
        snippet='  acl    = "public-read"',
        is_new=True,
        fix_id="fix-bucket",
    )
)
YAML = identified(
    Finding(
        rule_id="python-unsafe-yaml",
        title="YAML loaded with a loader that builds objects",
        message="`yaml.load` without SafeLoader can run code. Use `yaml.safe_load`.",
        severity=Severity.MEDIUM,
        category=Category.SECURITY,
        kind=Kind.CODE,
        place=Place("shop/settings/load.py", 19, 19, 16, 37),
        cwe=("CWE-502",),
        references=(f"{_CWE}/502.html",),
        engine="semgrep",
        snippet="    settings = yaml.load(text)",
        is_new=False,
        fix_id="fix-yaml",
    )
)
ROOT_USER = identified(
    Finding(
        rule_id="dockerfile-root-user",
        title="Container runs as root",
        message=(
            "The image sets no user, so a flaw in the shop owns the whole container. Add "
            "`USER app` after the last installation step."
        ),
        severity=Severity.MEDIUM,
        category=Category.IAC,
        kind=Kind.IAC,
        place=Place("Dockerfile"),
        cwe=("CWE-250",),
        engine="iac",
        is_new=False,
    )
)
COMPLEX = identified(
    Finding(
        rule_id="function-too-complex",
        title="Function has 34 branches",
        message=(
            "`price_of_cart` decides 34 things; past 25 few tests reach every path. Split the "
            "discounts off into functions of their own."
        ),
        severity=Severity.MEDIUM,
        category=Category.QUALITY,
        kind=Kind.QUALITY,
        place=Place("shop/cart/price.py", 61, 188),
        engine="lizard",
        snippet="def price_of_cart(cart, customer, day, region, vouchers):\n"
        + "\n".join(f"    # … step {n}" for n in range(1, 20)),
        is_new=False,
    )
)
CONFLICT = identified(
    Finding(
        rule_id="merge-conflict-marker",
        title="Conflict marker left in the file",
        message="The file does not parse. Resolve the conflict and remove the three markers.",
        severity=Severity.MEDIUM,
        category=Category.QUALITY,
        kind=Kind.QUALITY,
        place=Place("shop/legacy/parser.py", 88, 88),
        snippet="<<<<<<< HEAD",
        is_new=True,
    )
)
LOW = tuple(
    identified(
        Finding(
            rule_id="long-function",
            title=f"Function is {lines} lines long",
            message=f"`{name}` fills more than a screen. Move its parts into named functions.",
            severity=Severity.LOW,
            category=Category.QUALITY,
            kind=Kind.QUALITY,
            place=Place(path, start, start + lines - 1),
            engine="lizard",
            is_new=False,
        )
    )
    for name, path, start, lines in (
        ("checkout", "shop/checkout/views.py", 30, 142),
        ("import_catalogue", "shop/catalogue/load.py", 12, 127),
        ("render_invoice", "shop/invoices/pdf.py", 55, 119),
    )
)
NOTES = tuple(
    identified(
        Finding(
            rule_id=rule,
            title=title,
            message=message,
            severity=Severity.INFO,
            category=Category.SECURITY,
            kind=kind,
            place=Place(path, line, line),
            confidence=Confidence.LOW,
            engine=engine,
            snippet=snippet,
            is_new=False,
        )
    )
    for rule, title, message, kind, path, line, engine, snippet in (
        (
            "python-sql-injection",
            "SQL built from a variable in a test",
            "The query is put together from a variable. Pass the value as a parameter.",
            Kind.CODE,
            "tests/test_orders.py",
            17,
            "semgrep",
            '    db.execute("DELETE FROM orders WHERE id = %d" % order_id)',
        ),
        (
            "python-sql-injection",
            "SQL built from a variable in a test",
            "The query is put together from a variable. Pass the value as a parameter.",
            Kind.CODE,
            "tests/test_orders.py",
            52,
            "semgrep",
            '    db.execute("SELECT * FROM orders WHERE id = %d" % order_id)',
        ),
        (
            "password-in-url",
            "Password in a connection string of a test",
            "The string holds a password. Use a placeholder when the account is real.",
            Kind.SECRET,
            "tests/conftest.py",
            9,
            "detect-secrets",
            'URL = "postgresql://shop:****@db.example.org/shop"',
        ),
    )
)
UNPINNED = identified(
    Finding(
        rule_id="unpinned-action",
        title="Action is not pinned to a commit",
        message=(
            "The tag `v4` of `actions/setup-python` can be moved to other code. Pin the full "
            "commit hash and note the tag in a comment."
        ),
        severity=Severity.LOW,
        category=Category.SECURITY,
        kind=Kind.RISK,
        place=Place(".github/workflows/test.yml", 14, 14, 9, 38),
        cwe=("CWE-829",),
        engine="zizmor",
        snippet="      - uses: actions/setup-python@v4",
        is_new=False,
    )
)
NO_LOCK = identified(
    Finding(
        rule_id="missing-lock-file",
        title="Manifest without a lock file",
        message=(
            "`admin/package.json` has no lock file, so each installation may get other code. "
            "Run `npm install --package-lock-only` and commit the result."
        ),
        severity=Severity.LOW,
        category=Category.DEPENDENCY,
        kind=Kind.RISK,
        place=Place("admin/package.json"),
        is_new=True,
    )
)
BINARIES = identified(
    Finding(
        rule_id="committed-archive",
        title="Archives in the repository",
        message="2 archives cannot be reviewed. Keep them in a release or an artifact store.",
        severity=Severity.INFO,
        category=Category.SECURITY,
        kind=Kind.RISK,
        is_new=False,
    )
)


def _vulnerable(
    package: str,
    installed: str,
    repaired: str,
    advisory: str,
    title: str,
    severity: Severity,
    line: int,
    *,
    path: str = "requirements.txt",
    ecosystem: str = "PyPI",
    via: tuple[str, ...] = (),
    cvss: float | None = None,
    is_new: bool = False,
) -> Finding:
    update = f"Update to {repaired}." if repaired else "No repaired version is published yet."
    return identified(
        Finding(
            rule_id="vulnerable-dependency",
            title=f"{package} {installed}: {title}",
            message=f"{package} {installed} is affected by {advisory}: {title}. {update}",
            severity=severity,
            category=Category.DEPENDENCY,
            kind=Kind.DEPENDENCY,
            place=Place(path, line, line),
            evidence=f"{package} {advisory}",
            references=(f"https://osv.dev/vulnerability/{advisory}",),
            engine="advisories",
            snippet=f"{package}=={installed}",
            is_new=is_new,
            fix_id="fix-jinja2" if package == "jinja2" else None,
            advisory=Advisory(
                package=package,
                ecosystem=ecosystem,
                installed_version=installed,
                fixed_versions=(repaired,) if repaired else (),
                advisory_id=advisory,
                aliases=("CVE-2024-0001",),
                cvss=cvss,
                direct=not via,
                path=via or (package,),
            ),
        )
    )


VULNERABILITIES = (
    _vulnerable(
        "pillow", "9.0.0", "10.3.0", "GHSA-0001-shop-aaaa", "heap overflow in a decoder",
        Severity.HIGH, 4, cvss=8.1, is_new=True,
    ),
    _vulnerable(
        "urllib3", "1.26.4", "1.26.19", "GHSA-0002-shop-bbbb", "proxy header kept on redirect",
        Severity.MEDIUM, 9, via=("requests", "urllib3"), cvss=4.4,
    ),
    _vulnerable(
        "jinja2", "3.1.2", "3.1.6", "GHSA-0003-shop-cccc", "sandbox breakout",
        Severity.MEDIUM, 3, cvss=5.4,
    ),
    _vulnerable(
        "lodash", "4.17.15", "4.17.21", "GHSA-0004-shop-dddd", "prototype pollution",
        Severity.MEDIUM, 210, path="web/package-lock.json", ecosystem="npm",
        via=("webpack", "lodash"), cvss=7.4,
    ),
    _vulnerable(
        "oldlib", "0.3.0", "", "GHSA-0005-shop-eeee", "slow regular expression",
        Severity.LOW, 7, cvss=3.1,
    ),
)  # fmt: skip
ISSUES = (SQL, AWS, PICKLE, MD5, BUCKET, YAML, ROOT_USER, COMPLEX, CONFLICT, *LOW, *NOTES)
RISKS = (UNPINNED, NO_LOCK, BINARIES)
FIXED = (
    identified(
        Finding(
            rule_id="python-debug-server",
            title="Debug server reachable from outside",
            message="`app.run(debug=True)` gives visitors a Python prompt. Remove the flag.",
            severity=Severity.HIGH,
            category=Category.SECURITY,
            kind=Kind.CODE,
            place=Place("shop/__main__.py", 6, 6),
            engine="semgrep",
            snippet="app.run(debug=True)",
        )
    ),
)
FIXES = (
    Fix(
        id="fix-sql",
        finding_ids=(SQL.id,),
        title="Pass the value as a parameter",
        explanation="The driver then quotes it.",
        edits=(
            Edit(
                "shop/db/orders.py",
                42,
                42,
                '    cursor.execute("SELECT * FROM orders WHERE name = %s", (name,))',
            ),
        ),
        source="rule",
        verified=("applies", "parses", "finding gone", "nothing new"),
    ),
    Fix(
        id="fix-bucket",
        finding_ids=(BUCKET.id,),
        title="Make the bucket private",
        explanation="",
        edits=(Edit("infra/storage.tf", 11, 11, '  acl    = "private"'),),
        source="rule",
        verified=("applies", "parses", "finding gone", "nothing new"),
    ),
    Fix(
        id="fix-yaml",
        finding_ids=(YAML.id,),
        title="Use the safe loader",
        explanation="",
        edits=(Edit("shop/settings/load.py", 19, 19, "    settings = yaml.safe_load(text)"),),
        source="rule",
        verified=("applies", "parses", "finding gone", "nothing new"),
    ),
    Fix(
        id="fix-jinja2",
        finding_ids=(VULNERABILITIES[2].id,),
        title="Update jinja2 to 3.1.6",
        explanation="3.1.6 is the lowest version without a known advisory.",
        edits=(Edit("requirements.txt", 3, 3, "jinja2==3.1.6"),),
        source="advisory",
        verified=("applies", "parses", "finding gone"),
    ),
)
