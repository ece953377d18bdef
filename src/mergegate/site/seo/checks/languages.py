"""Languages: which tags there are, what is written for them by mistake, and their stop words."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from mergegate.core.data_table import read_table
from mergegate.site.seo.facts import DATA


@dataclass(frozen=True, slots=True)
class _Codes:
    """Two-letter codes, separated by blanks, and what is mistaken for them."""

    id: str
    languages: str
    withdrawn: str
    regions: str
    kin: tuple[str, ...]
    meant_language: Mapping[str, str]
    meant_region: Mapping[str, str]


_CODES = read_table(DATA / "languages.toml", _Codes)["codes"]
LANGUAGES = frozenset(_CODES.languages.split())
"""ISO 639-1, two letters."""
_WITHDRAWN = frozenset(_CODES.withdrawn.split())
REGIONS = frozenset(_CODES.regions.split())
"""ISO 3166-1 alpha-2, in small letters."""
_KIN = [frozenset(one.split()) for one in _CODES.kin]
_TAG = re.compile(
    r"(?P<language>[a-z]{2,3})(?:-[a-z]{3}){0,3}(?:-(?P<script>[a-z]{4}))?"
    r"(?:-(?P<region>[a-z]{2}|\d{3}))?(?:-(?:[a-z0-9]{5,8}|\d[a-z0-9]{3}))*"
    r"(?:-[a-wyz0-9](?:-[a-z0-9]{2,8})+)*(?:-x(?:-[a-z0-9]{1,8})+)?",
    re.IGNORECASE,
)
"""RFC 5646, section 2.1, without the grandfathered tags."""
_LONGEST_TAG = 60


def flaw(tag: str) -> str:
    """What is wrong with a tag, one clause of our own; empty when it may be right.

    Two letters are looked up; languages of three letters are believed. Source: RFC 5646.
    """
    if len(tag) > _LONGEST_TAG or not (read := _TAG.fullmatch(tag)):
        return "a hyphen belongs between its parts" if "_" in tag else "it is no language tag"
    language, region = read["language"].lower(), (read["region"] or "").lower()
    if len(language) == 2 and language not in LANGUAGES | _WITHDRAWN:
        return "no language has that code"
    if len(region) == 2 and region not in REGIONS:
        return f"no country has the code {region.upper()}"
    return ""


def mended(tag: str) -> str:
    """The tag that was probably meant; empty when that is not known."""
    language, _, region = tag[:_LONGEST_TAG].replace("_", "-").lower().partition("-")
    language = _CODES.meant_language.get(language, language)
    region = _CODES.meant_region.get(region, region)
    guess = f"{language}-{region.upper() if len(region) == 2 else region}" if region else language
    return "" if flaw(guess) else guess


def primary(tag: str) -> str:
    """The language of a tag in small letters."""
    return tag.replace("_", "-").partition("-")[0].strip().lower()


def akin(one: str, other: str) -> bool:
    """Whether two languages are the same, or close enough to be taken for each other."""
    return one == other or any(one in kin and other in kin for kin in _KIN)


STOP_WORDS = {
    language: frozenset(words.split())
    for language, words in read_table(DATA / "stop_words.toml", str).items()
}
"""Stop words by two-letter language code, in the form in which words are compared."""
ANY = frozenset().union(*STOP_WORDS.values())
"""The stop words of all languages, for texts whose language is not known."""


def stop_words(language: str) -> frozenset[str]:
    """The stop words of ``language``; of all languages when there is no list for it."""
    return STOP_WORDS.get(language, ANY)
