"""What Python manifests name directly: pyproject.toml, setup.cfg, setup.py and Pipfile."""

import configparser
import re
from collections.abc import Iterator

from packaging.utils import canonicalize_name

from mergegate.packages.dependencies import Why
from mergegate.packages.readers.documents import (
    Unreadable,
    items,
    lines_in,
    lines_of,
    table,
    text_of,
    toml_document,
    words,
)
from mergegate.packages.readers.reading import ManifestReading, Requirement, Source, editable, loose
from mergegate.packages.readers.requirements import exact, is_dev, name_in, why_not

_EXACT = re.compile(r"^={0,3}\s*v?\d[\w.!+-]*$")
_RANGE = re.compile(r"(?:\^|~=?|>=)\s*(\d[\w.!+]*)")
_NAMED = re.compile(r"\s*[\w.-]+\s*(?:\[[^\]]*\])?\s*")
_QUOTED = re.compile(r"""\"([^\"]*)\"|'([^']*)'""")
_DEV_EXTRA = re.compile(r"^(dev|devel|develop|development|tests?|testing|docs?|lint|typing|all)$")


def read_pyproject(source: Source) -> ManifestReading:
    """``[project]``, ``[dependency-groups]`` and Poetry's tables."""
    document = toml_document(source.text)
    project = table(document.get("project"))
    poetry = table(table(document.get("tool")).get("poetry"))
    requirements = [
        *_pep508(words(project.get("dependencies")), source),
        *_extras(table(project.get("optional-dependencies")), source),
        *_groups(table(document.get("dependency-groups")), source),
        *_poetry(poetry, source),
    ]
    return ManifestReading(
        requirements=tuple(requirements),
        name=canonicalize_name(text_of(project.get("name")) or text_of(poetry.get("name"))),
        library="build-system" in document and poetry.get("package-mode") is not False,
    )


def read_setup_cfg(source: Source) -> ManifestReading:
    """``[options] install_requires`` and extras."""
    parser = configparser.RawConfigParser(strict=False)
    try:
        parser.read_string(source.text)
    except configparser.Error as error:
        raise Unreadable("it is not a valid configuration file") from error
    install = _lines(parser.get("options", "install_requires", fallback=""))
    extras = "options.extras_require"
    groups = parser.options(extras) if parser.has_section(extras) else []
    optional = {group: _lines(parser.get(extras, group)) for group in groups}
    return ManifestReading(
        requirements=(*_pep508(install, source), *_extras(dict(optional), source)),
        library=parser.has_section("metadata") or parser.has_section("options"),
    )


def read_setup_py(source: Source) -> ManifestReading:
    """Never run: that it states requirements is all that can be said."""
    found = lines_of(source.text, r"^.*\b(install_requires)\b")
    notes = tuple(loose(source, name, Why.CODE, line=line) for name, line in found.items())
    return ManifestReading(library=True, loose=notes)


def read_pipfile(source: Source) -> ManifestReading:
    """``[packages]`` and ``[dev-packages]``."""
    document = toml_document(source.text)
    return ManifestReading(
        requirements=(
            *_constraints(table(document.get("packages")), source, dev=False),
            *_constraints(table(document.get("dev-packages")), source, dev=True),
        )
    )


def read_in_file(source: Source) -> ManifestReading:
    """A ``requirements.in``, from which pip-compile writes the ``.txt`` of the same name."""
    texts = [line for line in _lines(source.text) if not line.startswith(("#", "-"))]
    return ManifestReading(
        requirements=tuple(_pep508(texts, source, dev=is_dev(source.path))), dev=is_dev(source.path)
    )


def named(text: str | None, reader: str) -> tuple[frozenset[str], frozenset[str]] | None:
    """Names that a sibling manifest wants for production and for development.

    ``reader`` is ``pyproject`` or ``pipfile``. None without a manifest that can be read.
    """
    if text is None:
        return None
    read = {"pyproject": read_pyproject, "pipfile": read_pipfile}[reader]
    try:
        manifest = read(Source("", text, _Alone()))
    except Unreadable:
        return None
    production = frozenset(r.name for r in manifest.requirements if not r.dev)
    return production, frozenset(r.name for r in manifest.requirements if r.dev) - production


class _Alone:
    """A file without neighbours."""

    def text(self, _path: str) -> str | None:
        return None

    def named(self, _name: str, _folder: str) -> tuple[str, ...]:
        return ()


def _lines(text: str) -> list[str]:
    return [bare for line in lines_in(text) if (bare := line.split(" #")[0].strip())]


def _pep508(texts: list[str], source: Source, dev: bool = False) -> Iterator[Requirement]:
    places = _places(source) if texts else {}
    for text in texts:
        pinned = exact(text)
        name = pinned[0] if pinned else name_in(text)
        version = pinned[1] if pinned else ""
        line, whole = places.get(text, (0, ""))
        yield Requirement(
            name=canonicalize_name(name),
            text=text,
            version=version,
            why=Why.RANGE if pinned else why_not(text),
            line=line,
            dev=dev,
            **editable(whole, version, _specifier(text), _RANGE),
        )


def _specifier(text: str) -> str:
    """What a requirement says of versions."""
    return _NAMED.sub("", text.partition(";")[0], count=1).strip()


def _extras(groups: dict[str, object], source: Source) -> Iterator[Requirement]:
    for group, entries in groups.items():
        yield from _pep508(words(entries), source, dev=bool(_DEV_EXTRA.match(group)))


def _groups(groups: dict[str, object], source: Source) -> Iterator[Requirement]:
    """``[dependency-groups]``, all for development; groups that include groups add nothing new."""
    for entries in groups.values():
        yield from _pep508(words(entries), source, dev=True)


def _poetry(poetry: dict[str, object], source: Source) -> Iterator[Requirement]:
    yield from _constraints(table(poetry.get("dependencies")), source, dev=False)
    yield from _constraints(table(poetry.get("dev-dependencies")), source, dev=True)
    for name, group in table(poetry.get("group")).items():
        listed = table(table(group).get("dependencies"))
        yield from _constraints(listed, source, dev=name != "main")


def _constraints(entries: dict[str, object], source: Source, dev: bool) -> Iterator[Requirement]:
    """Poetry's and Pipenv's ``name = "constraint"`` or ``name = {version = …, git = …}``."""
    numbers = lines_of(source.text, r"""^\s*["']?([A-Za-z0-9][\w.-]*)["']?\s*=""")
    lines = lines_in(source.text) if entries else []
    for name, value in entries.items():
        if name.lower() == "python":
            continue
        for constraint in items(value) or [value]:
            line = numbers.get(name, 0)
            yield _constraint(name, constraint, line, lines[line - 1] if line else "", dev)


def _constraint(name: str, value: object, line: int, whole: str, dev: bool) -> Requirement:
    options = table(value)
    text = text_of(value) or text_of(options.get("version"))
    version = text.lstrip("= ") if _EXACT.match(text) else ""
    why = Why.RANGE
    if "git" in options or "hg" in options or "svn" in options:
        why, version = Why.GIT, ""
    elif "url" in options or "file" in options or "path" in options:
        why, version = Why.URL, ""
    shown = text or " ".join(f"{key}={value}" for key, value in sorted(options.items()))
    return Requirement(
        name=canonicalize_name(name),
        text=f"{name} {shown}".strip(),
        version=version,
        why=why,
        line=line,
        dev=dev,
        **editable(whole, version, text, _RANGE),
    )


def _places(source: Source) -> dict[str, tuple[int, str]]:
    """Quoted string, or whole line → the first line that holds it, with its number."""
    places: dict[str, tuple[int, str]] = {}
    for number, line in enumerate(lines_in(source.text), start=1):
        for text in (line.strip(), *(a or b for a, b in _QUOTED.findall(line))):
            places.setdefault(text, (number, line))
    return places
