"""What a template writes, with the line of the template that each line came from."""

import re
from collections.abc import Iterator

from mergegate.repo.engines.helm.values import GAP
from mergegate.repo.engines.terraform.values import Budget, Spent

SIZE_BUDGET = 2 * 1024 * 1024
"""Characters that one template may write."""
_ENTRY = re.compile(rf"[\"']?[\w./${{}}\-{GAP}]+[\"']?\s*:(?:\s|$)")
_NEAR = 100
"""Lines beside one that tell what it is a part of."""
_SEPARATOR = "---"
_OPEN_ENTRY = f"{GAP}: {GAP}"


class Output:
    """Text in pieces."""

    def __init__(self, budget: Budget) -> None:
        self._budget = budget
        self._pieces: list[tuple[str, int, bool]] = []
        """A text, the line on which it begins, and whether it is the template's own."""
        self._size = 0

    @property
    def text(self) -> str:
        """All of it."""
        return "".join(text for text, _, _ in self._pieces)

    @property
    def lines(self) -> tuple[int, ...]:
        """For each line of the text the line of the template that gave its first words."""
        return tuple(line for _, line in self._written())

    def source(self, text: str, line: int) -> None:
        """Write what stands in the template."""
        self._add(text, line, True)

    def made(self, text: str, line: int) -> None:
        """Write what an action made."""
        self._add(text, line, False)

    def _add(self, text: str, line: int, is_source: bool) -> None:
        self._size += len(text)
        self._budget.spend(len(text) // 64)
        if self._size > SIZE_BUDGET:
            raise Spent
        if text:
            self._pieces.append((text, line, is_source))

    def doubtful(self, branch: "Output") -> None:
        """Write that what ``branch`` holds may stand here: entries and items that are not known."""
        written = branch._written()
        first, rest = written[0], [one for one in written[1:] if one[0].strip()]
        if any(text.startswith(_SEPARATOR) for text, _ in written):
            # Whole documents, which end what stands before them.
            self.made(f"\n{_SEPARATOR}\n{_OPEN_ENTRY}\n{_SEPARATOR}\n", first[1])
            return
        if first[0].strip():
            self.made(_stand_in(first[0]), first[1])
        if not rest:
            if len(written) > 1:
                self.made("\n" + written[-1][0], written[-1][1])
            return
        least = min(_indent(text) for text, _ in rest)
        text, line = next(one for one in rest if _indent(one[0]) == least)
        self.made("\n" + " " * least + _stand_in(text.strip()), line)
        if not written[-1][0].strip():
            self.made("\n" + written[-1][0], line)

    def _written(self) -> list[tuple[str, int]]:
        """The lines of the text, each with the line of the template that it came from."""
        done: list[tuple[str, int]] = []
        parts: list[str] = []
        begun = 0
        for text, start, is_source in self._pieces:
            line = start
            for at, piece in enumerate(text.split("\n")):
                if at:
                    done.append(("".join(parts), begun or line))
                    parts, begun = [], 0
                    line += is_source
                parts.append(piece)
                begun = begun or (line if piece.strip() else 0)
        last = self._pieces[-1][1] if self._pieces else 1
        done.append(("".join(parts), begun or last))
        return done


def _indent(text: str) -> int:
    return len(text) - len(text.lstrip(" "))


def _stand_in(text: str) -> str:
    """What stands for entries, items or a value that may be there."""
    if text.startswith("- ") or text == "-":
        return f"- {GAP}"
    return _OPEN_ENTRY if _ENTRY.match(text) else GAP


def settled(text: str) -> str:
    """``text`` with each line of which nothing is known as an entry or item, as its place asks."""
    lines = text.split("\n")
    return "\n".join(_settled(lines))


def _settled(lines: list[str]) -> Iterator[str]:
    for at, line in enumerate(lines):
        bare = line.strip()
        if not bare or bare.strip(GAP):
            yield line
            continue
        sibling = _sibling(lines, at, _indent(line))
        yield line[: _indent(line)] + _stand_in(sibling)


def _sibling(lines: list[str], at: int, indent: int) -> str:
    """What stands beside a line, at the same depth; empty where it stands alone."""
    for step in (1, -1):
        near = at + step
        while 0 <= near < len(lines) and abs(near - at) < _NEAR:
            text = lines[near]
            bare = text.strip()
            if bare and not bare.startswith("#") and bare.strip(GAP):
                if bare == _SEPARATOR or _indent(text) < indent:
                    break
                if _indent(text) == indent:
                    return bare
            near += step
    return ""
