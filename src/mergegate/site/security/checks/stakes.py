"""Whether a page has anything that an attacker on it could take.

A missing header is no hole: it would have made one that is found elsewhere harmless. On a page
that knows nothing of its visitors and takes nothing from them it is a habit to take up, and no
reason to stop a release. Scripts of other sites that it runs change nothing of that: a policy has
to let them in.
"""

from dataclasses import replace

from mergegate.site.facts.document import Document
from mergegate.site.security.checks.cookies import Use, use
from mergegate.site.security.checks.csrf import is_search
from mergegate.site.security.checks.flaw import RULES, extended
from mergegate.site.security.facts import SecurityFacts
from mergegate.site.security.report import Flaw

_TELLING = "forms"
_NOTHING = "Neither form nor session was seen here."


def weighed(found: Flaw, facts: SecurityFacts) -> Flaw:
    """``found`` at what its rule weighs on this page."""
    rule = RULES.get(found.rule)
    if rule is None or found.severity <= rule.without_stakes or has_stakes(facts):
        return found
    message = extended(found.message, _NOTHING)
    return replace(found, severity=rule.without_stakes, message=message)


def has_stakes(facts: SecurityFacts) -> bool:
    """Whether visitors sign in, are known, or type something in.

    True, too, where that is not known: the page was opened with credentials, is not whole, or
    looks as though scripts that were not run would fill it.
    """
    rendered = facts.rendered.document if facts.rendered and not facts.rendered.failure else None
    documents = [facts.document, *([rendered] if rendered else [])]
    return (
        facts.signed_in
        or any(use(one) is not Use.OTHER for one in facts.cookies)
        or any(map(_asks, documents))
        or (rendered is None and _is_unfilled(facts.document))
    )


def _asks(page: Document) -> bool:
    return _TELLING in page.cut or any(not is_search(form) for form in page.forms)


def _is_unfilled(page: Document) -> bool:
    return bool(page.scripts) and not page.headings and not page.blocks
