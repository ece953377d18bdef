"""The list of predictions in the documentation: ``mergegate doctor --list``."""

from collections.abc import Iterator

from mergegate.doctor.predict.prediction import Kind

_PARTS = {"ci": "Any platform", "github": "GitHub", "gitlab": "GitLab", "bitbucket": "Bitbucket"}
START = "<!-- predictions: made by `mergegate doctor --list`, do not edit -->"
END = "<!-- end of predictions -->"


def predictions_list(kinds: tuple[Kind, ...]) -> str:
    """Markdown between its two marks: one table a platform."""
    parts = [line for part, title in _PARTS.items() for line in _part(part, title, kinds)]
    return "\n".join([START, "", *parts, END, ""])


def _part(part: str, title: str, kinds: tuple[Kind, ...]) -> Iterator[str]:
    chosen = sorted(
        (kind for kind in kinds if kind.id.startswith(f"{part}-")),
        key=lambda kind: (kind.outcome.rank, kind.id),
    )
    yield from (f"### {title}", "", "| Prediction | | What goes wrong | What to do |")
    yield "|---|---|---|---|"
    for kind in chosen:
        cells = (f"[`{kind.id}`]({kind.reference})", kind.outcome.value, kind.title, kind.advice)
        yield f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |"
    yield ""
