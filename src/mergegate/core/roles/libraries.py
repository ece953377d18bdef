"""Which libraries a file's text names, of those that a rule asks about."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from mergegate.core.data_table import read_table

_IMPORTED = (
    rb"\b(?:from|import|require(?:\.resolve)?|mock)\b[\s(]{0,9}"
    rb"[\"'`](?:npm:|jsr:|https?://[^\"'`\s]{1,200}/)?(?:@[\w.-]+/)?(?:%s)(?:[/@][^\"'`\s]*)?[\"'`]"
)
_INSTALLED = rb"(?:^|[\"'/:\s])(?!(?:@[\w.-]+/)?[\w.-]*instrumentation)(?:@[\w.-]+/)?(?:%s)[\"'@/]"
"""What measures a library is installed with what measures all others, and shows no use of it."""


@dataclass(frozen=True, kw_only=True)
class _Libraries:
    """A list of libraries, as ``libraries.toml`` tells it."""

    id: str
    languages: tuple[str, ...]
    manifest: str
    packages: str
    text: tuple[str, ...] = ()

    def are_named(self, path: str, language: str | None, content: bytes) -> bool:
        """Whether ``content`` names one of them."""
        if self._manifest.fullmatch(path):
            return _holds(content, self._words) and bool(self._installed.search(content))
        if language not in self.languages:
            return False
        is_imported = _holds(content, self._words) and self._imported.search(content)
        return bool(is_imported) or any(one.search(content) for one in self._texts)

    @cached_property
    def _manifest(self) -> re.Pattern[str]:
        return re.compile(self.manifest)

    @cached_property
    def _words(self) -> tuple[bytes, ...]:
        return tuple(name.strip("*").encode() for name in self.packages.split())

    @cached_property
    def _installed(self) -> re.Pattern[bytes]:
        return re.compile(_INSTALLED % self._names, re.MULTILINE)

    @cached_property
    def _imported(self) -> re.Pattern[bytes]:
        return re.compile(_IMPORTED % self._names)

    @cached_property
    def _texts(self) -> tuple[re.Pattern[bytes], ...]:
        return tuple(re.compile(one.encode()) for one in self.text)

    @property
    def _names(self) -> bytes:
        names = (re.escape(name).replace(r"\*", r"[\w.-]*") for name in self.packages.split())
        return "|".join(names).encode()


_LISTS = read_table(Path(__file__).with_suffix(".toml"), _Libraries)


def named(path: str, language: str | None, content: bytes) -> tuple[str, ...]:
    """The lists of ``libraries.toml`` of which ``content`` names a library."""
    return tuple(id for id, one in _LISTS.items() if one.are_named(path, language, content))


def _holds(content: bytes, words: Iterable[bytes]) -> bool:
    """Whether any of ``words`` stands in ``content``: far quicker than a pattern."""
    for word in words:  # noqa: SIM110 - `any` takes as long again
        if word in content:
            return True
    return False
