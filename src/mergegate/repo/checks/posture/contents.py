"""What the repository carries that is not its sources, read off names and sizes."""

import re
from collections import Counter
from collections.abc import Iterator

from mergegate.core.finding import Finding, Place
from mergegate.core.severity import Aspect, Confidence, Severity
from mergegate.core.tree import Role, Tree
from mergegate.repo.checks import check
from mergegate.repo.checks.posture import RiskRule, one_for_all

LARGE_BYTES = 5 << 20

_ARCHIVE = re.compile(
    r"\.(?:zip|tar|tar\.\w+|tgz|tbz2?|txz|7z|rar|jar|war|ear|aar|whl|egg|gem|nupkg|crate|deb|rpm"
    r"|apk|ipa|dmg|iso|cab|phar|pyzw?|pex|asar|vsix|xpi|crx)$",
    re.IGNORECASE,
)
_PROGRAM = re.compile(
    r"\.(?:exe|dll|com|msi|scr|so(?:\.\d+){0,3}|dylib|a|o|obj|lib|ko|class|pyc|pyo|pyd|node|dex|wasm|beam|elc|luac|swf|ocx|scpt)$",
    re.IGNORECASE,
)
_WRAPPER = re.compile(r"(?:^|/)(?:gradle|maven)-wrapper\.jar$")
"""Start the build tool in every Gradle or Maven project; both publish the checksums."""
_BUILT = re.compile(
    r"(?:^|/)(node_modules|bower_components|site-packages|__pycache__|\.venv|venv|virtualenv|\.tox"
    r"|\.nox|\.eggs|\.gradle|\.terraform|\.next|\.nuxt|\.mypy_cache|\.pytest_cache|\.ruff_cache)/"
)
_ENVIRONMENT = r"(?:^|/)\.env(?:\.(?!example|sample|template|dist|defaults?|test|ci)\w+)?$"
_SENSITIVE = (
    (re.compile(_ENVIRONMENT), "environment variables, where passwords usually stand"),
    (re.compile(r"(?:^|/)\.htpasswd$"), "password hashes of a web server"),
    (re.compile(r"(?:^|/)id_(?:rsa|dsa|ecdsa|ed25519)$"), "a private SSH key"),
    (re.compile(r"\.tfstate(?:\.backup)?$"), "Terraform's state, with secrets in clear text"),
    (
        re.compile(r"(?:^|/)(?:\.netrc|\.pgpass|\.pypirc|\.git-credentials|\.dockercfg)$"),
        "a developer's log-ins",
    ),
    (
        re.compile(r"(?:^|/)\.(?:bash|zsh|mysql|psql|python|node_repl)_history$"),
        "what a developer typed, passwords included",
    ),
    (re.compile(r"(?:^|/)(?:\w*private\w*|privkey\d*)\.(?:pem|key)$"), "a private key"),
)
_SAMPLE = re.compile(r"(?:^|[._-])(?:example|sample|template|dist)(?:[._-]|$)")
"""Names that say of themselves that no real value belongs there."""
_ESCAPED = re.compile(r"\\x[0-9a-f]{2}|\\[nrt]|\\u[0-9a-f]{4}|\\U[0-9a-f]{8}")
_LICENCE = re.compile(r"(?:licen[cs]es?|copying|unlicense)\b[^/]*$|licenses/", re.IGNORECASE)
_SECURITY_POLICY = re.compile(r"(?:\.github/|\.gitlab/|docs?/)?security(?:\.\w+)?$", re.IGNORECASE)


@check("committed-archive", Severity.LOW, "CWE-1357")
def committed_archive(rule: RiskRule, tree: Tree) -> Iterator[Finding]:
    """Archives are committed: no reviewer and no scanner sees what is packed in them.

    One finding for all. The wrappers of Gradle and Maven are expected and left out.

    Title: Archives in the repository

    Info: where all serve tests, examples or documentation

    Remedy: Fetch them by version and checksum where they are needed.

    Reference: https://github.com/ossf/scorecard/blob/main/docs/checks.md#binary-artifacts
    """
    yield from one_for_all(
        rule,
        tree,
        [path for path in _paths(tree) if _ARCHIVE.search(path) and not _WRAPPER.search(path)],
        "no review or scan sees what is packed in them.",
    )


@check("committed-binary", Severity.LOW, "CWE-1357")
def committed_binary(rule: RiskRule, tree: Tree) -> Iterator[Finding]:
    """Compiled programs are committed: nobody can review what they do.

    One finding for all.

    Title: Compiled programs in the repository

    Info: where all serve tests, examples or documentation

    Remedy: Build them in the pipeline.

    Reference: https://github.com/ossf/scorecard/blob/main/docs/checks.md#binary-artifacts
    """
    yield from one_for_all(
        rule,
        tree,
        [path for path in _paths(tree) if _PROGRAM.search(path)],
        "nobody can review what they do or tell which sources they were built from.",
    )


@check(
    "committed-build-output",
    Severity.LOW,
    without_cwe="It hides changes and grows stale, but opens nothing by itself.",
    aspect=Aspect.QUALITY,
)
def committed_build_output(rule: RiskRule, tree: Tree) -> Iterator[Finding]:
    """What a tool installs or builds is committed: it hides changes in bulk and grows stale.

    `node_modules`, virtual environments, caches and the like.

    Title: Installed or built files in the repository

    Info: where all serve tests, examples or documentation

    Remedy: Remove them with git rm -r --cached and name the folders in .gitignore.

    Reference: https://git-scm.com/docs/gitignore
    """
    folders = Counter(
        file.path[: hit.end(1)] for file in tree.files if (hit := _BUILT.search(file.path))
    )
    yield from one_for_all(
        rule,
        tree,
        sorted(folders),
        f"{sum(folders.values()):,} files there were not written by people, drown reviews and hide"
        " what was changed among them.",
    )


@check("escaping-link", Severity.LOW, "CWE-59")
def escaping_link(rule: RiskRule, tree: Tree) -> Iterator[Finding]:
    """A symbolic link leaves the repository: tools that follow it read or write foreign files.

    On a build machine the target may be anything, the machine's credentials included.

    Title: Symbolic link out of the repository

    Info: where all serve tests, examples or documentation

    Remedy: Link to files inside the repository, relative to the link.

    Reference: https://cwe.mitre.org/data/definitions/59.html
    """
    yield from one_for_all(
        rule,
        tree,
        [link.path for link in tree.links if link.escapes],
        "what stands behind them differs from machine to machine, and tools that follow them read"
        " or write files outside.",
    )


@check(
    "sensitive-file", Severity.LOW, "CWE-538", confidence=Confidence.MEDIUM, aspect=Aspect.SECRETS
)
def sensitive_file(rule: RiskRule, tree: Tree) -> Iterator[Finding]:
    """A file is committed whose kind is made to hold secrets, whatever stands in it today.

    `.env`, `.htpasswd`, SSH keys, Terraform state, shell histories. Told by the name alone: the
    secret scan judges the contents. Empty files, samples and tests are left out. Change whatever
    stood in it: history keeps it.

    Title: File that is made for secrets

    Remedy: Keep it out by .gitignore and commit a sample without values instead.

    Reference: https://docs.github.com/en/authentication/keeping-your-account-and-data-secure/removing-sensitive-data-from-a-repository
    """
    for file in tree.files:
        if file.size == 0 or file.role is not Role.SOURCE:
            continue
        holds = next((what for name, what in _SENSITIVE if name.search(file.path)), None)
        if holds is not None and not _SAMPLE.search(file.name):
            yield rule.finding(
                f"{file.name} is made for {holds}; all that is ever written to it stays in the"
                f" history. {rule.remedy}",
                Place(file.path),
                evidence=file.path,
            )


@check(
    "large-file",
    Severity.INFO,
    without_cwe="It costs time and space, not safety.",
    aspect=Aspect.QUALITY,
)
def large_file(rule: RiskRule, tree: Tree) -> Iterator[Finding]:
    """A file is larger than 5 MiB: every clone pays for it for ever, and it was not scanned.

    Title: Very large file

    Remedy: Keep them as release assets or in Git LFS.

    Reference: https://docs.github.com/en/repositories/working-with-files/managing-large-files
    """
    sized = [(file.path, file.size) for file in tree.files]
    sized += [(skipped.path, skipped.size) for skipped in tree.skipped]
    yield from one_for_all(
        rule,
        tree,
        sorted(path for path, size in sized if size > LARGE_BYTES),
        "every clone pays for them for ever, and engines do not read them.",
    )


@check("undecodable-name", Severity.INFO, "CWE-117", aspect=Aspect.QUALITY)
def undecodable_name(rule: RiskRule, tree: Tree) -> Iterator[Finding]:
    """A file's name holds control characters or is not UTF-8: tools disagree on what it is.

    Such names break checkouts on other systems and can forge lines in logs.

    Title: File name that tools read differently

    Remedy: Rename them.

    Reference: https://cwe.mitre.org/data/definitions/117.html
    """
    yield from one_for_all(
        rule,
        tree,
        [path for path in _paths(tree) if _ESCAPED.search(path)],
        "their names are not UTF-8 or hold control characters, which breaks checkouts and can"
        " forge lines in logs.",
    )


@check(
    "missing-security-policy",
    Severity.INFO,
    without_cwe="It is missing from the project, not wrong in the code.",
    aspect=Aspect.QUALITY,
)
def missing_security_policy(rule: RiskRule, tree: Tree) -> Iterator[Finding]:
    """The repository does not say how to report a vulnerability.

    Whoever finds one does not learn whom to tell, and may publish it instead. The policy also
    says what reporters may expect.

    Title: No security policy

    Remedy: Add SECURITY.md with an address.

    Reference: https://github.com/ossf/scorecard/blob/main/docs/checks.md#security-policy
    """
    if tree.files and not any(_SECURITY_POLICY.match(file.path) for file in tree.files):
        yield rule.finding(
            "Whoever finds a vulnerability does not learn whom to tell, and may publish it"
            f" instead. {rule.remedy}",
            evidence="security policy",
        )


@check(
    "missing-licence", Severity.INFO, without_cwe="It is a matter of law.", aspect=Aspect.QUALITY
)
def missing_licence(rule: RiskRule, tree: Tree) -> Iterator[Finding]:
    """The repository does not say under which licence it stands.

    Without one nobody else may use or change the code. Private code can say so there.

    Title: No licence

    Remedy: Add a LICENSE file.

    Reference: https://github.com/ossf/scorecard/blob/main/docs/checks.md#license
    """
    if tree.files and not any(_LICENCE.match(file.path) for file in tree.files):
        yield rule.finding(
            f"Without a licence nobody else may use or change this code. {rule.remedy}",
            evidence="licence",
        )


def _paths(tree: Tree) -> list[str]:
    """Files that were scanned, and files too large to be."""
    return sorted(
        [file.path for file in tree.files]
        + [skipped.path for skipped in tree.skipped if skipped.size]
    )
