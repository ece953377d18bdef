"""The quick actions in a note, as GitLab's old and new versions find them."""

import re

from markdown_it import MarkdownIt

NAMES = (
    "approve", "assign", "close", "label", "lock", "merge", "rebase", "reopen", "shrug",
    "target_branch", "title", "unapprove",
)  # fmt: skip

_COMMAND = rf"^/(?P<cmd>{'|'.join(NAMES)})(?:[ ](?P<arg>[^\n]*))?(?:\s*\n|$)"
_FLAGS = re.MULTILINE | re.IGNORECASE
# GitLab before it asked its Markdown parser: what is matched first is skipped.
_CODE = r"^```.+?\n```$"
_INLINE = r"^.*`\n*.+?\n*`$"
_HTML = r"^<[^>]+?>\n.+?\n</[^>]+?>$"
_QUOTE = r"^>>>.+?\n>>>$"
_OLDER = re.compile(f"(?s:{_CODE})|(?s:{_HTML})|(?s:{_QUOTE})|{_COMMAND}", _FLAGS)
_OLD = re.compile(f"(?s:{_CODE})|(?s:{_INLINE})|(?s:{_HTML})|(?s:{_QUOTE})|{_COMMAND}", _FLAGS)
_NEW = re.compile(_COMMAND, _FLAGS)


def commands(body: str) -> set[str]:
    """What any version would run."""
    text = body.replace("\r", "")
    found = [*_OLDER.finditer(text), *_OLD.finditer(text)]
    found += [one for part in _paragraphs(text) for one in _NEW.finditer(part)]
    return {one["cmd"].lower() for one in found if one["cmd"]}


def without(body: str) -> str:
    """The text that is left when the commands have been taken out."""
    return _NEW.sub("", body.replace("\r", "")).strip()


def _paragraphs(text: str) -> list[str]:
    """The source of every paragraph that stands in nothing else."""
    rows = text.split("\n")
    tokens = MarkdownIt("commonmark").parse(text)
    top = [one.map for one in tokens if one.type == "paragraph_open" and one.level == 0]
    return ["\n".join(rows[place[0] : place[1]]) for place in top if place]
