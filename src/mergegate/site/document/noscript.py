"""Take out what browsers that run scripts do not read as part of a page."""

import re

_MARKS = re.compile(r"<!--|<(?:script|style|textarea|noscript)(?=[\s/>])", re.IGNORECASE)
_ENDS = {
    "<!--": re.compile(r"--!?>"),
    "<script": re.compile(r"</script(?=[\s/>])", re.IGNORECASE),
    "<style": re.compile(r"</style(?=[\s/>])", re.IGNORECASE),
    "<textarea": re.compile(r"</textarea(?=[\s/>])", re.IGNORECASE),
    "<noscript": re.compile(r"</noscript(?:\s[^>]*)?/?>", re.IGNORECASE),
}
_TAG = re.compile(r"<[^>]{0,4000}>")


def without_noscript(html: str) -> tuple[str, str]:
    """``html`` without its ``noscript`` elements, and what is said in them.

    The parser does not run scripts: a picture in the ``noscript`` of a head would end that head.
    """
    if "<noscript" not in html.lower():
        return html, ""
    kept, said, done, position = [], [], 0, 0
    while mark := _MARKS.search(html, position):
        end = _ENDS[mark[0].lower()].search(html, mark.end())
        if end is None:
            break
        position = end.end()
        if mark[0].lower() == "<noscript":
            kept.append(html[done : mark.start()])
            said.append(html[mark.end() : end.start()])
            done = position
    kept.append(html[done:])
    return "".join(kept), " ".join(_TAG.sub(" ", one.partition(">")[2]) for one in said)
