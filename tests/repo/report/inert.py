"""What a forge would see in a page: tags, links, words outside code."""

import re
from collections.abc import Iterable, Iterator
from html.parser import HTMLParser

from markdown_it import MarkdownIt
from markdown_it.token import Token

PARSER = MarkdownIt("commonmark", {"html": True}).enable("table")
SIGNAL = re.compile(r"@\w|[#!~&%]\d|://|www\.|javascript:|:\w+:")
OURS = frozenset({"details", "summary", "b", "code", "sub"})
MARKER = re.compile(r"<!-- mergegate:(state [\w=-]+|finding [0-9a-f]+) -->")
SOURCE = re.compile(
    r"https://[\w.-]+(?::\d+)?/[\w.%~/-]+/(?:blob|src)/[0-9a-f]{40}/[\w.%~/-]+"
    r"(?:\?plain=1)?(?:#[Ll][\w:-]+)?"
)
"""A line at its forge: the one link that stands between tags."""
QUICK_ACTION = re.compile(r"^\s*/\w", re.MULTILINE)


def tokens(page: str) -> Iterator[Token]:
    """Every token of the page, those within lines included."""
    return _unfolded(PARSER.parse(page))


def _unfolded(blocks: Iterable[Token]) -> Iterator[Token]:
    for token in blocks:
        yield token
        yield from token.children or ()


class _Html(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str | None]] = []
        self.words: list[str] = []
        self.comments: list[str] = []
        self._inside_code = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += attrs
        self._inside_code += tag == "code"

    def handle_endtag(self, tag: str) -> None:
        self._inside_code -= tag == "code"

    def handle_data(self, data: str) -> None:
        if not self._inside_code:
            self.words.append(data)

    def handle_comment(self, data: str) -> None:
        self.comments.append(f"<!--{data}-->")


def harm(page: str) -> list[str]:
    """Everything in ``page`` that a forge would act on, said in words; empty when inert."""
    html = _Html()
    found: list[str] = []
    inside_link = 0
    blocks = PARSER.parse(page)
    for token in _unfolded(blocks):
        inside_link += (token.type == "link_open") - (token.type == "link_close")
        if token.type in {"html_block", "html_inline"}:
            html.feed(token.content)
        if token.type == "image":
            found.append(f"image: {token.content}")
        if token.type == "link_open" and not str(token.attrGet("href")).startswith("https://"):
            found.append(f"link: {token.attrGet('href')}")
        if token.type == "text" and not inside_link and SIGNAL.search(token.content):
            found.append(f"word: {token.content}")
    sources = [
        one for one in html.attributes if one[0] == "href" and SOURCE.fullmatch(one[1] or "")
    ]
    found += [f"tag: {tag}" for tag in html.tags if tag not in OURS and tag != "a"]
    found += [f"attribute: {one}" for one in html.attributes if one not in sources]
    if html.tags.count("a") != len(sources):
        found.append("a link that leads to no line")
    found += [f"comment: {one}" for one in html.comments if not MARKER.fullmatch(one)]
    found += [f"word: {word}" for word in html.words if SIGNAL.search(word)]
    outside = "".join(t.content for t in blocks if t.type == "html_block")
    found += [f"command: {one}" for one in QUICK_ACTION.findall(page)]
    if outside.count("<details>") != outside.count("</details>"):
        found.append("details left open")
    return found
