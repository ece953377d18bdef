"""Whether a form carries proof that it was sent from its own site."""

import re
from collections.abc import Sequence
from urllib.parse import parse_qsl

from mergegate.site.document.facts import Document, Form, Input
from mergegate.site.security.checks.origins import parts

_NAMES = re.compile(
    r"csrf|xsrf|authenticity[_-]?token|requestverificationtoken|anti[_-]?forgery|__ncforminfo"
    r"|_?token\Z|form_token|nonce|synchronizer|\A_wpnonce|\Aformkey|\Aform_key|\Aform_build_id"
    r"|\Ahash\Z|\Acerberus|\Asesskey\Z|\Asid\Z|logintoken|crumb|\Ajavax\.faces\.viewstate\Z",
    re.IGNORECASE,
)
"""Django csrfmiddlewaretoken, Rails authenticity_token, Laravel _token, ASP.NET
__RequestVerificationToken, WordPress _wpnonce, Magento form_key, Drupal form_build_id, Moodle
sesskey and logintoken, Jenkins crumb, JSF, Symfony ``form[_token]``…"""
_ACTION = "$ACTION_"
"""Next.js: its server compares Origin and Host for these."""
_RANDOM = re.compile(r"[A-Za-z0-9+_.-][A-Za-z0-9+/=_.-]{19,}\Z")
"""No address, nor a path: those are where a form leads back to."""
_METAS = re.compile(r"csrf|xsrf", re.IGNORECASE)
_MOST = 200


def carries_token(form: Form) -> bool:
    """Whether a field or the address holds something that only the site's own page knows."""
    return any(_is_token(one) for one in form.inputs) or _in_address(form.action)


def _is_token(field: Input) -> bool:
    if field.name.startswith(_ACTION):
        return True
    return names_token(field) or (field.type == "hidden" and _is_random(field.value))


def names_token(field: Input) -> bool:
    """Whether a hidden field has the name that a framework gives its token."""
    return field.type == "hidden" and bool(_NAMES.search(field.name[:_MOST].rstrip("]")))


def _is_random(value: str) -> bool:
    """Whether it looks made by chance: a token whose name nobody knows raises no alarm."""
    letters = any(one.isalpha() for one in value)
    digits = sum(one.isdigit() for one in value)
    return bool(_RANDOM.match(value[:_MOST])) and letters and digits >= 3


def _in_address(action: str) -> bool:
    """SvelteKit's named actions, ``?/name``, count: its server compares origins by itself."""
    query = parts(action).query[:2000]
    return query.startswith("/") or any(_NAMES.search(name[:_MOST]) for name, _ in _pairs(query))


def _pairs(query: str) -> Sequence[tuple[str, str]]:
    try:
        return parse_qsl(query, keep_blank_values=True, max_num_fields=50)
    except ValueError:
        return ()


def offers_token(document: Document) -> bool:
    """Whether the page hands its scripts a token, as Rails and Laravel do in a ``meta``."""
    return any(_METAS.search(meta.name[:_MOST]) for meta in document.metas)
