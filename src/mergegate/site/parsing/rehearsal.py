"""What of a page may be parsed here: it is cut, and parsed in a process with limits first.

Formatting elements that stay open are made anew in each block that follows (HTML, "reconstruct the
active formatting elements"), and only equal ones are held to three: 35 kB of them fill 800 MB.
Run as a program, this parses the page on its standard input, and says nothing.
"""

import re
import sys

from selectolax.lexbor import LexborHTMLParser

from mergegate.core.errors import EngineError
from mergegate.site.parsing.guard import readable

_FORMATTING = re.compile(
    r"<(?:big|b|code|em|font|i|nobr|small|strike|strong|s|tt|u)(?=[\s/>])[^>]*", re.IGNORECASE
)
_MANY = 250_000
"""Elements that may come about by it, of half a kilobyte each; usual pages stay far below."""
_MEBIBYTE = 1024 * 1024
_PATIENCE_S = 20
_MEMORY = 640 * _MEBIBYTE


def harmless(html: str) -> str:
    """The beginning of ``html`` that the parser reads in time and memory; empty when none is."""
    page = html[: readable(html)]
    return page if _multiplies(page) <= _MANY or _goes_well(page) else ""


def _multiplies(page: str) -> int:
    different = set(_FORMATTING.findall(page))
    return len(different) * (page.count("<") - page.count("</"))


def _goes_well(page: str) -> bool:
    from mergegate.sandbox.files.stage import Stage  # noqa: PLC0415
    from mergegate.sandbox.process import run  # noqa: PLC0415 - hardly any page takes one

    limits = run.Limits(timeout_s=_PATIENCE_S, memory_bytes=_MEMORY, output_bytes=_MEBIBYTE)
    with Stage() as stage:
        try:
            done = run.run(
                run.python_module(__name__),
                cwd=stage.room("page"),
                limits=limits,
                stdin=page.encode("utf-8", "replace"),
            )
        except EngineError:
            return False
    return done.exit_code == 0


if __name__ == "__main__":
    LexborHTMLParser(sys.stdin.buffer.read().decode("utf-8", "replace"))
