"""Which files the text of a script or module asks for."""

import posixpath
import re
from collections.abc import Container, Iterator, Sequence
from itertools import combinations

# Both begin with a letter, by which they are found much faster than by what may stand before.
_FROM = re.compile(r"from[ \t]+(\.*[\w.]*)[ \t]+import[ \t]*(\((?:[^()#]++|#[^\n]*+)*+\)|[^\n#;]+)")
_IMPORT = re.compile(r"import[ \t]+([^\n#;]+)")
_BEFORE = frozenset(""";:"'""")
"""What may stand before an import that does not begin its line."""
_MARGIN = 200
_RELATIVE = re.compile(
    r"""(?:["'`](?=\.\.?/)|(?:\brequire_relative\b|\b__DIR__\s*\.)[ \t(]*["']/?)"""
    r"""([^"'`\n]{1,200})["'`]"""
)
_QUOTED = re.compile(r"""["'](?:[@~]/)?((?:[\w-]+[./])+[\w-]+)["':]""")
_ENTRY = re.compile(r"=[ ]?((?:\w+\.)+\w+):[A-Za-z_]")
"""``name=package.module:function``."""
_HANDED = re.compile(r"""(?:python|node)[^"'`\n]{0,200}[ =]((?:[\w-]+[./])+[\w-]+)["']""")
"""The last word of a command."""
_IN_PACKAGE = re.compile(r"""["']\.([\w.]+)["']\s*,\s*(?:package\s*=\s*)?["']([\w.]+)["']""")
_JOINED = re.compile(
    r"""["'][\w./-]{1,200}["'](?:[\])]?\s{0,20}[,/+]\s{0,20}["'][\w./-]{1,200}["']){1,5}"""
)
_PART = re.compile(r"""["']([\w./-]+)["']""")
_COMPUTED = re.compile(
    r"""\b(?:import_module|__import__|run_module|run_path|require|import)\s{0,20}\(\s{0,20}"""
    r"""[fF]?["'`](\.{0,2}/?\w[\w./-]{0,200}[./])(?:["'`]\s{0,20}[+%]|[\w-]{0,99}(?:\$?\{|%))"""
)
_LOADERS = ("import_module", "__import__", "run_module", "run_path", "require(", "import(")
_ELSEWHERE = ("sys.path", "addsitedir")
_PROGRAMS = ("python ", "python3 ", "node ")
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
    for word in _words(text):
        if "/" in word and _ENDING.sub("", word.rpartition("/")[2]) in names:
            yield from _above(folder, stem(posixpath.normpath(word.lstrip("./"))))
        parts = _ENDING.sub("", word).replace("/", ".").strip(".").split(".")
        for length in {len(parts), max(len(parts) - 1, 1)}:
            if parts[length - 1] in names:
                yield from _above(folder, "/".join(parts[:length]))


def _words(text: str) -> Iterator[str]:
    """Paths and dotted names in quotes, whole or in pieces."""
    yield from _QUOTED.findall(text)
    if "entry_points" in text:
        yield from _ENTRY.findall(text)
    if _holds(text, _PROGRAMS):
        yield from _HANDED.findall(text)
    if _holds(text, _LOADERS):
        yield from (f"{match[2]}.{match[1]}" for match in _IN_PACKAGE.finditer(text))
    for match in _JOINED.finditer(text):
        parts = [part.strip("/.") for part in _PART.findall(match[0])]
        for start, end in combinations(range(len(parts) + 1), 2):
            if end - start > 1:
                yield "/".join(parts[start:end])


def _holds(text: str, words: Sequence[str]) -> bool:
    """Whether any of ``words`` stands in ``text``: far quicker than a pattern."""
    for word in words:  # noqa: SIM110 - `any` takes as long again
        if word in text:
            return True
    return False


def opened(path: str, text: str) -> Iterator[str]:
    """Folders out of which ``text`` may load any file, as its name is known only in the run.

    Its own folder is none: packages load their parts so.
    """
    folder = path.rpartition("/")[0]
    for match in _COMPUTED.finditer(text) if _holds(text, _LOADERS) else ():
        name = match[1]
        if name.startswith("."):
            yield posixpath.normpath(posixpath.join(folder, name))
        else:
            yield from _above(folder, name.replace(".", "/").strip("/"))


def found_elsewhere(
    path: str, language: str | None, text: str, known: Container[str]
) -> Iterator[str]:
    """Modules that are imported where ``text`` says itself where they lie.

    ``known`` holds the stems of all files: what is found among them without that is left out.
    """
    if language != "python" or not _holds(text, _ELSEWHERE):
        return
    folder = path.rpartition("/")[0]
    for name in {one.partition(".")[0] for one in _modules(text)}:
        if name[:1] != "_" and not any(one in known for one in _above(folder, name)):
            yield name


def _modules(text: str) -> Iterator[str]:
    """Dotted names, relative ones with their leading dots."""
    text = text.replace("\\\n", " ")
    for match in _FROM.finditer(text):
        if match[1]:
            gap = "" if match[1].endswith(".") else "."
            yield match[1]
            yield from (f"{match[1]}{gap}{name}" for name in _NAME.findall(match[2]))
    for match in _IMPORT.finditer(text):
        before = text[max(match.start() - _MARGIN, 0) : match.start()].rpartition("\n")[2].rstrip()
        if not before or before[-1] in _BEFORE:
            yield from _NAME.findall(match[1])


def _python_stems(folder: str, name: str) -> Iterator[str]:
    """Relative names from where they stand, others from every folder above and its ``src``."""
    local = name.lstrip(".")
    tail = local.replace(".", "/")
    if local != name:
        yield posixpath.normpath(posixpath.join(folder, "../" * (len(name) - len(local) - 1), tail))
    else:
        yield from _above(folder, tail)


def _above(folder: str, tail: str) -> Iterator[str]:
    while True:
        if not folder:
            yield from (tail, f"src/{tail}")
            return
        yield from (f"{folder}/{tail}", f"{folder}/src/{tail}")
        folder = folder.rpartition("/")[0]
