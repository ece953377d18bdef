"""What a cookie is for, as its name tells."""

import re
from enum import StrEnum

from mergegate.site.security.facts import SentCookie


class Use(StrEnum):
    """Why a cookie is set."""

    SESSION = "session"
    """Whoever has it is signed in, or goes on as the visitor."""
    CSRF = "csrf"
    """Proof against request forgery; scripts often have to read it."""
    OTHER = "other"
    """Analytics, preferences, load balancers, and what is not known."""


_NOT_SESSION = re.compile(
    r"_hj|_ga|_gid|_gat|_gcl|_fbp|_fbc|_pk_|_cl|_uet|_vis|_vwo|_dd|_scid|_pin|_tt|_lfa|_mkto|_ce\."
    r"|_sp_|_parsely|_shopify_[sy]\b|__utm|__hs|__cf|__kla|__stripe|__stid|__cuid|__gads|__qca|__td|__zlc"
    r"|_cf|cf_|ak_bm|bm_|incap_|visid_|nlbi_|bigip|awsal|awselb|arraffinity|serverid|datadome"
    r"|heroku-session-affinity|route\b|ai_|mp_|ajs_|amp_|amplitude|intercom|hubspot|optimizely|ab\."
    r"|ph_|posthog|plausible|matomo|fs_|mixpanel|sentry|nrba|s_|utag|tealium|drift|crisp|cookie"
    r"|consent|euconsent|gdpr|optanon|cc_|locale|lang|theme|tz|timezone|country|currency|dark",
    re.IGNORECASE,
)
"""How the cookies of analytics, advertisers, shields, balancers and settings begin."""
_NOT_ANYWHERE = re.compile(
    r"analytic|tracking|visitor|pageview|referr|campaign|depth|(?<!ac)count|hint|banner|affinity|expire"
    r"|replay|last|first|start|landing|timeout|redirect|source|attribution|_ts\b|seen|flash|message",
    re.IGNORECASE,
)
_PREFIX = re.compile(r"__(?:Host|Secure)-", re.IGNORECASE)
_SESSION = re.compile(
    r"PHPSESSID|JSESSIONID|ASP\.NET_SessionId|ASPSESSIONID[A-Z]+|\.ASPX(?:AUTH|FORMSAUTH|ROLES)"
    r"|\.AspNetCore\.(?:Session|Cookies|Identity\..+)|\.AspNet\.ApplicationCookie|CFTOKEN"
    r"|connect\.sid|koa[.:]sess|express[.:](?:sess|sid)|sails\.sid|beaker\.session\.id|rack\.session"
    r"|PLAY_SESSION|_?[a-z0-9]+(?:[._-][a-z0-9]+)*[._-]sess(?:ion)?(?:[._-]?id)?"
    r"|_?sess(?:ion)?(?:[._-]?(?:id|key|token|data))?|s?sess[0-9a-f]{32}|__session(?:_[\w-]+)?"
    r"|user_?session|sid|[a-z]+[._-]sid|ci_session|laravel_session|wordpress_(?:logged_in|sec)_.+"
    r"|wordpress_[0-9a-f]{32}|(?:next-auth|authjs)\.session-token(?:\.\d+)?|appSession(?:\.\d+)?"
    r"|sb-[\w-]+-(?:auth|access|refresh)-token(?:\.\d+)?|login|auth|jwt|token|adminer_sid"
    r"|(?:(?:user|login|session|api)[._-]?)?(?:auth|access|refresh|id|bearer|jwt|session)[._-]?token"
    r"|auth[._-](?:cookie|session|key)|remember[._-]?me|remember_(?:user_|web_)?\w*token"
    r"|remember_web_[0-9a-f]+|keycloak_(?:session|identity)(?:_legacy)?|moodlesession\w*|symfony",
    re.IGNORECASE,
)
_CSRF = re.compile(r"csrf|xsrf|antiforgery|requestverification", re.IGNORECASE)


def use(cookie: SentCookie) -> Use:
    """By its name alone: a value is never kept.

    Names of analytics come first: ``_hjSession_1`` and ``ai_session`` sign nobody in.
    """
    bare = _PREFIX.sub("", cookie.name[:200])
    if _CSRF.search(bare):
        return Use.CSRF
    if _NOT_SESSION.match(bare) or _NOT_ANYWHERE.search(bare):
        return Use.OTHER
    return Use.SESSION if _SESSION.fullmatch(bare) else Use.OTHER
