"""Read the keywords that a page is analysed for; a request is checked by it before it runs."""

from collections.abc import Sequence

from mergegate.core.errors import UsageError

MOST_KEYWORDS = 10
_LONGEST_KEYWORD = 100


def keywords_of(given: Sequence[str]) -> tuple[str, ...]:
    """Each keyword once; an entry may hold several, comma separated.

    Raises UsageError for more than ten, or for one that is longer than a keyword.
    """
    once: dict[str, str] = {}
    for part in (part for one in given for part in one.split(",")):
        keyword = " ".join(part.split())
        once.setdefault(keyword.casefold(), keyword)
    found = tuple(filter(None, once.values()))
    if len(found) > MOST_KEYWORDS:
        raise UsageError(f"an analysis takes at most {MOST_KEYWORDS} keywords")
    if any(len(one) > _LONGEST_KEYWORD for one in found):
        raise UsageError(f"a keyword is longer than {_LONGEST_KEYWORD} letters")
    return found
