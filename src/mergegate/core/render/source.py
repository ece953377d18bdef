"""Where a forge shows the lines of a scanned commit."""

import re
from urllib.parse import quote

from mergegate.core.finding import Place
from mergegate.core.render import escape
from mergegate.core.report import Target

_LONGEST = 500
_ADDRESS = re.compile(
    r"https://[A-Za-z0-9.-]+(?::[0-9]{1,5})?/[A-Za-z0-9._~%/-]+(?:\?plain=1)?"
    r"(?:#[A-Za-z0-9:-]+)?"
)
_COMMIT = re.compile(r"[0-9a-f]{40}(?:[0-9a-f]{24})?")
_FILES = {
    "github": "{web}/blob/{commit}/{path}",
    "gitlab": "{web}/-/blob/{commit}/{path}",
    "bitbucket": "{web}/src/{commit}/{path}",
}
NAMES = {"github": "GitHub", "gitlab": "GitLab", "bitbucket": "Bitbucket"}
"""What the forges call themselves, by provider."""
_LINE = {"github": "#L{}", "gitlab": "#L{}", "bitbucket": "#lines-{}"}
_LINES = {"github": "#L{}-L{}", "gitlab": "#L{}-{}", "bitbucket": "#lines-{}:{}"}
_PLAIN = {"github": "?plain=1", "gitlab": "?plain=1"}
"""Without it a Markdown file is shown rendered, where no line has a place."""
_RENDERED = (".md", ".markdown", ".rst", ".adoc", ".ipynb")


def link(target: Target, place: Place) -> str:
    """The address of the lines, https; empty where it is not known or no address of ours.

    Of a test merge it is the change's own last commit, which outlives the merge. What the work
    tree has otherwise than the commit has no address, nor has a name with hidden characters.
    """
    commit, provider = target.head or target.commit or "", target.provider or ""
    is_known = provider in _FILES and target.web and _COMMIT.fullmatch(commit)
    is_there = place.file and place.file not in target.altered
    if not is_known or not is_there or escape.visible(place.file) != place.file:
        return ""
    path = quote(place.file, safe="/")
    address = _FILES[provider].format(web=target.web, commit=commit, path=path)
    return _plain(f"{address}{_anchor(provider, place)}")


def web(host: str, *names: str) -> str:
    """The address of ``names`` at ``host``; empty for what is no public name of a host."""
    return at(f"https://{host}", *names) if "." in host else ""


def at(server: str, *names: str) -> str:
    """The address of ``names`` at a forge; empty for one that is not https."""
    path = "/".join(quote(name, safe="/") for name in names if name)
    return _plain(f"{server}/{path}")


def _plain(address: str) -> str:
    """``address``, if nothing in it can end a link, in Markdown or HTML; else nothing."""
    return address if len(address) <= _LONGEST and _ADDRESS.fullmatch(address) else ""


def _anchor(provider: str, place: Place) -> str:
    if not place.start_line:
        return ""
    plain = _PLAIN.get(provider, "") if place.file.lower().endswith(_RENDERED) else ""
    if place.end_line <= place.start_line:
        return plain + _LINE[provider].format(place.start_line)
    return plain + _LINES[provider].format(place.start_line, place.end_line)
