"""Which files the text of a script or module asks for."""

import posixpath
import re
from collections.abc import Container, Iterator

_PYTHON = re.compile(
    r"^[ \t]*(?:from[ \t]+(\.*[\w.]*)[ \t]+import[ \t]+(\([^)]*\)|[^\n#]+)|import[ \t]+([^\n#]+))",
    re.MULTILINE,
)
_RELATIVE = re.compile(
    r"""(?:["'](?=\.\.?/)|(?:\brequire_relative\b|\b__DIR__\s*\.)[ \t(]*["']/?)"""
    r"""([^"'\n]{1,200})["']"""
)
_QUOTED = re.compile(r"""["']((?:[\w-]+[./])+[\w-]+)["':]""")
_NAME = re.compile(r"\w[\w.]*")
_ENDING = re.compile(r"\.(?:pyi?|[cm]?[jt]sx?|rb|php)$")
LANGUAGES = frozenset({"python", "javascript", "typescript", "ruby", "php"})


def stem(path: str) -> str:
    """``path`` as an import names it: without its ending; a package or index is its folder."""
    folder, _, name = path.rpartition("/")
    short = _ENDING.sub("", name)
    return folder if short in ("__init__", "index") and folder else posixpath.join(folder, short)


def wanted(path: str, language: str | None, text: str) -> Iterator[str]:
    """The stems of files that ``text`` may import; most do not exist."""
    folder = path.rpartition("/")[0]
    if language == "python":
        for name in _modules(text):
            yield from _python_stems(folder, name)
    else:
        for match in _RELATIVE.finditer(text):
            yield stem(posixpath.normpath(posixpath.join(folder, match[1])))


def named(path: str, text: str, names: Container[str]) -> Iterator[str]:
    """The stems of files that ``text`` names in quotes and whose last part is in ``names``.

    Modules and programs that are loaded by name are used as imported ones are.
    """
    folder = path.rpartition("/")[0]
    for match in _QUOTED.finditer(text):
        parts = _ENDING.sub("", match[1]).replace("/", ".").split(".")
        for length in (len(parts), len(parts) - 1):
            if parts[length - 1] in names:
                yield from _python_stems(folder, ".".join(parts[:length]))


def _modules(text: str) -> Iterator[str]:
    """Dotted names, relative ones with their leading dots."""
    # With a bracket behind it, no open one has the rest of the text searched for its end again.
    for match in _PYTHON.finditer(f"{text})"):
        if match[3]:
            yield from _NAME.findall(match[3])
        elif match[1]:
            gap = "" if match[1].endswith(".") else "."
            yield match[1]
            yield from (f"{match[1]}{gap}{name}" for name in _NAME.findall(match[2]))


def _python_stems(folder: str, name: str) -> Iterator[str]:
    """Relative names from where they stand, others from every folder above and its ``src``."""
    local = name.lstrip(".")
    tail = local.replace(".", "/")
    if local != name:
        yield posixpath.normpath(posixpath.join(folder, "../" * (len(name) - len(local) - 1), tail))
        return
    while True:
        yield posixpath.join(folder, tail)
        yield posixpath.join(folder, "src", tail)
        if not folder:
            return
        folder = folder.rpartition("/")[0]
