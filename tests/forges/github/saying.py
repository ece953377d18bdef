"""Publications made by hand."""

from dataclasses import replace

from mergegate.core.report import Gate
from mergegate.core.severity import Severity
from mergegate.forges.marker import Hiding, State, mark, remember
from mergegate.forges.publication import Annotation, Publication, Remark
from tests.forges.github.hub import HEAD


def id_of(number: int) -> str:
    """A finding's id."""
    return f"{number:016x}"


def remark(number: int, text: str = "Take care", **changed: object) -> Remark:
    """About line ``number`` of ``app.py``."""
    body = f"**{text}**\n\n{mark(id_of(number), Hiding.HTML)}"
    plain = Remark(
        finding_id=id_of(number), path="app.py", start_line=number, end_line=number, body=body
    )
    return replace(plain, **changed)  # type: ignore[arg-type]


def annotation(number: int, **changed: object) -> Annotation:
    """On line ``number`` of ``app.py``."""
    plain = Annotation(
        finding_id=id_of(number),
        path="app.py",
        start_line=number,
        end_line=number,
        severity=Severity.HIGH,
        rule_id="python/eval",
        title="eval of a request",
        message="Parse it instead.",
        url="https://mergegate.example.org/rules/python/eval",
    )
    return replace(plain, **changed)  # type: ignore[arg-type]


def summary(head: str = HEAD, sequence: int = 1, text: str = "Fails") -> str:
    """A summary comment's body."""
    return f"## {text}\n\n{remember(State(head=head, sequence=sequence), Hiding.HTML)}"


def publication(*numbers: int, **changed: object) -> Publication:
    """An answer that finds ``numbers``."""
    plain = Publication(
        head=HEAD,
        gate=Gate.FAILED if numbers else Gate.PASSED,
        headline=f"{len(numbers)} new findings, score 61",
        comment=lambda state: summary(),
        details="The whole report.",
        annotations=tuple(annotation(number) for number in numbers),
        remarks=tuple(remark(number) for number in numbers),
        present=frozenset(map(id_of, numbers)),
    )
    return replace(plain, **changed)  # type: ignore[arg-type]
