"""Which of a site's pages tell who stands behind it, by the words that links to them use."""

from collections.abc import Iterator, Mapping
from itertools import islice
from urllib.parse import unquote

from mergegate.site.document.facts import Document
from mergegate.site.seo.checks import urls
from mergegate.site.seo.checks.tokens import Haystack, tokens

_WORDS: Mapping[str, str] = {
    "about": """
        about; who we are; our story; our team; our company; our mission; company; team;
        über uns; ueber uns; unternehmen; wer wir sind; à propos; a propos; qui sommes nous;
        notre histoire; notre équipe; quiénes somos; quienes somos; sobre nosotros; nosotros;
        acerca de; chi siamo; azienda; over ons; wie zijn wij; quem somos; sobre nós; sobre;
        o nas; o firmie; om oss; om os; tietoa meistä; о нас; о компании; про нас; hakkımızda;
        会社概要; 私たちについて; 关于我们; 關於我們; 회사 소개; 회사소개; من نحن; אודות
    """,
    "contact": """
        contact; contacts; get in touch; support; help; customer service; kontakt; kundenservice;
        contactez; nous contacter; service client; contacto; contáctenos; contactenos; contatti;
        contattaci; contato; contacte; fale conosco; klantenservice; yhteystiedot; kontakta;
        контакты; контакти; iletişim; iletisim; お問い合わせ; 联系我们; 聯絡我們; 문의; اتصل بنا;
        צור קשר
    """,
    "privacy": """
        privacy; data protection; datenschutz; datenschutzerklärung; datenschutzerklaerung;
        datenschutzhinweise; confidentialité; confidentialite; vie privée; données personnelles;
        privacidad; protección de datos; riservatezza; privacybeleid; privacyverklaring;
        privacidade; prywatności; prywatnosci; integritetspolicy; personvern; privatliv;
        privatlivspolitik; tietosuoja; tietosuojaseloste; конфиденциальности;
        конфиденциальность; конфіденційності; gizlilik; プライバシー; 個人情報; 隐私; 隱私;
        개인정보; الخصوصية; פרטיות; gdpr; rgpd; dsgvo
    """,
    "imprint": """
        impressum; imprint; legal notice; anbieterkennzeichnung; mentions légales;
        mentions legales; aviso legal; note legali; colofon
    """,
}
_PHRASES = {
    name: tuple(tokens(phrase) for phrase in words.split(";")) for name, words in _WORDS.items()
}
_MOST_LINKS = 2_000
_MOST_TEXT, _MOST_PATH = 80, 120
"""Letters; longer ones tell a story, not the name of a page."""


def named(page: Document) -> frozenset[str]:
    """Which of ``about``, ``contact``, ``privacy`` and ``imprint`` the page links to, or is."""
    said = Haystack(" | ".join(dict.fromkeys(_names(page))))
    return frozenset(
        name for name, phrases in _PHRASES.items() if any(said.holds(one) for one in phrases)
    )


def _names(page: Document) -> Iterator[str]:
    yield _path(page.url)
    # Such links stand at the end of a page more often than not.
    for one in islice(reversed(page.anchors), _MOST_LINKS):
        if len(one.text) <= _MOST_TEXT:
            yield one.text
        yield _path(one.href)


def _path(url: str) -> str:
    path = urls.parts(url).path
    return unquote(path).replace("_", " ") if len(path) <= _MOST_PATH else ""
