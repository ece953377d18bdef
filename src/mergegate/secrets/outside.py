"""What of a file is for tests or readers alone, though the file itself is production code.

Told by the text: a module that Rust compiles for tests, the documentation that a module of Ansible
holds as text, and the service containers of a job of a GitHub workflow, which live as long as the
job does.
"""

import re
from collections.abc import Iterable, Sequence

from mergegate.secrets.detectors import DETECTORS
from mergegate.secrets.source import Hit, Source

Spans = Sequence[tuple[int, int]]
_RUST_TESTS = re.compile(
    r"^(?P<blank>[ \t]{0,40})#\[cfg\(test\)\][ \t]*\r?\n(?:(?P=blank)(?:#\[|//)[^\n]*\n){0,9}"
    r"(?P=blank)mod \w+ \{[ \t]*\r?\n(?:(?!(?P=blank)\})[^\n]*\n)*",
    re.MULTILINE,
)
"""Up to the first brace at the module's own depth: a text that holds one there ends it early."""
_DOCUMENTATION = re.compile(
    r"^(?:DOCUMENTATION|EXAMPLES|RETURN)[ ]*=[ ]*[rRuU]?(?P<quotes>\"{3}|'{3}).*?(?P=quotes)",
    re.MULTILINE | re.DOTALL,
)
_JOBS = re.compile(r"^jobs:", re.MULTILINE)
_SERVICES = re.compile(
    r"^(?P<blank>[ ]{2,20})services:[ ]*\r?\n(?:(?P=blank)[ ][^\n]*\n|[ ]*\r?\n)*", re.MULTILINE
)


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
    pattern = {".rs": _RUST_TESTS, ".py": _DOCUMENTATION}.get(source.suffix)
    return [match.span() for match in pattern.finditer(source.text)] if pattern else ()


def _services(source: Source) -> Spans:
    if source.suffix not in {".yml", ".yaml"} or not _JOBS.search(source.text):
        return ()
    return [match.span() for match in _SERVICES.finditer(source.text)]
