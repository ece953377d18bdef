"""How pages say, in some thirty languages, that there is no such page."""

import re

_ERROR = (
    "error|erreur|fehler|fout|erro|errore|fel|fejl|feil|virhe|błąd|chyba|hiba|hata|ошибка|помилка"
)
_NUMBER = re.compile(
    rf"(?:(?:http |{_ERROR})\s*[:#-]?\s*)?404(?:\s*[:–—-]?\s*(?:{_ERROR}|errors)\b)?"
)
_SENTENCES = (
    # English
    r"(?:page|file|document|content|site|resource) not found|not found|nothing found",
    r"(?:oops|sorry|uh oh)[ ,.!]*(?:that |this |the )?page .{0,20}(?:not|n['’]t) (?:be )?found",
    r"(?:this |that |the )?page (?:can(?:not|'t|’t)|could(?: not|n't|n’t)) be found",
    r"the page you .{4,60}(?:not|n't|n’t|no longer) (?:be found|found|exists?|available).{0,40}",
    r"(?:this |that |the )?page (?:does not|doesn't|doesn’t|no longer) exists?",
    r"(?:this |that |the )?page (?:is |isn't |isn’t )?(?:not |no longer )?available",
    # German, Dutch, Scandinavian, Finnish
    r"(?:die |diese )?seite (?:wurde )?nicht gefunden|nicht gefunden|seite konnte nicht .{2,20}",
    r"(?:die|diese) seite (?:existiert nicht|gibt es nicht|konnte nicht gefunden werden)",
    r"pagina (?:is )?niet gevonden|niet gevonden|deze pagina bestaat niet",
    r"sidan (?:hittades inte|finns inte|kunde inte hittas)",
    r"siden (?:blev |ble )?ikke (?:fundet|funnet)|siden (?:findes|finnes) ikke",
    r"sivua ei (?:löydy|löytynyt)",
    # Romance
    r"(?:cette |la )?page (?:est )?(?:introuvable|non trouvée|inexistante)",
    r"(?:cette|la) page n['’]existe (?:pas|plus)",
    r"(?:la |esta )?p[áa]gina no (?:encontrada|existe|disponible)",
    r"no se (?:ha )?encontr(?:ó|ado) la p[áa]gina|no se ha podido encontrar la p[áa]gina",
    r"(?:a |esta )?p[áa]gina n[ãa]o (?:foi )?(?:encontrada|existe)",
    r"(?:la |questa )?pagina non (?:è stata )?(?:trovata|esiste)",
    r"(?:la )?pàgina no (?:trobada|existeix)",
    r"pagina nu (?:a fost găsită|există)",
    # Slavic, Hungarian, Baltic, Greek, Turkish
    r"nie znaleziono(?: strony)?|strona nie (?:została znaleziona|istnieje)",
    r"stránka (?:nenalezena|nebyla nalezena|neexistuje|sa nenašla|nebola nájdená)",
    r"stranica nije (?:pronađena|nađena)|stran ne obstaja",
    r"страница (?:не найдена|не существует)|сторінку не знайдено|страницата не е намерена",
    r"az oldal nem található|puslapis nerastas|lapa nav atrasta|lehte ei leitud",
    r"η σελίδα δεν (?:βρέθηκε|υπάρχει)|sayfa bulunamadı",
    # Semitic, Asian
    r"(?:ה)?דף לא נמצא|הדף לא קיים",
    r"الصفحة غير موجودة|لم يتم العثور على الصفحة|صفحه (?:مورد نظر )?یافت نشد",
    r"पृष्ठ नहीं मिला|पेज नहीं मिला",
    r"không tìm thấy trang|trang không tồn tại|halaman tidak (?:di)?temukan|halaman tidak dijumpai",
    r"ไม่พบหน้า.{0,30}",
    r"(?:您访问的)?页面(?:不存在|未找到|没有找到|找不到)|找不到(?:该|此|您的)?(?:页面|網頁|网页|頁面)",
    r"(?:此)?(?:頁面|網頁)不存在",
    r"(?:お探しの|指定された)?ページ(?:が|は)(?:見つかりません(?:でした)?|存在しません)",
    r"페이지를 찾을 수 없습니다|존재하지 않는 페이지입니다",
)
_SENTENCE = re.compile("|".join(_SENTENCES))
_SEPARATOR = re.compile(r"\s+[:«»-]\s+|\s*[|–—·•]\s*|:\s+")
_EDGES = " \t\n.!?…:;,'\"“”«»¡¿-–—()[]。！"
_LONGEST_HEADLINE = 300


def says_nothing(headline: str) -> bool:
    """Whether a part of ``headline`` is a way of saying "not found".

    "404 Not Found | Shop" says so; "How to fix 404 Not Found errors" speaks about it.
    """
    parts = _SEPARATOR.split(headline[:_LONGEST_HEADLINE].lower())
    return any(_is_nothing(part.strip(_EDGES)) for part in parts)


def _is_nothing(part: str) -> bool:
    number = _NUMBER.match(part)
    words = part[number.end() :].strip(_EDGES) if number else part
    return bool(_SENTENCE.fullmatch(words)) if words else number is not None
