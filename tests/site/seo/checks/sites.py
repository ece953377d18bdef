"""Pages as generators and shops make them when all is well: what is found on them is listed.

Heads and structured data follow what the named software writes (jekyll-seo-tag, Yoast SEO,
Docusaurus, Shopify's Dawn, Next.js, Hugo, MediaWiki, GOV.UK Design System…); texts are ours.
"""

from dataclasses import dataclass

_VIEWPORT = '<meta name="viewport" content="width=device-width,initial-scale=1">'


@dataclass(frozen=True, slots=True)
class Page:
    """A page, where it stands, its language, and the rules it breaks."""

    html: str
    url: str
    language: str = "en"
    expected: tuple[str, ...] = ()


def _graph(*image: str, url: str, title: str, description: str, kind: str = "article") -> str:
    """The lines of Open Graph and of the card."""
    lines = [
        f'<meta property="og:title" content="{title}">',
        f'<meta property="og:description" content="{description}">',
        f'<meta property="og:type" content="{kind}">',
        f'<meta property="og:url" content="{url}">',
        *(f'<meta property="og:image" content="{one}">' for one in image),
        '<meta name="twitter:card" content="summary_large_image">',
    ]
    return "\n".join(lines)


_BLOG = "https://blog.example.org/2026/05/04/slow-tests.html"
JEKYLL = Page(
    url=_BLOG,
    html=f"""<!DOCTYPE html><html lang="en-US"><head><meta charset="utf-8">{_VIEWPORT}
<!-- Begin Jekyll SEO tag v2.8.0 --><title>Why our slow tests became fast | Loose Ends</title>
<meta name="generator" content="Jekyll v4.3.3" /><meta name="author" content="Ines Marin" />
<meta property="og:locale" content="en_US" />
<meta name="description" content="Half of the time went into waiting for a clock: how we found that
 out, and what we changed in the tests of a mail server." />
<link rel="canonical" href="{_BLOG}" />
{_graph("https://blog.example.org/clock.png", url=_BLOG, title="Why", description="Half")}
<meta property="article:published_time" content="2026-05-04T09:30:00+00:00" />
<script type="application/ld+json">{{"@context":"https://schema.org","@type":"BlogPosting",
"author":{{"@type":"Person","name":"Ines Marin"}},"dateModified":"2026-05-04T09:30:00+00:00",
"datePublished":"2026-05-04T09:30:00+00:00","description":"Half of the time went into waiting",
"headline":"Why our slow tests became fast","image":"https://blog.example.org/clock.png",
"mainEntityOfPage":{{"@type":"WebPage","@id":"{_BLOG}"}},
"publisher":{{"@type":"Organization","logo":{{"@type":"ImageObject",
"url":"https://blog.example.org/logo.png"}},"name":"Ines Marin"}},"url":"{_BLOG}"}}</script>
<link rel="icon" href="data:,"><link rel="alternate" type="application/atom+xml" href="/feed.xml">
</head><body><header role="banner"><a rel="author" href="/">Loose Ends</a></header>
<main><article><h1>Why our slow tests became fast</h1><p>Half of the time went into waiting for a
clock. We saw it when we drew the calls on paper, and it took an afternoon to change.</p>
<h2>What we measured</h2><p>See <a href="/2026/04/measuring.html">how we measure</a>, or
<a href="https://example.com/clocks" rel="noopener">a paper about clocks</a>.</p>
<a class="u-url" href="/2026/05/04/slow-tests.html" hidden></a></article></main></body></html>""",
)
_POST = "https://www.example.org/rezepte/apfelkuchen/"
YOAST = Page(
    url=_POST,
    language="de",
    html=f"""<!DOCTYPE html><html lang="de"><head><meta charset="UTF-8">{_VIEWPORT}
<meta name='robots' content='index, follow, max-image-preview:large, max-snippet:-1,
 max-video-preview:-1' /><link rel="icon" href="/wp-content/icon-32x32.png" sizes="32x32" />
<title>Apfelkuchen vom Blech, saftig und einfach - Küchenzettel</title>
<meta name="description" content="Apfelkuchen vom Blech mit Hefeteig und Streuseln: Zutaten,
 Schritte und was zu tun ist, wenn der Teig nicht aufgeht." />
<link rel="canonical" href="{_POST}" />
{_graph("https://www.example.org/kuchen.jpg", url=_POST, title="Apfelkuchen", description="Blech")}
<script type="application/ld+json" class="yoast-schema-graph">{{"@context":"https://schema.org",
"@graph":[{{"@type":"Article","@id":"{_POST}#article","isPartOf":{{"@id":"{_POST}"}},
"author":{{"name":"Jo","@id":"https://www.example.org/#/schema/person/1"}},
"headline":"Apfelkuchen vom Blech","datePublished":"2026-01-31T08:00:00+00:00",
"image":{{"@id":"{_POST}#primaryimage"}},"wordCount":712,"inLanguage":"de"}},
{{"@type":"WebPage","@id":"{_POST}","url":"{_POST}","name":"Apfelkuchen",
"breadcrumb":{{"@id":"{_POST}#breadcrumb"}},
"potentialAction":[{{"@type":"ReadAction","target":["{_POST}"]}}]}},
{{"@type":"ImageObject","@id":"{_POST}#primaryimage","url":"https://www.example.org/kuchen.jpg"}},
{{"@type":"BreadcrumbList","@id":"{_POST}#breadcrumb","itemListElement":[
{{"@type":"ListItem","position":1,"name":"Startseite","item":"https://www.example.org/"}},
{{"@type":"ListItem","position":2,"name":"Apfelkuchen vom Blech"}}]}},
{{"@type":"WebSite","@id":"https://www.example.org/#website","url":"https://www.example.org/",
"name":"Küchenzettel","potentialAction":[{{"@type":"SearchAction","target":{{"@type":"EntryPoint",
"urlTemplate":"https://www.example.org/?s={{search_term_string}}"}},
"query-input":"required name=search_term_string"}}]}},
{{"@type":"Person","@id":"https://www.example.org/#/schema/person/1","name":"Jo"}}]}}</script>
</head><body><header><a href="/" rel="home"><img src="/logo.svg" alt="Küchenzettel" width="90"
 height="40"></a></header><main><h1>Apfelkuchen vom Blech</h1><p>Der Teig braucht eine Stunde Ruhe,
die Äpfel brauchen Zitrone.</p><h2>Zutaten</h2><ul><li>500 g Mehl</li></ul><h2>Zubereitung</h2>
<p>Alles <a href="/grundteige/">zu einem Hefeteig</a> kneten.</p></main>
<section><h2>Kommentare</h2><h3>Schreibe einen Kommentar <small><a rel="nofollow"
 id="cancel-comment-reply-link" href="/rezepte/apfelkuchen/#respond" style="display:none;">Antwort
 abbrechen</a></small></h3></section></body></html>""",
)
_DOCS = "https://docs.example.org/docs/getting-started"
DOCUSAURUS = Page(
    url=_DOCS,
    html=f"""<!doctype html><html lang="en" dir="ltr" class="docs-wrapper"><head>
<meta charset="UTF-8"><meta name="generator" content="Docusaurus v3.6.0">
<title data-rh="true">Getting started with the scheduler | Tidewater</title>
<meta data-rh="true" name="viewport" content="width=device-width,initial-scale=1">
<meta data-rh="true" name="docusaurus_locale" content="en">
<meta data-rh="true" name="description" content="Install the scheduler, write a first job, and see
 it run every morning. It takes ten minutes, and needs nothing but Python.">
<link data-rh="true" rel="icon" href="/img/favicon.ico">
<link data-rh="true" rel="canonical" href="{_DOCS}">
<link data-rh="true" rel="alternate" href="{_DOCS}" hreflang="en">
<link data-rh="true" rel="alternate" href="https://docs.example.org/fr/docs/start" hreflang="fr">
<link data-rh="true" rel="alternate" href="{_DOCS}" hreflang="x-default">
{_graph("https://docs.example.org/card.png", url=_DOCS, title="Start", description="A job")}
<script src="/assets/js/main.js" defer></script></head><body>
<nav aria-label="Main"><a class="navbar__brand" href="/"><b>Tidewater</b></a></nav>
<div id="__docusaurus"><main><article><header><h1>Getting started</h1></header>
<p>Install the scheduler with your package manager, then write a job.</p>
<h2 class="anchor" id="install">Install<a href="#install" class="hash-link"
 aria-label="Direct link to Install">\u200b</a></h2><pre><code>pip install tidewater</code></pre>
<h3 id="windows">On Windows</h3><p>Use <a href="/docs/windows">the installer</a>.</p>
</article></main></div></body></html>""",
)
_SHOP = "https://shop.example.org/products/tea-pot"
SHOPIFY = Page(
    url=_SHOP,
    html=f"""<!doctype html><html class="js" lang="en"><head><meta charset="utf-8">{_VIEWPORT}
<meta http-equiv="X-UA-Compatible" content="IE=edge"><link rel="canonical" href="{_SHOP}">
<link rel="icon" type="image/png" href="//shop.example.org/cdn/icon.png?width=32">
<title>Tea pot of cast iron, half a litre &ndash; Tea house</title>
<meta name="description" content="A pot of cast iron that keeps tea warm for an hour. Half a litre,
 with a sieve of steel. Sent within two days, sent back for free.">
{_graph("https://shop.example.org/p.jpg", url=_SHOP, title="P", description="A", kind="product")}
<meta property="og:price:amount" content="49.90"><meta property="og:price:currency" content="EUR">
<script type="application/ld+json">{{"@context":"http://schema.org/","@id":"/products/tea-pot#p",
"@type":"ProductGroup","brand":{{"@type":"Brand","name":"Iron"}},"name":"Tea pot",
"hasVariant":[{{"@id":"#v","@type":"Product","name":"Tea pot - black",
"image":"https://shop.example.org/pot.jpg","offers":{{"@id":"#o","@type":"Offer",
"availability":"http://schema.org/InStock","price":"49.90","priceCurrency":"EUR",
"url":"{_SHOP}?variant=1"}}}}],"productGroupID":"7","url":"{_SHOP}"}}</script></head><body>
<header><h2 class="visually-hidden">Menu</h2><a href="/">Tea house</a> <a href="/cart"
 aria-label="Cart"><svg viewBox="0 0 1 1"></svg></a></header>
<main><product-info><img src="/pot.jpg" srcset="/pot.jpg 400w" alt="Black pot of cast iron"
 width="800" height="800" loading="lazy"><h1>Tea pot of cast iron</h1>
<form method="post" action="/cart/add"><input type="hidden" name="id" value="1">
<button>Add to cart</button></form><p>It keeps tea warm for an hour.</p>
<a href="/collections/pots">All pots</a></product-info></main></body></html>""",
)
_START = "https://example.org/"
NEXT = Page(
    url=_START,
    html=f"""<!DOCTYPE html><html lang="en"><head><meta charSet="utf-8"/>{_VIEWPORT}
<title>Ledger: accounting for bands and small theatres</title><meta name="description"
 content="Keep the books of a tour in one place: advances, receipts, and what each member gets.
 Free for a single band, without a card."/><link rel="canonical" href="https://example.org"/>
<link rel="icon" href="/icon.svg" type="image/svg+xml"/>
{_graph("https://example.org/og.png", url="https://example.org", title="L", description="K")}
<script type="application/ld+json">{{"@context":"https://schema.org","@type":["Organization",
"Brand"],"name":"Ledger","url":"https://example.org","logo":"https://example.org/logo.png",
"sameAs":["https://social.example.com/ledger"]}}</script></head><body><div id="__next">
<header><nav><a href="/pricing">Pricing</a><a href="/login">Log in</a></nav></header>
<main><h1>Accounting for bands<br/>and small theatres</h1><p>Keep the books of a tour in one place.
</p><img alt="" src="/_next/image?url=%2Fhero.png&amp;w=1920&amp;q=75" width="960" height="540"/>
<section><h2>Advances</h2><p>Who paid for the van?</p></section></main>
<footer><h2>Product</h2><a href="/changelog">Changelog</a></footer></div>
<script id="__NEXT_DATA__" type="application/json">{{"props":{{"pageProps":{{}}}}}}</script>
</body></html>""",
)
_HUGO = "https://hotel.example.org/pt-br/quartos/"
HUGO = Page(
    url=_HUGO,
    language="pt",
    html=f"""<!doctype html><html lang=pt-br><head><meta charset=utf-8>{_VIEWPORT}
<title>Quartos com vista para o mar | Hotel Farol</title><meta name=description
 content="Doze quartos com varanda e vista para o mar, café da manhã até as onze e bicicletas para
 os hóspedes. Reserve sem taxa."><link rel=canonical href={_HUGO}>
<link rel=alternate hreflang=pt-BR href={_HUGO}>
<link rel=alternate hreflang=en href=https://hotel.example.org/rooms/>
<link rel=alternate hreflang=es-419 href=https://hotel.example.org/es/habitaciones/>
<link rel=alternate hreflang=x-default href=https://hotel.example.org/rooms/>
{_graph("https://hotel.example.org/q.jpg", url=_HUGO, title="Quartos", description="Doze")}
<script type=application/ld+json>{{"@context":"https://schema.org","@type":"Hotel",
"name":"Hotel Farol","address":{{"@type":"PostalAddress","addressLocality":"Ilhéus"}},
"telephone":"+55 73 0000","url":"https://hotel.example.org/pt-br/","openingHours":"Mo-Su",
"priceRange":"$$","image":["https://hotel.example.org/q.jpg"]}}</script></head><body>
<header><a href=/pt-br/>Hotel Farol</a></header><main><h1>Quartos com vista para o mar</h1>
<p>Cada quarto tem varanda.</p><picture><source srcset=/q.avif type=image/avif>
<img src=/q.jpg alt="Quarto com varanda" width=1200 height=800></picture>
<h2>Quarto duplo</h2><p>Para duas pessoas. <a href=/pt-br/reservar/>Reservar este quarto</a></p>
</main></body></html>""",
)
_WIKI = "https://wiki.example.org/wiki/Green_tea"
MEDIAWIKI = Page(
    url=_WIKI,
    html=f"""<!DOCTYPE html><html class="client-nojs" lang="en" dir="ltr"><head>
<meta charset="UTF-8"><title>Green tea - Encyclopedia of plants</title>
<meta name="robots" content="max-image-preview:standard"><meta name="description" content="Green tea
 is made of leaves of Camellia sinensis that were steamed or roasted before they could wither.">
<meta property="og:image" content="https://wiki.example.org/tea.jpg">
<meta property="og:title" content="Green tea"><meta property="og:type" content="website">
<meta name="viewport" content="width=1120"><link rel="icon" href="/favicon.ico">
<link rel="canonical" href="{_WIKI}"><script>document.documentElement.id="js";</script>
</head><body><a class="mw-jump-link" href="#bodyContent">Jump to content</a>
<div class="vector-header-container"><header><a href="/wiki/Main_Page" class="mw-logo">
<img src="/w/logo.svg" alt="" width="50" height="50"><span>Encyclopedia</span></a></header></div>
<main id="content"><header><h1><i>Green tea</i></h1></header>
<p>Green tea is made of the leaves of <a href="/wiki/Camellia_sinensis">Camellia sinensis</a>.<sup>
<a href="#cite_note-1">[1]</a></sup></p><h2 id="History">History</h2><span>[<a
 href="/w/index.php?title=Green_tea&amp;action=edit&amp;section=1">edit</a>]</span>
<a href="/wiki/File:Tea.jpg" class="mw-file-description"><img alt="" src="/t.jpg" width="250"
 height="188" srcset="/t2.jpg 2x"></a><h3 id="Asia">Asia</h3><p>It was first drunk in China.</p>
</main></body></html>""",
    expected=(
        "link-empty",
        "og-incomplete",
        "twitter-card-missing",
        "url-underscores",
        "url-uppercase",
        "viewport-fixed",
    ),
)
_GOV = "https://www.example.org/renew-passport"
GOVERNMENT = Page(
    url=_GOV,
    html=f"""<!DOCTYPE html><html lang="en" class="govuk-template"><head><meta charset="utf-8">
<title>Renew or replace your adult passport: Overview - Public services</title>
<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
<meta name="theme-color" content="#0b0c0c"><link rel="icon" sizes="48x48" href="/favicon.ico">
<link rel="canonical" href="{_GOV}"><meta name="description" content="How to renew or replace your
 passport if you are 16 or over: apply online, by post or track your application.">
<meta property="og:type" content="article"><meta property="og:url" content="{_GOV}">
<meta property="og:title" content="Renew or replace your adult passport">
<meta property="og:image" content="https://www.example.org/opengraph.png">
<meta name="twitter:card" content="summary">
<script type="application/ld+json">{{"@context":"http://schema.org","@type":"FAQPage",
"headline":"Renew your passport","name":"Renew your passport","url":"{_GOV}",
"mainEntity":[{{"@type":"Question","name":"Overview","url":"{_GOV}/overview",
"acceptedAnswer":{{"@type":"Answer","url":"{_GOV}/overview","text":"<p>You can apply online.</p>"}}
}}]}}</script></head><body><a href="#content">Skip to main content</a><header role="banner">
<a href="/" aria-label="Public services"><svg></svg></a></header><main id="content">
<h1>Renew or replace your adult passport</h1><nav><ol><li>Overview</li><li><a
 href="/renew-passport/urgent">If you need your passport urgently</a></li></ol></nav>
<h2>Overview</h2><p>You can apply online. It costs less than by post.</p><details><summary>Other
ways to apply</summary><p>Ask for a form at a <a href="/post">post office</a>.</p></details></main>
</body></html>""",
)
_RECIPE = "https://kitchen.example.org/iced-tea"
RECIPE = Page(
    url=_RECIPE,
    html=f"""<!DOCTYPE html><html lang="en-GB" prefix="og: https://ogp.me/ns#"><head>
<meta charset="UTF-8">{_VIEWPORT}<title>Iced tea with mint and lime - Kitchen</title>
<meta name="description" content="Cold brewed overnight, with mint and lime: a tea for hot days that
 needs no sugar. Ready in two minutes, plus a night in the fridge.">
<link rel="canonical" href="{_RECIPE}"><link rel="shortcut icon" href="/favicon.ico">
{_graph("https://kitchen.example.org/i.jpg", url=_RECIPE, title="Iced", description="Cold")}
<script type="application/ld+json">[{{"@context":"https:\\/\\/schema.org","@type":["Recipe",
"NewsArticle"],"name":"Iced tea","headline":"Iced tea","image":["https://kitchen.example.org/i.jpg"],
"author":[{{"@type":"Person","name":"Sam Field"}}],"datePublished":"2026-06-01T07:00:00.000-04:00",
"prepTime":"PT2M","totalTime":"P0DT8H2M","recipeYield":["4"],"recipeIngredient":["1 l water"],
"recipeInstructions":[{{"@type":"HowToStep","text":"Wait."}}],
"aggregateRating":{{"@type":"AggregateRating","ratingValue":"4.86","ratingCount":"89"}},
"review":[{{"@type":"Review","author":{{"@type":"Person","name":"Kim"}},"reviewBody":"Fresh.",
"reviewRating":{{"@type":"Rating","ratingValue":5}}}}],
"video":{{"@type":"VideoObject","name":"Iced tea","thumbnailUrl":"https://kitchen.example.org/v.jpg",
"uploadDate":"2026-06-01","contentUrl":"https://kitchen.example.org/v.mp4"}}}}]</script></head>
<body><main><h1>Iced tea with mint and lime</h1><p>Cold brewed overnight.</p>
<div class="comments"><h2>Steps</h2><p>Wait for <a href="/cold-brew">a night of cold brew</a>.</p>
</div></main></body></html>""",
)
_JAPAN = "https://example.org/%E8%8C%B6/%E7%B7%91%E8%8C%B6"
JAPANESE = Page(
    url=_JAPAN,
    language="ja",
    html=f"""<!DOCTYPE html><html lang="ja"><head><meta charset="UTF-8">{_VIEWPORT}
<title>緑茶のおいしい淹れ方と温度の目安 | 茶の手帖</title><meta name="description"
 content="緑茶は七十五度のお湯で二分。苦くならない淹れ方と、茶葉の量、二煎目の楽しみ方をまとめました。">
<link rel="canonical" href="{_JAPAN}"><link rel="icon" href="/favicon.ico">
{_graph("https://example.org/cha.png", url=_JAPAN, title="緑茶", description="七十五度")}
<script type="application/ld+json">{{"@context":"https://schema.org","@type":"BreadcrumbList",
"itemListElement":[{{"@type":"ListItem","position":1,"item":{{"@id":"https://example.org/",
"name":"ホーム"}}}},{{"@type":"ListItem","position":2,"item":{{"@id":"{_JAPAN}","name":"緑茶"}}}}]}}
</script></head><body><header><a href="/">茶の手帖</a></header><main><h1>緑茶のおいしい淹れ方</h1>
<p>お湯は七十五度まで冷まします。</p><h2>茶葉の量</h2><p>一人分は二グラムです。</p></main>
</body></html>""",
)
_EVENT = "https://festival.example.org/2026/opening-night"
EVENT = Page(
    url=_EVENT,
    html=f"""<!doctype html><html lang="en"><head><meta charset="utf-8">{_VIEWPORT}
<title>Opening night of the Harbour Festival 2026</title><meta name="description" content="Three
 bands on one boat: the opening night starts at seven at pier four. Tickets from twelve euros, free
 for children."><link rel="canonical" href="{_EVENT}"><link rel="icon" href="/favicon.ico">
{_graph("https://festival.example.org/o.jpg", url=_EVENT, title="Opening", description="Three")}
</head><body vocab="https://schema.org/"><header><a href="/">Harbour Festival</a></header>
<main typeof="MusicEvent"><h1 property="name">Opening night</h1>
<meta property="startDate" content="2026-12-01T19:00+01:00">
<meta property="endDate" content="2026-12-01T23:00+01:00">
<img property="image" src="/o.jpg" alt="A boat with lanterns" width="800" height="450">
<p property="description">Three bands on one boat.</p>
<div property="location" typeof="Place"><h2 property="name">Pier four</h2>
<p property="address">Quay street 4, Hamburg</p></div>
<a href="/tickets">Tickets for the opening night</a></main></body></html>""",
)
SITES = {
    "Jekyll": JEKYLL,
    "WordPress with Yoast": YOAST,
    "Docusaurus": DOCUSAURUS,
    "Shopify": SHOPIFY,
    "Next.js": NEXT,
    "Hugo in several languages": HUGO,
    "MediaWiki": MEDIAWIKI,
    "a government": GOVERNMENT,
    "recipes": RECIPE,
    "Japanese": JAPANESE,
    "RDFa": EVENT,
}
