"""Tell our own comments from forged ones where the token cannot say who it is.

The access token of a repository, project or workspace is an account of its own, but may not ask
for its name. So what we hide in a comment is sealed with a key made of the token, for this pull
request alone. Nobody else can seal, and a copy is younger than what it was copied from: the author
of the *oldest* sealed comment is us. To pass for us, somebody has to copy a comment and have all
our older ones deleted by an administrator, and it still says nothing that we never said.
"""

import hashlib
import hmac
import re
from collections.abc import Iterable
from dataclasses import dataclass

from mergegate.forges.bitbucket.shapes import Remembered

# Every form that `model.marker` reads, so that nothing is believed that the seal does not cover.
_HIDDEN = re.compile(
    r"^(?:<!-- |\[//\]: # \()(mergegate:(?:state|finding) [\w=-]+)(?: -->|\))$", re.MULTILINE
)
_SEAL = re.compile(r"^\[//\]: # \(mergegate:seal ([0-9a-f]{64})\)$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Seal:
    """The seal of one token on one pull request."""

    token: str
    pull_request: str
    """Repository and number."""

    def sealed(self, body: str) -> str:
        """``body`` and, if it hides something, the seal of what it hides."""
        plain = unsealed(body)
        value = self._value(plain)
        if value is None:
            return plain
        return f"{plain.rstrip()}\n\n[//]: # (mergegate:seal {value})"

    def holds(self, body: str) -> bool:
        """Whether we sealed what ``body`` hides."""
        said, true = _SEAL.search(body), self._value(body)
        return bool(said and true and hmac.compare_digest(said[1], true))

    def author(self, comments: Iterable[Remembered]) -> str | None:
        """Whose the oldest sealed comment is; ``comments`` are oldest first."""
        return next((one.author for one in comments if self.holds(one.body)), None)

    def _value(self, body: str) -> str | None:
        """Of the hidden lines alone: a forge may change the white space of a text."""
        hidden = _HIDDEN.findall(body)
        if not hidden:
            return None
        message = "\n".join(("mergegate seal 1", self.pull_request, *hidden))
        return hmac.new(self.token.encode(), message.encode(), hashlib.sha256).hexdigest()


def unsealed(body: str) -> str:
    """``body`` without seals, and without the white space before them."""
    return _SEAL.sub("", body).rstrip() if _SEAL.search(body) else body
