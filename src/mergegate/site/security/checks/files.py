"""Files that were never meant to be served, and are."""

from collections import defaultdict
from collections.abc import Iterator

from mergegate.site.security.checks.flaw import RULES, flaw
from mergegate.site.security.facts import ProbedFile, SecurityFacts
from mergegate.site.security.report import Flaw

_RULES = {
    id.removeprefix("exposed-"): rule for id, rule in RULES.items() if id.startswith("exposed-")
}
"""By what the list of paths calls such a file."""


def flaws(facts: SecurityFacts) -> Iterator[Flaw]:
    """One a kind, worst first; a path that merely answers with a good status is none."""
    found: defaultdict[str, list[ProbedFile]] = defaultdict(list)
    for one in facts.files:
        if one.proved and one.what in _RULES:
            found[one.what].append(one)
    for what, files in sorted(found.items(), key=lambda item: -_RULES[item[0]].severity):
        rule, paths = _RULES[what], ", ".join(one.path for one in files)
        url = files[0].fetched.final_url
        yield flaw(rule, url, rule.said(paths=paths), evidence=paths, count=len(files))
