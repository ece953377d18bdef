"""How wide a text is in a search result: an estimate by the widths of Arial's letters."""

import unicodedata

TITLE_PX = 600
"""About what a title has room for in a result on a desktop."""
DESCRIPTION_PX = 990
"""About what a description has room for: two lines."""
_TITLE_SIZE, _DESCRIPTION_SIZE = 20, 14
"""Pixels of the letters."""
_EM = 1_000
_WIDE = 1_000
_OTHER = 556
_WIDTHS = {
    191: "'",
    222: "ijl‘’",
    260: "|",
    278: " !,./:;I[\\]ft",
    333: "()-`r“”",
    334: "{}",
    355: '"',
    389: "*",
    469: "^",
    500: "Jcksvxyz",
    556: "#$0123456789?L_abdeghnopqu–",
    584: "+<=>~",
    611: "FTZ",
    667: "&ABEKPSVXY",
    722: "CDHNRUw",
    778: "GOQ",
    833: "Mm",
    889: "%",
    944: "W",
    1_000: "—…",
    1_015: "@",
}
_WIDTH = {letter: width for width, letters in _WIDTHS.items() for letter in letters}


def title_px(text: str) -> int:
    """Pixels of ``text`` as a result's title."""
    return _units(text) * _TITLE_SIZE // _EM


def description_px(text: str) -> int:
    """Pixels of ``text`` as a result's description."""
    return _units(text) * _DESCRIPTION_SIZE // _EM


def _units(text: str) -> int:
    return sum(_width(letter) for letter in unicodedata.normalize("NFD", text))


def _width(letter: str) -> int:
    if unicodedata.combining(letter):
        return 0
    wide = unicodedata.east_asian_width(letter) in "WF"
    return _WIDE if wide else _WIDTH.get(letter, _OTHER)
