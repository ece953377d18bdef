"""What of a file is for tests or readers alone, though the file itself is production code.

Told by the text: a module that Rust compiles for tests, the documentation that a module of Ansible
holds as text and does not use, and the service containers of a job of a GitHub workflow, which
live as long as the job does.
"""

import re
from collections.abc import Iterable, Iterator, Sequence

from mergegate.secrets.detectors import DETECTORS
from mergegate.secrets.source import Hit, Source

Spans = Sequence[tuple[int, int]]
_RUST = re.compile(
    r"//[^\n]*+|/\*"
    r"|\br(?P<marks>#{0,9})\".*?(?:\"(?P=marks)|\Z)|\"(?:[^\"\\]|\\.)*+\"?|'(?:\\[^\n]|[^\\'\n])'"
    r"|(?P<opens>^[ \t]{0,40}#\[cfg\(test\)\][ \t]*\r?\n(?:[ \t]*(?:#\[|//)[^\n]*\n){0,9}"
    r"[ \t]*mod \w+ \{)|[{}]",
    re.MULTILINE | re.DOTALL,
)
"""What opens a comment, texts, modules for tests, braces."""
_STARS = re.compile(r"/\*|\*/")
_DOCUMENTATION = re.compile(
    r"^(?P<name>DOCUMENTATION|EXAMPLES|RETURN)[ ]*=[ ]*[rRuU]?(?P<quotes>\"{3}|'{3}).*?(?P=quotes)",
    re.MULTILINE | re.DOTALL,
)
_OF_ANSIBLE = re.compile(r"^[ \t]*short_description[ ]*:", re.MULTILINE)
_WORKFLOW = re.compile(r"^(?:on|'on'|\"on\")[ ]*:", re.MULTILINE)
_JOBS = re.compile(r"^jobs:[^\n]*\n(?:[ \t#][^\n]*\n|\r?\n)*", re.MULTILINE)
_SERVICES = re.compile(
    r"^(?P<blank>[ ]{2,20})services:[ ]*\r?\n(?:(?P=blank)[ ][^\n]*\n|[ ]*\r?\n)*", re.MULTILINE
)
_IMAGE = re.compile(r"^[ ]+image[ ]*:", re.MULTILINE)


def outside(source: Source, values: Iterable[Sequence[Hit]]) -> frozenset[Hit]:
    """The hits that stand outside production code; ``values`` holds the places of each value."""
    tests, services = _tests(source), _services(source)
    if not tests and not services:
        return frozenset()
    return frozenset(
        hit
        for places in values
        for hit in (places if _opens_service(places, services) else _within(places, tests))
    )


def _opens_service(places: Iterable[Hit], services: Spans) -> bool:
    """Whether it is the password of a container; the steps that log in to it repeat it."""
    return any(DETECTORS[hit.detector].by_context for hit in _within(places, services))


def _within(places: Iterable[Hit], spans: Spans) -> Iterable[Hit]:
    return (hit for hit in places if any(start <= hit.start < end for start, end in spans))


def _tests(source: Source) -> Spans:
    if source.suffix == ".rs" and "#[cfg(test)]" in source.text:
        return list(modules_for_tests(source.text))
    return list(_documentation(source.text)) if source.suffix == ".py" else ()


def modules_for_tests(text: str) -> Iterator[tuple[int, int]]:
    """The modules of Rust for tests, from attribute to closing brace; none that is not closed."""
    start, depth, at = 0, 0, 0
    while found := _RUST.search(text, at):
        at = _behind_comment(text, found.end()) if found[0] == "/*" else found.end()
        if depth:
            depth += {"{": 1, "}": -1}.get(found[0][-1] if found["opens"] else found[0], 0)
            if not depth:
                yield start, at
        elif found["opens"]:
            start, depth = found.start(), 1


def _behind_comment(text: str, at: int) -> int:
    """Where the comment ends that was opened before ``at``; comments of Rust nest."""
    depth = 1
    for found in _STARS.finditer(text, at):
        depth += 1 if found[0] == "/*" else -1
        if not depth:
            return found.end()
    return len(text)


def _documentation(text: str) -> Iterator[tuple[int, int]]:
    """What a module of Ansible says of itself, unless it uses that as well."""
    spans = [(found["name"], found.span()) for found in _DOCUMENTATION.finditer(text)]
    if not spans or not _OF_ANSIBLE.search(text):
        return
    rest = _DOCUMENTATION.sub("", text)
    used = {name for name, _ in spans if re.search(rf"\b{name}\b", rest)}
    yield from (span for name, span in spans if name not in used)


def _services(source: Source) -> Spans:
    """The containers of a workflow's jobs; other settings may have names like these."""
    if source.suffix not in {".yml", ".yaml"} or not _WORKFLOW.search(source.text):
        return ()
    jobs = [one.span() for one in _JOBS.finditer(source.text)]
    found = (one for span in jobs for one in _SERVICES.finditer(source.text, *span))
    return [one.span() for one in found if _IMAGE.search(one[0])]
