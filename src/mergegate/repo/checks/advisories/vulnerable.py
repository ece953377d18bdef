"""Resolved packages that somebody published an advisory on."""

import re
from collections.abc import Iterable, Iterator

from mergegate.core.finding import Advisory, Edit, Finding, Place
from mergegate.core.severity import Confidence, Kind, Severity
from mergegate.packages.advisories.flaw import first_sentence
from mergegate.packages.dependencies import Package, Use, Vulnerabilities, VulnerablePackage
from mergegate.repo.checks import check
from mergegate.repo.checks.advisories import IN_USE, DependencyRule

_MOST_NAMED = 3
# What may be pasted into a shell: names come from files that are not to be trusted.
_SAFE = re.compile(r"[A-Za-z0-9@_][A-Za-z0-9@:._+~/-]*")


def remedy(match: VulnerablePackage) -> str:
    """What to do, in one sentence or two."""
    if not match.upgrade:
        if match.fixed:
            return f"Upgrade to {match.fixed[0]} or later; other advisories remain open there."
        return (
            "No fixed version is published: replace the package, or make sure that the "
            "affected part is not used."
        )
    if not match.is_answered:
        return (
            f"No version repairs {match.identity}: replace the package, or make sure that the "
            f"affected part is not used. {match.upgrade} answers the other advisories on it."
        )
    larger = "" if match.same_major else " (a new major version: read its release notes)"
    command = _command(match)
    return f"Upgrade to {match.upgrade}{larger}{f': {command}' if command else ''}.{_left(match)}"


def _left(match: VulnerablePackage) -> str:
    """Which other advisories the upgrade leaves open."""
    if not match.left_open:
        return ""
    named, more = match.left_open[:_MOST_NAMED], len(match.left_open) - _MOST_NAMED
    rest = f" and {more} more" if more > 0 else ""
    them = "it" if len(match.left_open) == 1 else "them"
    return f" It leaves open {', '.join(named)}{rest}: no version repairs {them}."


def _command(match: VulnerablePackage) -> str:
    package = match.package
    is_indirect = package.direct is False
    return command(package.file, package.written, match.upgrade, is_indirect=is_indirect)


def command(file: str, name: str, version: str, *, is_indirect: bool) -> str:
    """What to run or write where ``file`` fixes the version, as advice.

    Empty when a name is not fit to be pasted into a shell.
    """
    if not (_SAFE.fullmatch(name) and _SAFE.fullmatch(version)):
        return ""
    number = version.removeprefix("v")
    template = _template(file, name, is_indirect=is_indirect)
    return template.format(name=name, version=version, number=number)


def _template(file: str, name: str, *, is_indirect: bool) -> str:
    from mergegate.packages import ecosystems  # noqa: PLC0415 - slower to load than all checks

    if lock := ecosystems.lock_format(file):
        if name == lock[1].platform:
            return lock[1].upgrade_platform
        indirect = lock[1].upgrade_indirect if is_indirect else ""
        return indirect or lock[1].upgrade
    manifest = ecosystems.manifest_format(file)
    return manifest[1].upgrade if manifest else ""


def repair(match: VulnerablePackage) -> Edit | None:
    """The manifest's line with the new version, where it has no hashes beside it."""
    pin = match.package.pin
    if pin is None or not match.is_answered or not _SAFE.fullmatch(match.upgrade):
        return None
    version = pin.floor or match.package.version
    if pin.text.count(version) != 1 or not _rises(match, version):
        return None
    return Edit(pin.file, pin.line, pin.line, pin.text.replace(version, match.upgrade))


def _rises(match: VulnerablePackage, version: str) -> bool:
    """Whether the upgrade is above what the manifest asks for at least."""
    from mergegate.packages import ecosystems  # noqa: PLC0415 - see remedy
    from mergegate.packages.versions import Incomparable  # noqa: PLC0415 - see remedy

    order = ecosystems.ECOSYSTEMS[match.package.ecosystem].order
    if version == match.package.version:
        return True
    try:
        padded = version + ".0" * max(0, 2 - version.count("."))
        return bool(order(padded) < order(match.upgrade))
    except Incomparable:
        return False


def trial(match: VulnerablePackage) -> Edit | None:
    """The repaired line with exactly the new version, where it leaves the version open.

    A range is no version that could be compared with advisories.
    """
    from mergegate.packages import ecosystems  # noqa: PLC0415 - see remedy

    edit, pin = repair(match), match.package.pin
    if edit is None or pin is None or not pin.range:
        return None
    exact = f"{ecosystems.ECOSYSTEMS[match.package.ecosystem].exactly}{match.upgrade}"
    return Edit(pin.file, pin.line, pin.line, pin.text.replace(pin.range, exact))


_INFORMATIONAL = {"unsound": Severity.LOW}
_LONGEST_HEADLINE = 90
_MOST_IMPORTS = 3
_UNUSED = {
    Use.NOT_HERE: "no Go file here does, but a dependency may",
    Use.NOWHERE: "no Go file does, those of the vendored dependencies included",
}
_Key = tuple[str, str, str, str, str]


@check("vulnerable-dependency", Severity.CRITICAL, "CWE-1395", kind=Kind.DEPENDENCY)
def vulnerable_dependency(rule: DependencyRule, found: Vulnerabilities) -> Iterator[Finding]:
    """A version in use has a published vulnerability.

    Versions are taken from lock files and exact pins and compared with a local copy of OSV's
    advisories; every database's record of one flaw counts once. Severity is the advisory's: the
    CVSS base score (9.0 and more is critical, 7.0 high, 4.0 medium), else the database's own
    word, else medium. It is one step lower when no manifest names the package, for what does not
    call it directly reaches a flaw less often, or when no file names it but those that declare
    it (Python, JavaScript, Java, .NET and Rust), or when files use it and none names a function
    that the advisory is about (Go and Rust); and one step lower when only development needs it,
    never below low. A flaw that is known to be exploited keeps its severity, at least high, in
    production. Where only some packages of a Go module are affected and none of the
    repository's Go files imports one, the module weighs as one that no manifest names, and for
    information where there is nothing to upgrade to, or where the vendored files of all
    dependencies do not import it either. Advisories that merely inform (unsound, unmaintained),
    ranges that the database itself calls imprecise, Go's standard library, of which go.mod
    states the least release alone, and lock files of tests, examples, documentation or vendored
    code are no reason to stop a merge.

    Title: Version with a published vulnerability

    High: as the advisory has it, or one step lower where no manifest names the package, and one
    where only development needs it

    Medium: likewise, and where the advisory states no severity

    Low: likewise, for unsound code, and for ranges that the database itself calls imprecise

    Info: for advisories that merely inform, for packages of a Go module that nothing imports, and
    outside production code

    Remedy: Upgrade to the version that the finding names; where there is none, replace the package
    or make sure that the affected part is not used.

    Reference: https://ossf.github.io/osv-schema/
    """
    flaws = [match for match in found.matches if not match.malicious]
    for match, elsewhere in _once_a_folder(flaws):
        yield _finding(
            match,
            rule,
            severity_of(match),
            f"{_what(match, elsewhere)} {remedy(match)}",
            repair=repair(match),
            trial=trial(match),
            advisory=_advisory(match),
        )


@check("exploited-dependency", Severity.HIGH, "CWE-1395")
def exploited_dependency(rule: DependencyRule, found: Vulnerabilities) -> Iterator[Finding]:
    """A vulnerability of a version in use is known to be exploited by attackers.

    The advisory says so or points into CISA's catalogue of exploited vulnerabilities. Such flaws
    are tried against every reachable host; they come before all others.

    Title: Vulnerability that attackers exploit

    Info: outside production code

    Remedy: Upgrade now, and look for signs of a break-in where the flaw was reachable.

    Reference: https://www.cisa.gov/known-exploited-vulnerabilities-catalog
    """
    exploited = [m for m in found.matches if m.known_exploited and not m.malicious]
    for match, _ in _once_a_folder(exploited):
        package = match.package
        yield _finding(
            match,
            rule,
            Severity.HIGH if package.role in IN_USE else Severity.INFO,
            f"Attackers are known to exploit {match.identity} in {_named(package)}. "
            f"{remedy(match)}",
            title=f"{_named(package)}, exploited by attackers: {_headline(match)}",
            repair=repair(match),
            trial=trial(match),
        )


@check("malicious-dependency", Severity.CRITICAL, "CWE-506")
def malicious_dependency(rule: DependencyRule, found: Vulnerabilities) -> Iterator[Finding]:
    """A package in use was published to do harm.

    Its installation alone may have run an attacker's code: on laptops and build machines as
    well, so being needed for development only is no comfort. Databases mark such packages by the
    advisory's id, its weakness (CWE-506 and its kinds) or category, or say so in its first words.

    Title: Package that was published to do harm

    Low: outside production code

    Remedy: Remove it, treat machines that installed it as compromised, and replace the secrets they
    held.

    Reference: https://github.com/ossf/malicious-packages
    """
    malicious = [match for match in found.matches if match.malicious]
    for match, _ in _once_a_folder(malicious):
        package = match.package
        clean = f" Version {match.upgrade} is not affected." if match.upgrade else ""
        yield _finding(
            match,
            rule,
            Severity.CRITICAL if package.role in IN_USE else Severity.LOW,
            f"{_named(package)} is known to be malicious ({match.identity}): installing it can run "
            f"an attacker's code. {rule.remedy}{clean}",
        )


def severity_of(match: VulnerablePackage) -> Severity:
    """How much a match counts; the rules stand in ``vulnerable_dependency``."""
    package = match.package
    if package.role not in IN_USE:
        return Severity.INFO
    if match.informational:
        return _INFORMATIONAL.get(match.informational, Severity.INFO)
    if match.use is Use.NOWHERE or (_part_unused(match) and not match.fixed):
        return Severity.INFO
    stated = Severity.named(match.severity) if match.severity else Severity.MEDIUM
    if match.imprecise or _is_platform(package):
        return min(stated, Severity.LOW)
    if match.known_exploited and not package.dev:
        return max(stated, Severity.HIGH)
    is_far = package.direct is False or match.use in {Use.NOT_HERE, Use.NOT_CALLED}
    steps = is_far + package.dev
    return max(Severity(max(stated - steps, 0)), min(stated, Severity.LOW))


def _is_platform(package: Package) -> bool:
    """Whether it is the language's own library, of which a file states the least version."""
    from mergegate.packages import ecosystems  # noqa: PLC0415 - see remedy

    lock = ecosystems.lock_format(package.file)
    return lock is not None and package.name == lock[1].platform


def _part_unused(match: VulnerablePackage) -> bool:
    """Whether a part alone is affected, which nothing here imports."""
    return bool(match.imports) and match.use is Use.NOT_HERE


def _once_a_folder(
    matches: Iterable[VulnerablePackage],
) -> Iterator[tuple[VulnerablePackage, tuple[str, ...]]]:
    """Each advisory once for all lock files side by side, with the names of the other files."""
    groups: dict[_Key, list[VulnerablePackage]] = {}
    for match in matches:
        package = match.package
        folder = package.file.rpartition("/")[0]
        key = (folder, package.ecosystem, package.name, package.version, match.identity)
        groups.setdefault(key, []).append(match)
    for key in sorted(groups):
        first, *rest = sorted(groups[key], key=_weight)
        files = {match.package.file.rpartition("/")[2] for match in rest}
        yield first, tuple(sorted(files - {first.package.file.rpartition("/")[2]}))


def _weight(match: VulnerablePackage) -> tuple[int, bool, str, int]:
    """The place that tells most comes first."""
    package = match.package
    return (-severity_of(match), package.pin is None, package.file, package.line)


def _finding(
    match: VulnerablePackage,
    rule: DependencyRule,
    severity: Severity,
    message: str,
    *,
    title: str = "",
    repair: Edit | None = None,
    trial: Edit | None = None,
    advisory: Advisory | None = None,
) -> Finding:
    """Weaknesses and sources are the advisory's, not the rule's."""
    package = match.package
    return rule.finding(
        message,
        Place(package.file, package.line, package.line),
        title=title or f"{_named(package)}: {_headline(match)}",
        severity=severity,
        evidence=f"{package.ecosystem}:{package.name}:{match.identity}",
        anywhere=True,
        confidence=_confidence(match),
        cwe=match.cwe,
        references=match.references,
        engine=match.engines[0],
        repair=repair,
        trial=trial,
        advisory=advisory,
    )


def _advisory(match: VulnerablePackage) -> Advisory:
    package = match.package
    return Advisory(
        package=package.written,
        ecosystem=package.ecosystem,
        installed_version=package.version,
        fixed_versions=match.fixed,
        upgrade=match.upgrade,
        advisory_id=match.id,
        aliases=match.aliases,
        cvss=match.cvss,
        epss=match.epss,
        known_exploited=match.known_exploited,
        direct=package.direct,
        path=package.path,
        published=match.published,
    )


def _confidence(match: VulnerablePackage) -> Confidence:
    """A module of which no package may be built in is less sure, unless the manifest names it."""
    from mergegate.packages import ecosystems  # noqa: PLC0415 - see remedy

    if match.imprecise or match.use is Use.NOWHERE:
        return Confidence.LOW
    lists_unused = ecosystems.ECOSYSTEMS[match.package.ecosystem].lists_unused
    maybe_unused = _part_unused(match) or (lists_unused and match.package.direct is False)
    return Confidence.MEDIUM if maybe_unused else Confidence.HIGH


def _what(match: VulnerablePackage, elsewhere: tuple[str, ...]) -> str:
    package = match.package
    score = f", CVSS {match.cvss:.1f}" if match.cvss is not None else ""
    nature = f"is {match.informational}" if match.informational else "has a known vulnerability"
    way = f", reached through {' → '.join(package.path)}" if len(package.path) > 1 else ""
    dev = " Only development needs it." if package.dev else ""
    if _is_platform(package):
        dev = f" {package.file} asks for that release at least; a newer one may build."
    also = f" (also in {', '.join(elsewhere)})" if elsewhere else ""
    return f"{_named(package)}{also} {nature} ({match.identity}{score}){way}.{dev}{_used(match)}"


def _used(match: VulnerablePackage) -> str:
    """That nothing here uses it, or the part that alone is affected."""
    if match.use is Use.NOT_CALLED:
        named, more = match.symbols[:_MOST_IMPORTS], len(match.symbols) - _MOST_IMPORTS
        rest = f" and {more} more" if more > 0 else ""
        return f" No file here names {', '.join(named)}{rest}, which it is about; a dependency may."
    if match.use not in _UNUSED:
        return ""
    if not match.imports:
        return " No file here names it but those that declare it; a dependency may use it."
    named, more = match.imports[:_MOST_IMPORTS], len(match.imports) - _MOST_IMPORTS
    rest = f" and {more} more" if more > 0 else ""
    return f" Only what imports {', '.join(named)}{rest} is affected: {_UNUSED[match.use]}."


def _named(package: Package) -> str:
    return f"{package.written} {package.version}"


def _headline(match: VulnerablePackage) -> str:
    """The summary's first sentence, cut to a title's length; without one the advisory's id."""
    sentence = first_sentence(match.summary)
    if len(sentence) <= _LONGEST_HEADLINE:
        return sentence or match.identity
    return sentence[:_LONGEST_HEADLINE].rpartition(" ")[0] + "…"
