"""Whether a changed file still parses: a scanner's silence about broken code proves nothing."""

import ast
import json
import tomllib
from collections.abc import Callable, Mapping
from functools import cache

import tree_sitter
import tree_sitter_go
import tree_sitter_java
import tree_sitter_javascript
import tree_sitter_typescript
import yaml

_Parser = Callable[[str], None]


def _python(text: str) -> None:
    ast.parse(text)


def _json(text: str) -> None:
    json.loads(text)


def _yaml(text: str) -> None:
    """Events only: nothing is constructed, no alias is expanded."""
    for _ in yaml.parse(text, Loader=yaml.SafeLoader):
        pass


def _toml(text: str) -> None:
    tomllib.loads(text)


def _grammar(language: Callable[[], object]) -> _Parser:
    def parse(text: str) -> None:
        parser = tree_sitter.Parser(tree_sitter.Language(language()))
        if parser.parse(text.encode()).root_node.has_error:
            raise ValueError("syntax error")

    return parse


def _plain(_: str) -> None:
    """A list of lines has no syntax to break."""


@cache
def _parsers() -> Mapping[str, _Parser]:
    return {
        "python": _python,
        "json": _json,
        "yaml": _yaml,
        "javascript": _grammar(tree_sitter_javascript.language),
        "typescript": _grammar(tree_sitter_typescript.language_typescript),
        ".tsx": _grammar(tree_sitter_typescript.language_tsx),
        "java": _grammar(tree_sitter_java.language),
        "go": _grammar(tree_sitter_go.language),
        ".toml": _toml,
        ".txt": _plain,
        ".mod": _plain,
    }


def parses(text: str, language: str | None, suffix: str) -> bool | None:
    """Whether ``text`` is valid; None when no parser here knows the language."""
    parser = _parsers().get(suffix) or _parsers().get(language or "")
    if parser is None:
        return None
    try:
        parser(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError, yaml.YAMLError):
        return False
    return True
