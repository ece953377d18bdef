"""Parsers of XML in Java programs, told to leave alone what a document names."""

from collections.abc import Iterator

from mergegate.repo.fixes.calls import imported
from mergegate.repo.fixes.edits import Splice, UncertainError
from mergegate.repo.fixes.java_values import handles
from mergegate.repo.fixes.syntax import Source
from mergegate.repo.fixes.within import (
    Node,
    arguments,
    before,
    called,
    certain,
    fresh,
    function,
    inside,
    meant,
    need,
    origin,
    over,
    statement,
    uses,
)

_NO_DOCTYPE = '.setFeature("http://apache.org/xml/features/disallow-doctype-decl", true);'
_SETTINGS = {
    "DocumentBuilderFactory": (_NO_DOCTYPE,),
    "SAXParserFactory": (_NO_DOCTYPE,),
    "XMLReader": (_NO_DOCTYPE,),
    "SAXReader": (_NO_DOCTYPE,),
    "SAXBuilder": (_NO_DOCTYPE,),
    "XMLInputFactory": (".setProperty(XMLInputFactory.SUPPORT_DTD, false);",),
    "TransformerFactory": (
        '.setAttribute(XMLConstants.ACCESS_EXTERNAL_DTD, "");',
        '.setAttribute(XMLConstants.ACCESS_EXTERNAL_STYLESHEET, "");',
    ),
}
"""What is said to each kind of factory or parser, before it makes or parses something."""
_CREATIONS = {
    "DocumentBuilderFactory.newInstance": "DocumentBuilderFactory",
    "SAXParserFactory.newInstance": "SAXParserFactory",
    "XMLInputFactory.newInstance": "XMLInputFactory",
    "XMLInputFactory.newFactory": "XMLInputFactory",
    "TransformerFactory.newInstance": "TransformerFactory",
    "XMLReaderFactory.createXMLReader": "XMLReader",
    "SAXReader": "SAXReader",
    "SAXBuilder": "SAXBuilder",
}
_STEPS = (
    r"(?s).*\.(?:newDocumentBuilder|newSAXParser|getXMLReader|createXML(?:Stream|Event)Reader"
    r"|newTransformer|newTemplates|parse|read|build)"
)


@certain
def closed(source: Source, node: Node) -> Iterator[Splice]:
    """The factory told so before the first step that is taken with it."""
    step = meant(source, node, _STEPS)
    creation, step = _creation(source, step)
    kind = _CREATIONS[called(source, creation)]
    if kind == "SAXReader" and not handles(step, "SAXException"):
        raise UncertainError
    done = statement(source, step)
    on = need(step.child_by_field_name("object"))
    if on == creation:
        names = ("factory", "parsers") if kind.endswith("Factory") else ("reader", "parser")
        name = fresh(source, step, _STEPS, *names)
        made = f"{kind} {name} = {source.of(creation)};"
        yield before(source, done, made, *(f"{name}{said}" for said in _SETTINGS[kind]))
        yield over(creation, name)
    else:
        yield from _told(source, on, done, kind)
    if kind == "TransformerFactory":
        yield from imported(source, "import javax.xml.XMLConstants;")
    if kind == "XMLReader":
        yield from imported(source, "import org.xml.sax.XMLReader;")


def _told(source: Source, on: Node, done: Node, kind: str) -> Iterator[Splice]:
    """What is said already is said right, and the rest is added."""
    name = source.of(on)
    for said in _SETTINGS[kind]:
        about = said.split("(")[1].split(",")[0]
        old = [
            call
            for one in uses(source, function(source, on), name)
            if (call := one.parent) is not None
            and call.type == "method_invocation"
            and call.child_by_field_name("object") == one
            and call.end_byte < done.start_byte
            and source.of(need(call.child_by_field_name("arguments"))).startswith(f"({about},")
        ]
        if old:
            yield over(arguments(source, old[-1])[1], said.split(", ")[1].removesuffix(");"))
        else:
            yield before(source, done, f"{name}{said}")


def _creation(source: Source, step: Node) -> tuple[Node, Node]:
    """What made the factory, and the first step that is taken with it."""
    while True:
        on = need(step.child_by_field_name("object"))
        made = origin(source, on, alone=False)
        if made.type in {"method_invocation", "object_creation_expression"}:
            if called(source, made) in _CREATIONS:
                return made, step
            if made.type == "method_invocation" and inside(made, function(source, step)):
                step = made
                continue
        raise UncertainError
