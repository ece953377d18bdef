"""The gates that a proposed change must pass before anybody is offered it, each by its name.

A gate answers why a change does not pass; an empty answer lets it through.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from mergegate.core.finding import Edit, Finding
from mergegate.core.severity import Kind
from mergegate.repo.examine import NOT_SEARCHED
from mergegate.repo.fixes import directives, edits, go_imports, mappings
from mergegate.repo.fixes.beside import strays
from mergegate.repo.fixes.candidate import MODEL, Candidate, Told, scope
from mergegate.repo.fixes.shape import misshapen
from mergegate.repo.fixes.smuggling import is_wanted, smuggled
from mergegate.repo.fixes.syntax import Source, above, parses

Gate = Callable[[Candidate], str]


def in_scope(one: Candidate) -> str:
    """Only the finding's file, inside the function around it, and the imports.

    A recipe may also change a field that the function uses.
    """
    named = one.finding.kind is Kind.DEPENDENCY
    meant = one.file.path if named else one.finding.place.file
    if any(edit.path != meant for edit in one.edits):
        return "it changes another file"
    if named:
        return ""  # a version where its package is named, in a list that nothing else stands in
    if sum(edit.end_line - edit.start_line + 1 for edit in one.edits) > edits.MOST_LINES:
        return f"it changes more than {edits.MOST_LINES} lines"
    if one.file.language in mappings.LANGUAGES:
        return _in_object(one)
    return "" if one.sources is None else _in_function(one, one.sources[0])


def _in_function(one: Candidate, before: Source) -> str:
    fields = () if one.source == MODEL else _fields(before, one.finding)
    allowed = (scope(before, one.finding), *fields)
    for edit in one.edits:
        inside = any(edit.start_line in some and edit.end_line in some for some in allowed)
        if not inside and not _only_adds_imports(one, edit):
            return "it changes lines outside the function that was meant"
    return ""


def _fields(source: Source, finding: Finding) -> Iterator[range]:
    """The lines of each field of Java that the function around the finding names."""
    around = above(source.at(*source.range_of(finding.place)), source.language.functions)
    names = {source.of(one) for one in source.walk(around) if one.type == "identifier"}
    for one in source.walk() if around is not None else ():
        if one.type == "variable_declarator" and one.parent is not None:
            name = one.child_by_field_name("name")
            if one.parent.type == "field_declaration" and name and source.of(name) in names:
                yield source.lines(one.parent)


def _in_object(one: Candidate) -> str:
    """Only the resource, service or job that was found, or the document of one object."""
    allowed = mappings.scope(one.before, one.finding.place.start_line)
    declared = range(0)
    if one.recipe is not None and one.recipe.declares:
        declared = mappings.declarations(one.before)
    # What is put in behind the last of them stands before the line that follows.
    declared = range(declared.start, declared.stop + 1) if declared else declared
    edits = [each for each in one.edits if not _is_within(each, declared)]
    # What is put in behind the last line stands before the line that follows.
    inside = (
        allowed is None
        or all(_is_within(edit, allowed) for edit in edits)
        or all(edit.start_line in (*allowed, allowed.stop) for edit in edits)
    )
    return "" if inside else "it changes lines outside the object that was meant"


def _is_within(edit: Edit, lines: range) -> bool:
    return edit.start_line in lines and edit.end_line <= lines.stop


def _only_adds_imports(one: Candidate, edit: Edit) -> bool:
    """Whether an edit leaves the lines that stand there, and adds those of the recipe."""
    old = one.before.split("\n")[edit.start_line - 1 : edit.end_line]
    new = edit.replacement.split("\n")
    left = Counter(map(str.strip, new)) - Counter(map(str.strip, old))
    gone = Counter(map(str.strip, old)) - Counter(map(str.strip, new))
    return all(not line or is_wanted(one, line) for line in left) and all(
        not line or _is_needless(one, line) for line in gone
    )


def _is_needless(one: Candidate, line: str) -> bool:
    """Whether a line imports what nothing uses any more, which Go does not compile."""
    if one.recipe is None or one.sources is None:
        return False
    _, after = one.sources
    return after.language.name == "go" and go_imports.may_go(line, after)


def applies(one: Candidate) -> str:
    """The edits fit into the file, and change it."""
    if not one.file.verbatim:
        return "what was read is not the file's own text"
    return "it does not apply" if one.after in {None, one.before} else ""


def still_parses(one: Candidate) -> str:
    """The changed file is valid."""
    suffix = ".toml" if one.file.path.rpartition("/")[2] == "Pipfile" else one.file.suffix
    valid = parses(one.after or "", one.file.language, suffix)
    if directives.names(one.finding.rule_id):
        valid = directives.read(one.after or "") is not None
    if valid is None:
        return "nothing here can read its language"
    return "" if valid else "the file would no longer parse"


def finding_gone(one: Candidate) -> str:
    """Scanned again, one finding of the rule less, in a file that was searched whole."""
    if one.now[NOT_SEARCHED]:
        return "the changed file could not be searched"
    rule = one.finding.rule_id
    return "" if one.now[rule] < one.was[rule] else "what was found is still found"


_TOLD_ONCE = frozenset({"workflow-unpinned-action"})
_MILDER = frozenset(
    {
        "iac-compose-login-off-within",
        "iac-compose-processes-left",
        "iac-dockerfile-code-of-the-running-user",
    }
)
"""What is left of a matter that ours have mended in part, for information: it was worse before."""


def nothing_new(one: Candidate) -> str:
    """Scanned again, no finding of any rule more, low ones and those for information included."""
    # What is told once for all files is told of one of them, and ours bring none of it.
    ours = _TOLD_ONCE | _MILDER if one.recipe is not None else frozenset[str]()
    more = sorted(rule for rule, times in (one.now - one.was).items() if rule not in ours)
    return f"it brings {', '.join(more)}" if more else ""


def nothing_smuggled(one: Candidate) -> str:
    """No new comment that silences a tool, import, address or hidden character; no name lost."""
    return next(smuggled(one), "")


BEFORE: Mapping[str, Gate] = {
    "in scope": in_scope,
    "applies": applies,
    "parses": still_parses,
    "nothing smuggled": nothing_smuggled,
    "expected shape": misshapen,
    "nothing else": strays,
}
"""What is asked of the texts alone."""
AFTER: Mapping[str, Gate] = {"finding gone": finding_gone, "nothing new": nothing_new}
"""What is asked once the changed file was scanned again."""
NAMES: Sequence[str] = (*BEFORE, *AFTER)
"""The names of all gates, in order; a verified fix has passed them all."""
OWN_TESTS = "own tests"
"""The gate of all fixes at once, where somebody ordered it: the team's own tests."""


def refusal(one: Candidate, gates: Mapping[str, Gate]) -> tuple[str, str] | None:
    """The first gate that the candidate does not pass, and why; None when it passes them all."""
    for name, gate in gates.items():
        try:
            why = gate(one)
        except RecursionError:
            why = TOO_DEEP
        if why:
            return name, why
    return None


TOO_DEEP = "its code is nested too deeply"
"""A hostile file may nest without end: the fix is refused, and the scan goes on."""


def told(findings: Iterable[Finding]) -> Mapping[str, Told]:
    """How often each rule was told of each file."""
    found: dict[str, Told] = {}
    for one in findings:
        found.setdefault(one.place.file, Counter())[one.rule_id] += 1
    return found
