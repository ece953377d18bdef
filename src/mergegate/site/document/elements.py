"""What single elements add to what is known of a page."""

import json
import math
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import TypeAlias

from selectolax.lexbor import LexborNode

from mergegate.site.document.frame import Attributes, Frame, texts, words
from mergegate.site.document.page import OpenAnchor, OpenForm, Page
from mergegate.site.facts.document import Anchor, Image, Input, JsonLd, Link, Meta, Script

_OPENINGS = re.compile(r"\s{0,999}(?:<!--|(?://|/\*)?\s{0,9}<!\[CDATA\[\s{0,9}(?:\*/)?)")
_ENDINGS = re.compile(r"(?:-->|(?://|/\*)?\s{0,9}\]\]>\s{0,9}(?:\*/)?)\s{0,999}\Z")
_DEEPEST = 64
"""The most levels of nesting, so that readers of the result may recurse."""


def parsed(text: str, most: int) -> tuple[object, str]:
    """What ``text`` says, and why it says nothing: a clause, and the line (from 1)."""
    if len(text) > most:
        return None, "it is too long to be read"
    try:
        data: object = json.loads(_bare(text), parse_constant=_refuse, parse_float=_finite)
    except json.JSONDecodeError as error:
        return None, f"{error.msg[:1].lower()}{error.msg[1:]} in line {error.lineno}"
    except RecursionError:
        return None, "it is nested too deeply"
    except ValueError:
        return None, "it holds a number that is none in JSON"
    return (None, "it is nested too deeply") if _is_deep(data) else (data, "")


def _bare(text: str) -> str:
    """``text`` without the comment signs that hid scripts from old browsers; lines stay lines."""
    opening = _OPENINGS.match(text)
    if not opening:
        return text
    ending = _ENDINGS.search(text, max(opening.end(), len(text) - 1_100))
    return "\n" * opening[0].count("\n") + text[opening.end() : ending and ending.start()]


def _refuse(name: str) -> object:
    raise ValueError(name)


def _finite(digits: str) -> float:
    number = float(digits)
    if not math.isfinite(number):
        raise ValueError(digits)
    return number


def _is_deep(data: object) -> bool:
    level: list[object] = [data]
    for _ in range(_DEEPEST):
        level = [inner for one in level for inner in _inner(one)]
        if not level:
            return False
    return True


def _inner(data: object) -> Iterable[object]:
    if isinstance(data, dict):
        return data.values()
    return data if isinstance(data, list) else ()


_CANDIDATE = re.compile(r"[\s,]*+([^\s]++)(?:\s++([^,(]*+(?:\([^)]*+\)?[^,(]*+)*+))?")


def candidates(srcset: str) -> list[str]:
    """Their addresses as they are written, in their order."""
    if not srcset:
        return []
    found = []
    position = 0
    while (one := _CANDIDATE.match(srcset, position)) and one.end() > position:
        address = one[1]
        if address.endswith(","):
            position = one.end(1)
            found.append(address.rstrip(","))
        else:
            position = one.end()
            found.append(address)
    return [address for address in found if address]


_ADDRESS = re.compile(
    r"""url\(\s{0,9}(?:"([^"\n]{1,4000})"|'([^'\n]{1,4000})'|([^\s"'()]{1,4000}))\s{0,9}\)"""
    r"""|@import\s{1,9}(?:"([^"\n]{1,4000})"|'([^'\n]{1,4000})')""",
    re.IGNORECASE,
)
_COMMENT = re.compile(r"/\*.*?(?:\*/|\Z)", re.DOTALL)


def addresses(css: str) -> list[str]:
    """The addresses in ``css`` as written, in order, without fragments and ``data:``."""
    if "url(" not in css.lower() and "@import" not in css.lower():
        return []
    found = _ADDRESS.finditer(_COMMENT.sub(" ", css))
    written = ("".join(filter(None, one.groups())) for one in found)
    return [one for one in written if not one.startswith(("#", "data:"))]


Reader: TypeAlias = Callable[[Page, Frame, LexborNode, Attributes], None]

_NAMING = ("name", "property", "http-equiv", "charset")
"""One ``meta`` may carry several of them, and counts as each."""
_METHODS = frozenset({"get", "post", "dialog"})
_DECORATIVE = frozenset({"presentation", "none"})


def _title(page: Page, frame: Frame, node: LexborNode, _: Attributes) -> None:
    if frame.where.mute and not frame.where.in_head:
        page.call(node.text())
        return
    if not page.titles:
        page.title_in_head = frame.where.in_head
    page.kept.add(page.titles, page.phrase(node.text(), "titles"), "titles")


def _meta(page: Page, frame: Frame, _: LexborNode, attributes: Attributes) -> None:
    content = page.kept.short(attributes.get("content") or "", page.bounds.value, "metas")
    for kind in _NAMING:
        if kind in attributes:
            name = (attributes[kind] or "").strip().lower()[: page.bounds.phrase]
            meta = Meta(kind=kind, name=name, content=content, in_head=frame.where.in_head)
            page.kept.add(page.metas, meta, "metas")


def _link(page: Page, frame: Frame, _: LexborNode, attributes: Attributes) -> None:
    if not page.kept.has_room(page.links, "links"):
        page.kept.cut.add("resources")
        return
    raw, hreflang, media, kind, integrity = texts(
        attributes, ("href", "hreflang", "media", "type", "integrity")
    )
    rels = words(attributes.get("rel"))
    link = Link(
        rels=rels,
        href=page.addresses.absolute(raw) if raw else "",
        raw_href=raw,
        hreflang=hreflang,
        media=media,
        type=kind,
        integrity=integrity,
        crossorigin=_present(attributes, "crossorigin"),
        in_head=frame.where.in_head,
        selector=frame.selector,
    )
    page.links.append(link)
    if "stylesheet" in rels:
        page.load(raw, "style", frame.selector)


def _style(page: Page, frame: Frame, node: LexborNode, _: Attributes) -> None:
    for address in addresses(node.text()):
        page.load(address, "css", frame.selector)


def _script(page: Page, frame: Frame, node: LexborNode, attributes: Attributes) -> None:
    kind, integrity, nonce, src = texts(attributes, ("type", "integrity", "nonce", "src"))
    kind = kind.lower()
    text = "" if "src" in attributes else node.text()
    script = Script(
        src=page.addresses.absolute(src) if src else "",
        text=text,
        type=kind,
        integrity=integrity,
        crossorigin=_present(attributes, "crossorigin"),
        nonce=nonce,
        deferred=kind == "module" or "async" in attributes or "defer" in attributes,
        in_head=frame.where.in_head,
        selector=frame.selector,
    )
    page.kept.add(page.scripts, script, "scripts")
    if kind.partition(";")[0].rstrip() == "application/ld+json":
        data, error = parsed(text, page.bounds.json)
        described = JsonLd(data=data, error=error, text=text, selector=frame.selector)
        page.kept.add(page.json_ld, described, "json_ld")


def _anchor(page: Page, frame: Frame, _: LexborNode, attributes: Attributes) -> None:
    if "href" not in attributes:
        return
    anchor = page.anchor = OpenAnchor(page.speech.mark(frame))

    def close() -> None:
        said = page.speech.since(anchor.begun, frame, "anchors")
        _keep_anchor(page, frame, attributes, said or _label(page, attributes, anchor.names))
        if not said and len(anchor.images) == 1:
            [place] = anchor.images
            page.images[place] = replace(page.images[place], linked=True)
        page.anchor = None

    frame.close = close


def _area(page: Page, frame: Frame, _: LexborNode, attributes: Attributes) -> None:
    if "href" in attributes:
        _keep_anchor(page, frame, attributes, _label(page, attributes, []))


def _keep_anchor(page: Page, frame: Frame, attributes: Attributes, text: str) -> None:
    if not page.kept.has_room(page.anchors, "anchors"):
        return
    raw, target = texts(attributes, ("href", "target"))
    anchor = Anchor(
        href=page.addresses.absolute(raw),
        raw_href=raw,
        text=text,
        rels=words(attributes.get("rel")),
        target=target,
        region=frame.where.region,
        selector=frame.selector,
    )
    page.anchors.append(anchor)


def _label(page: Page, attributes: Attributes, names: list[str]) -> str:
    """What is read aloud of a link or area without text."""
    label, alt, title = texts(attributes, ("aria-label", "alt", "title"))
    return page.phrase(label or " ".join(names) or alt or title, "anchors")


def _image(page: Page, frame: Frame, _: LexborNode, attributes: Attributes) -> None:
    if not page.kept.has_room(page.images, "images"):
        page.kept.cut.add("resources")
        return
    src, width, height, loading, role, sources = texts(
        attributes, ("src", "width", "height", "loading", "role", "srcset")
    )
    alt = attributes.get("alt") or ""
    image = Image(
        src=page.addresses.absolute(src) if src else "",
        alt=page.phrase(alt, "images") if "alt" in attributes else None,
        width=width,
        height=height,
        loading=loading.lower(),
        srcset=bool(sources),
        decorative=role.lower() in _DECORATIVE or attributes.get("aria-hidden") == "true",
        region=frame.where.region,
        selector=frame.selector,
    )
    if page.anchor:
        page.anchor.images.append(len(page.images))
    if not attributes.get("aria-label"):
        page.call(image.alt)
    page.images.append(image)
    for address in (src, *candidates(sources)):
        page.load(address, "img", frame.selector)


def _media(page: Page, frame: Frame, _: LexborNode, attributes: Attributes) -> None:
    src, poster, sources = texts(attributes, ("src", "poster", "srcset"))
    page.load(poster, "img", frame.selector)
    for address in (src, *candidates(sources)):
        page.load(address, frame.tag, frame.selector)


def _iframe(page: Page, frame: Frame, _: LexborNode, attributes: Attributes) -> None:
    src = attributes.get("src") or ""
    page.load(src, "iframe", frame.selector, _present(attributes, "sandbox"))


def _object(page: Page, frame: Frame, _: LexborNode, attributes: Attributes) -> None:
    page.load(attributes.get("data") or "", "object", frame.selector)


def _form(page: Page, frame: Frame, _: LexborNode, attributes: Attributes) -> None:
    action, method, id_ = texts(attributes, ("action", "method", "id"))
    form = OpenForm(
        action=page.addresses.absolute(action) if action else page.url,
        method=method.lower() if method.lower() in _METHODS else "get",
        selector=frame.selector,
        id=id_,
    )
    page.kept.add(page.forms, form, "forms")
    page.form = form

    def close() -> None:
        page.form = None

    frame.close = close


def _input(page: Page, frame: Frame, _: LexborNode, attributes: Attributes) -> None:
    name, kind, autocomplete, src = texts(attributes, ("name", "type", "autocomplete", "src"))
    kind = (kind.lower() or "text") if frame.tag == "input" else frame.tag
    hidden = (attributes.get("value") or "")[: page.bounds.hidden] if kind == "hidden" else ""
    field = Input(
        name=name[: page.bounds.phrase],
        type=kind[: page.bounds.phrase],
        value=hidden,
        autocomplete=autocomplete[: page.bounds.phrase],
    )
    if kind == "image":
        page.load(src, "img", frame.selector)
    if attributes.get("form"):
        page.strays.append((str(attributes["form"]).strip(), field))
    elif page.form:
        _fill(page, page.form, field)


def _fill(page: Page, form: OpenForm, field: Input) -> None:
    if len(form.inputs) < page.bounds.inputs:
        form.inputs.append(field)
    else:
        page.kept.cut.add("forms")


def home(page: Page) -> None:
    """Give the fields that name their form to it."""
    by_id = {form.id: form for form in reversed(page.forms) if form.id}
    for name, field in page.strays:
        if name in by_id:
            _fill(page, by_id[name], field)


def _time(page: Page, _: Frame, __: LexborNode, attributes: Attributes) -> None:
    if attributes.get("datetime"):
        page.kept.add(page.times, page.phrase(attributes["datetime"], "times"), "times")


def _present(attributes: Attributes, name: str) -> str | None:
    """An attribute trimmed, empty when it has no value; None without it."""
    return (attributes[name] or "").strip() if name in attributes else None


READERS: Mapping[str, Reader] = {
    "a": _anchor,
    "area": _area,
    "audio": _media,
    "button": _input,
    "embed": _media,
    "form": _form,
    "frame": _iframe,
    "iframe": _iframe,
    "img": _image,
    "input": _input,
    "link": _link,
    "meta": _meta,
    "object": _object,
    "script": _script,
    "select": _input,
    "source": _media,
    "style": _style,
    "textarea": _input,
    "time": _time,
    "title": _title,
    "track": _media,
    "video": _media,
}
"""The handlers by tag; each adds what the element says when it begins."""
