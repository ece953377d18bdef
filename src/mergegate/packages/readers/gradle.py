"""gradle.lockfile, version catalogues, and what build scripts state in plain words.

A build script is code and never run: coordinates that stand in it as text are read, with variables
that it or gradle.properties sets to text; what else it puts together is not seen.
"""

import posixpath
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from mergegate.packages.dependencies import Package, Why
from mergegate.packages.readers.documents import (
    Unreadable,
    lines_in,
    sanitised,
    table,
    text_of,
    toml_document,
)
from mergegate.packages.readers.reading import (
    Graph,
    ManifestReading,
    Reading,
    Requirement,
    Source,
    editable,
)

_LOCKED = re.compile(r"([\w.-]+:[\w.-]+):([^:=\s]+)=(.*)")
_LONGEST_LINE = 2_000
_SCRIPT = ("build.gradle", "build.gradle.kts")


def read_lock(source: Source) -> Reading:
    """``group:artifact:version=configurations``; for tests where all of these are."""
    buildscript = source.path.rpartition("/")[2].startswith("buildscript-")
    return Reading(graph=Graph(), packages=tuple(_locked(source, buildscript=buildscript)))


def _locked(source: Source, *, buildscript: bool) -> Iterator[Package]:
    direct = _named_by_script(source)
    for number, line in enumerate(lines_in(source.text), start=1):
        if not line.strip() or line.startswith(("#", "empty=")):
            continue
        found = _LOCKED.fullmatch(line.strip())
        if found is None:
            raise Unreadable(f"line {number} is not of a gradle.lockfile")
        name, version, configurations = found.groups()
        yield Package(
            ecosystem=source.ecosystem,
            name=source.key(sanitised(name)),
            written=sanitised(name),
            version=sanitised(version),
            file=source.path,
            line=number,
            role=source.role,
            direct=True if name in direct else None,
            dev=buildscript or all(map(_is_for_tests, configurations.split(","))),
            path=(sanitised(name),) if name in direct else (),
        )


def _is_for_tests(configuration: str) -> bool:
    return "test" in configuration.lower() or configuration.startswith(("annotationProc", "kapt"))


def _named_by_script(source: Source) -> frozenset[str]:
    texts = (source.sibling(name) for name in _SCRIPT)
    return frozenset(one.name for text in texts if text for one in _named(text))


_COORDINATES = re.compile(
    r"\b(?P<configuration>[a-z]\w{0,60})\s{0,8}\(?\s{0,8}(?:(?:platform|enforcedPlatform|kotlin)\s{0,8}\(\s{0,8})?"
    r"[\"'](?P<group>[\w.-]{1,200}):(?P<artifact>[\w.-]{1,200})(?::(?P<version>[^\"':@]{1,200}))?[\"':@]"
)
_PARTS = re.compile(
    r"\b(?P<configuration>[a-z]\w{0,60})\s{0,8}\(?\s{0,8}group\s{0,8}[:=]\s{0,8}[\"'](?P<group>[\w.-]{1,200})[\"']\s{0,8},"
    r"\s{0,8}name\s{0,8}[:=]\s{0,8}[\"'](?P<artifact>[\w.-]{1,200})[\"']"
    r"(?:\s{0,8},\s{0,8}version\s{0,8}[:=]\s{0,8}[\"']?(?P<version>[^\"',)\s]{1,200}))?"
)
_VARIABLE = re.compile(
    r"^\s*(?:ext\.|(?:def|val|var)\s+|set\(\s*[\"'])?(\w[\w.]{0,80})(?:[\"']\s*,|\s*=)\s*[\"']([^\"'$]{1,200})[\"']"
)
_USED = re.compile(r"\$\{?(\w[\w.]*)\}?")
_VERSION = re.compile(r"[0-9A-Za-z][\w.+-]*")
_CONFIGURATION = re.compile(
    r"(?i)(implementation|api|compile|compileonly|runtime|runtimeonly|providedcompile|kapt|ksp"
    r"|annotationprocessor|developmentonly|classpath|provided|coreLibraryDesugaring)$"
)
_BUILD_ALONE = re.compile(r"(?i)test|^(classpath|kapt|ksp|annotationprocessor|developmentonly)$")


@dataclass(frozen=True, slots=True)
class _Named:
    """A dependency as a build script states it."""

    name: str
    """``group:artifact``."""
    version: str
    """As written; empty where another file gives it."""
    configuration: str
    line: int
    whole: str


def _named(text: str) -> Iterator[_Named]:
    for number, whole in enumerate(lines_in(text), start=1):
        code = whole.partition(" //")[0]
        if len(code) > _LONGEST_LINE or code.lstrip().startswith("//"):
            continue
        for found in (*_COORDINATES.finditer(code), *_PARTS.finditer(code)):
            if _CONFIGURATION.search(found["configuration"]):
                name = f"{found['group']}:{found['artifact']}"
                version = (found["version"] or "").strip()
                yield _Named(name, version, found["configuration"], number, whole)


def read_script(source: Source) -> ManifestReading:
    """Coordinates in configurations; those without a version take one from elsewhere."""
    variables = _variables(source)
    return ManifestReading(
        requirements=tuple(
            _requirement(replace(one, version=_filled(one.version, variables)))
            for one in _named(source.text)
        )
    )


def _variables(source: Source) -> Mapping[str, str]:
    """Texts that the script, or a gradle.properties here or at the root, gives a name."""
    found: dict[str, str] = {}
    for path in ("gradle.properties", posixpath.join(source.folder, "gradle.properties")):
        for line in lines_in(source.neighbours.text(path) or ""):
            name, _, value = line.partition("=")
            found[name.strip()] = value.strip()[:200]
    for line in lines_in(source.text):
        if len(line) <= _LONGEST_LINE and (stated := _VARIABLE.match(line)):
            found[stated[1]] = stated[2]
    return found


def _filled(version: str, variables: Mapping[str, str]) -> str:
    name = version.removeprefix("rootProject.").removeprefix("project.").removeprefix("ext.")
    if name in variables:
        return variables[name]
    return _USED.sub(lambda one: variables.get(one[1].rpartition(".")[2], one[0]), version)


def _requirement(named: _Named) -> Requirement:
    exact = named.version.removesuffix("!!")
    has_number = re.search(r"\d", exact) is not None and "$" not in exact
    is_exact = has_number and "+" not in exact and _VERSION.fullmatch(exact) is not None
    return Requirement(
        name=named.name,
        text=f"{named.name}:{named.version}".rstrip(":"),
        version=exact if is_exact else "",
        why=Why.RANGE if has_number else Why.CODE,
        line=named.line,
        dev=bool(_BUILD_ALONE.search(named.configuration)),
        **editable(named.whole, exact if is_exact else "", "", _VERSION),
    )


def read_catalogue(source: Source) -> ManifestReading:
    """libs.versions.toml: libraries with their own versions or those of its table."""
    document = toml_document(source.text)
    versions = {name: _plain(value) for name, value in table(document.get("versions")).items()}
    lines = lines_in(source.text)
    return ManifestReading(
        requirements=tuple(_libraries(table(document.get("libraries")), versions, lines))
    )


def _libraries(
    libraries: Mapping[str, object], versions: Mapping[str, str], lines: list[str]
) -> Iterator[Requirement]:
    numbers = _numbers(lines)
    for alias, value in libraries.items():
        entry = table(value)
        module = text_of(value) or text_of(entry.get("module"))
        if not module:
            module = f"{text_of(entry.get('group'))}:{text_of(entry.get('name'))}"
        group, _, rest = module.partition(":")
        artifact, _, version = rest.partition(":")
        stated = entry.get("version")
        ref = text_of(table(stated).get("ref"))
        version = version or (versions.get(ref, "") if ref else _plain(stated))
        line = numbers.get(f"versions {ref}" if ref else f"libraries {alias}", 0)
        whole = lines[line - 1] if line else ""
        yield _requirement(_Named(f"{group}:{artifact}", version, "api", line, whole))


def _plain(stated: object) -> str:
    """A version as text, or the strict, required or preferred one of a rich version."""
    rich = table(stated)
    told = (text_of(rich.get(key)) for key in ("strictly", "require", "prefer"))
    return text_of(stated) or next(filter(None, told), "")


def _numbers(lines: list[str]) -> dict[str, int]:
    """``table key`` → the line that it begins on."""
    found: dict[str, int] = {}
    section = ""
    for number, line in enumerate(lines, start=1):
        if opened := re.match(r"\s*\[([\w-]+)\]", line):
            section = opened[1]
        elif key := re.match(r"\s*\"?([\w.-]+)\"?\s*=", line):
            found.setdefault(f"{section} {key[1]}", number)
    return found
