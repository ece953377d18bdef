"""Which tags of languages there are, and what people write for them by mistake."""

import re

_LANGUAGES = """
aa ab ae af ak am an ar as av ay az ba be bg bh bi bm bn bo br bs ca ce ch co cr cs cu cv cy
da de dv dz ee el en eo es et eu fa ff fi fj fo fr fy ga gd gl gn gu gv ha he hi ho hr ht hu
hy hz ia id ie ig ii ik io is it iu ja jv ka kg ki kj kk kl km kn ko kr ks ku kv kw ky la lb
lg li ln lo lt lu lv mg mh mi mk ml mn mr ms mt my na nb nd ne ng nl nn no nr nv ny oc oj om
or os pa pi pl ps pt qu rm rn ro ru rw sa sc sd se sg si sk sl sm sn so sq sr ss st su sv sw
ta te tg th ti tk tl tn to tr ts tt tw ty ug uk ur uz ve vi vo wa wo xh yi yo za zh zu
"""
LANGUAGES = frozenset(_LANGUAGES.split())
"""ISO 639-1, two letters; as the list stood in 2024."""
_WITHDRAWN = frozenset({"in", "iw", "ji", "jw", "mo", "sh"})
"""Codes that were replaced; browsers and search engines still know them."""
_REGIONS = """
ad ae af ag ai al am ao aq ar as at au aw ax az ba bb bd be bf bg bh bi bj bl bm bn bo bq br
bs bt bv bw by bz ca cc cd cf cg ch ci ck cl cm cn co cr cu cv cw cx cy cz de dj dk dm do dz
ec ee eg eh er es et fi fj fk fm fo fr ga gb gd ge gf gg gh gi gl gm gn gp gq gr gs gt gu gw
gy hk hm hn hr ht hu id ie il im in io iq ir is it je jm jo jp ke kg kh ki km kn kp kr kw ky
kz la lb lc li lk lr ls lt lu lv ly ma mc md me mf mg mh mk ml mm mn mo mp mq mr ms mt mu mv
mw mx my mz na nc ne nf ng ni nl no np nr nu nz om pa pe pf pg ph pk pl pm pn pr ps pt pw py
qa re ro rs ru rw sa sb sc sd se sg sh si sj sk sl sm sn so sr ss st sv sx sy sz tc td tf tg
th tj tk tl tm tn to tr tt tv tw tz ua ug um us uy uz va vc ve vg vi vn vu wf ws ye yt za zm
zw
"""
REGIONS = frozenset(_REGIONS.split())
"""ISO 3166-1 alpha-2, in small letters; as the list stood in 2024."""
_MEANT_LANGUAGE = {
    "cz": "cs",
    "dk": "da",
    "gr": "el",
    "jp": "ja",
    "cn": "zh",
    "ua": "uk",
    "us": "en",
    "gb": "en",
    "at": "de",
    "mx": "es",
    "vn": "vi",
    "rs": "sr",
    "al": "sq",
}
"""Regions that are written for languages, and are no language's code."""
_MEANT_REGION = {"uk": "gb", "en": "gb", "ja": "jp", "cs": "cz", "el": "gr", "da": "dk", "zh": "cn"}
"""What is written for a region, and is none."""
_KIN = (
    frozenset({"da", "no", "nb", "nn"}),
    frozenset({"hr", "sr", "bs", "sh"}),
    frozenset({"id", "in", "ms"}),
    frozenset({"he", "iw"}),
    frozenset({"ro", "mo"}),
    frozenset({"gl", "pt"}),
    frozenset({"af", "nl"}),
    frozenset({"cs", "sk"}),
    frozenset({"fil", "tl"}),
    frozenset({"zh", "yue", "cmn"}),
)
"""Languages that a machine takes for each other."""
_TAG = re.compile(
    r"(?P<language>[a-z]{2,3})(?:-[a-z]{3}){0,3}(?:-(?P<script>[a-z]{4}))?"
    r"(?:-(?P<region>[a-z]{2}|\d{3}))?(?:-(?:[a-z0-9]{5,8}|\d[a-z0-9]{3}))*"
    r"(?:-[a-wyz0-9](?:-[a-z0-9]{2,8})+)*(?:-x(?:-[a-z0-9]{1,8})+)?",
    re.IGNORECASE,
)
"""RFC 5646, section 2.1, without the grandfathered tags."""
_LONGEST_TAG = 60


def flaw(tag: str) -> str:
    """What is wrong with a tag, one clause of our own; empty when it may be right.

    Two letters are looked up; languages of three letters are believed. Source: RFC 5646.
    """
    if len(tag) > _LONGEST_TAG or not (read := _TAG.fullmatch(tag)):
        return "a hyphen belongs between its parts" if "_" in tag else "it is no language tag"
    language, region = read["language"].lower(), (read["region"] or "").lower()
    if len(language) == 2 and language not in LANGUAGES | _WITHDRAWN:
        return "no language has that code"
    if len(region) == 2 and region not in REGIONS:
        return f"no country has the code {region.upper()}"
    return ""


def mended(tag: str) -> str:
    """The tag that was probably meant; empty when that is not known."""
    language, _, region = tag[:_LONGEST_TAG].replace("_", "-").lower().partition("-")
    language = _MEANT_LANGUAGE.get(language, language)
    region = _MEANT_REGION.get(region, region)
    guess = f"{language}-{region.upper() if len(region) == 2 else region}" if region else language
    return "" if flaw(guess) else guess


def primary(tag: str) -> str:
    """The language of a tag in small letters."""
    return tag.replace("_", "-").partition("-")[0].strip().lower()


def akin(one: str, other: str) -> bool:
    """Whether two languages are the same, or close enough to be taken for each other."""
    return one == other or any(one in kin and other in kin for kin in _KIN)
