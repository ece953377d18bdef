"""Code for what stands in the head of a document: language, title, description, robots."""

from mergegate.site.remedies.quoting import address, attribute
from mergegate.site.remedies.remedy import Page, Recipe, Remedy, Slots, Stack

_ENGLISH = "Put the language of your page in the place of en."


def _address(page: Page) -> Slots | None:
    """The page's own absolute address, without its query."""
    known = address(page.run.final_url.split("?", 1)[0], page="")
    return {"url": attribute(known)} if known else None


_TITLE = Remedy(
    key="title",
    rules=("document-title",),
    title="Give the page a title",
    explanation="It says first what is particular to this page, then the name of the site.",
    recipes={
        None: Recipe("html", "<title>WHAT THIS PAGE IS – NAME OF THE SITE</title>"),
        Stack.NEXT: Recipe(
            "typescript",
            """// app/layout.tsx or page.tsx
export const metadata = {
  title: "WHAT THIS PAGE IS – NAME OF THE SITE",
};""",
        ),
        Stack.NUXT: Recipe("typescript", 'useHead({ title: "WHAT THIS PAGE IS" });'),
        Stack.SVELTEKIT: Recipe(
            "svelte", "<svelte:head>\n  <title>WHAT THIS PAGE IS</title>\n</svelte:head>"
        ),
        Stack.GATSBY: Recipe("jsx", "export const Head = () => <title>WHAT THIS PAGE IS</title>;"),
        Stack.ANGULAR: Recipe(
            "typescript",
            'const routes: Routes = [{ path: "", component: Home, title: "WHAT THIS PAGE IS" }];',
        ),
        Stack.WORDPRESS: Recipe(
            "php",
            """<?php
// functions.php
add_action( 'after_setup_theme', function () {
    add_theme_support( 'title-tag' );
} );""",
            "header.php has to call wp_head().",
        ),
        Stack.LARAVEL: Recipe("html", "<title>@yield('title') – NAME OF THE SITE</title>"),
        Stack.DJANGO: Recipe(
            "html", "<title>{% block title %}WHAT THIS PAGE IS{% endblock %}</title>"
        ),
        Stack.RAILS: Recipe(
            "erb", '<title><%= content_for(:title) || "NAME OF THE SITE" %></title>'
        ),
        Stack.SPHINX: Recipe(
            "python", '# conf.py\nhtml_title = "NAME OF THE SITE"', "Each page needs a heading."
        ),
        Stack.MKDOCS: Recipe("yaml", "---\ntitle: WHAT THIS PAGE IS\n---"),
        Stack.DOCUSAURUS: Recipe("yaml", "---\ntitle: WHAT THIS PAGE IS\n---"),
        Stack.HUGO: Recipe("html", "<title>{{ .Title }} – {{ .Site.Title }}</title>"),
        Stack.JEKYLL: Recipe("html", "<title>{{ page.title }} – {{ site.title }}</title>"),
        Stack.REACT: Recipe(
            "jsx", "<title>WHAT THIS PAGE IS</title>", "React 19 moves it into the head."
        ),
        Stack.VUE: Recipe(
            "javascript",
            'import { useHead } from "@unhead/vue";\n\nuseHead({ title: "WHAT THIS PAGE IS" });',
        ),
    },
)
_DESCRIPTION = Remedy(
    key="description",
    rules=("meta-description",),
    title="Describe the page in a sentence",
    explanation="Some 150 characters that say what a visitor finds; no two pages share one.",
    recipes={
        None: Recipe("html", '<meta name="description" content="WHAT A VISITOR FINDS HERE">'),
        Stack.NEXT: Recipe(
            "typescript",
            'export const metadata = {\n  description: "WHAT A VISITOR FINDS HERE",\n};',
        ),
        Stack.NUXT: Recipe(
            "typescript", 'useSeoMeta({ description: "WHAT A VISITOR FINDS HERE" });'
        ),
        Stack.SVELTEKIT: Recipe(
            "svelte",
            """<svelte:head>
  <meta name="description" content="WHAT A VISITOR FINDS HERE" />
</svelte:head>""",
        ),
        Stack.GATSBY: Recipe(
            "jsx",
            """export const Head = () => (
  <meta name="description" content="WHAT A VISITOR FINDS HERE" />
);""",
        ),
        Stack.ANGULAR: Recipe(
            "typescript",
            """inject(Meta).updateTag({
  name: "description",
  content: "WHAT A VISITOR FINDS HERE",
});""",
            "Meta is of @angular/platform-browser.",
        ),
        Stack.WORDPRESS: Recipe(
            "php",
            """<?php
add_action( 'wp_head', function () {
    if ( is_singular() && has_excerpt() ) {
        printf(
            '<meta name="description" content="%s">',
            esc_attr( wp_strip_all_tags( get_the_excerpt() ) )
        );
    }
} );""",
            "Not needed with a plug-in for search engines.",
        ),
        Stack.LARAVEL: Recipe(
            "html", '<meta name="description" content="@yield(\'description\')">'
        ),
        Stack.DJANGO: Recipe(
            "html",
            '<meta name="description" content="{% block description %}{% endblock %}">',
        ),
        Stack.RAILS: Recipe(
            "erb",
            '<%= tag.meta name: "description", content: content_for(:description) %>',
        ),
        Stack.SPHINX: Recipe(
            "rst", ".. meta::\n   :description: WHAT A VISITOR FINDS HERE", "At the top of a page."
        ),
        Stack.MKDOCS: Recipe("yaml", "---\ndescription: WHAT A VISITOR FINDS HERE\n---"),
        Stack.DOCUSAURUS: Recipe("yaml", "---\ndescription: WHAT A VISITOR FINDS HERE\n---"),
        Stack.HUGO: Recipe(
            "html",
            '<meta name="description" content="{{ with .Description }}{{ . }}'
            '{{ else }}{{ .Summary | plainify | truncate 150 }}{{ end }}">',
        ),
        Stack.JEKYLL: Recipe(
            "html",
            '<meta name="description" content="{{ page.description | default: site.description '
            '| escape }}">',
        ),
        Stack.REACT: Recipe(
            "jsx",
            '<meta name="description" content="WHAT A VISITOR FINDS HERE" />',
            "React 19 moves it into the head.",
        ),
        Stack.VUE: Recipe(
            "javascript",
            """import { useSeoMeta } from "@unhead/vue";

useSeoMeta({ description: "WHAT A VISITOR FINDS HERE" });""",
        ),
    },
)
_LANGUAGE = Remedy(
    key="language",
    rules=("html-has-lang", "html-lang-valid"),
    title="Say which language the page is in",
    explanation="Screen readers choose their voice by it, browsers offer translation.",
    recipes={
        None: Recipe("html", '<html lang="en">', _ENGLISH),
        Stack.NEXT: Recipe(
            "jsx",
            """// app/layout.tsx
export default function Layout({ children }) {
  return (
    <html lang="en">
      <body>{children}</body>
    </html>
  );
}""",
            _ENGLISH,
        ),
        Stack.NUXT: Recipe(
            "typescript",
            """// nuxt.config.ts
export default defineNuxtConfig({
  app: { head: { htmlAttrs: { lang: "en" } } },
});""",
            _ENGLISH,
        ),
        Stack.SVELTEKIT: Recipe("html", '<!-- src/app.html -->\n<html lang="en">', _ENGLISH),
        Stack.GATSBY: Recipe(
            "javascript",
            """// gatsby-ssr.js
export const onRenderBody = ({ setHtmlAttributes }) => setHtmlAttributes({ lang: "en" });""",
            _ENGLISH,
        ),
        Stack.ANGULAR: Recipe("html", '<!-- src/index.html -->\n<html lang="en">', _ENGLISH),
        Stack.WORDPRESS: Recipe(
            "php", "<!-- header.php -->\n<html <?php language_attributes(); ?>>"
        ),
        Stack.LARAVEL: Recipe(
            "html", "<html lang=\"{{ str_replace('_', '-', app()->getLocale()) }}\">"
        ),
        Stack.DJANGO: Recipe(
            "html",
            """{% load i18n %}{% get_current_language as LANGUAGE_CODE %}
<html lang="{{ LANGUAGE_CODE }}">""",
        ),
        Stack.RAILS: Recipe("erb", '<html lang="<%= I18n.locale %>">'),
        Stack.SPHINX: Recipe("python", '# conf.py\nlanguage = "en"', _ENGLISH),
        Stack.MKDOCS: Recipe(
            "yaml", "# mkdocs.yml\ntheme:\n  name: material\n  language: en", _ENGLISH
        ),
        Stack.DOCUSAURUS: Recipe(
            "javascript",
            """// docusaurus.config.js
export default {
  i18n: { defaultLocale: "en", locales: ["en"] },
};""",
            _ENGLISH,
        ),
        Stack.HUGO: Recipe(
            "html",
            '<html lang="{{ site.Language.Lang }}">',
            "It is the key of the language in the configuration, such as en.",
        ),
        Stack.JEKYLL: Recipe(
            "html", "<html lang=\"{{ page.lang | default: site.lang | default: 'en' }}\">"
        ),
    },
)
_VIEWPORT = Remedy(
    key="viewport",
    rules=("viewport-insight", "meta-viewport"),
    title="Fit the page to the width of the device, and let people zoom",
    explanation="One such line a page; without it phones show a desktop's width.",
    recipes={
        None: Recipe(
            "html", '<meta name="viewport" content="width=device-width, initial-scale=1">'
        ),
        Stack.NEXT: Recipe(
            "typescript",
            """// app/layout.tsx
export const viewport = { width: "device-width", initialScale: 1 };""",
        ),
        Stack.NUXT: Recipe(
            "typescript",
            """// nuxt.config.ts
export default defineNuxtConfig({
  app: { head: { viewport: "width=device-width, initial-scale=1" } },
});""",
        ),
    },
)
_FIRST_LINES = Remedy(
    key="first-lines",
    rules=("charset", "doctype"),
    title="Begin the document with its type and encoding",
    explanation="The encoding has to stand in the first 1024 bytes, the type before all else.",
    recipes={
        None: Recipe(
            "html",
            """<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">""",
            _ENGLISH,
        )
    },
)
_INDEXING = Remedy(
    key="indexing",
    rules=("is-crawlable",),
    title="Let search engines index the page",
    explanation=(
        "Something forbids it: a robots element, the header X-Robots-Tag or robots.txt, as the "
        "issue says. Remove that, or put this in its place. A preview may well stay hidden."
    ),
    recipes={
        None: Recipe("html", '<meta name="robots" content="index, follow">'),
        Stack.NEXT: Recipe(
            "typescript", "export const metadata = {\n  robots: { index: true, follow: true },\n};"
        ),
        Stack.NUXT: Recipe("typescript", 'useSeoMeta({ robots: "index, follow" });'),
        Stack.WORDPRESS: Recipe(
            "php",
            "<?php\nupdate_option( 'blog_public', '1' );",
            "Settings, Reading has the same switch.",
        ),
    },
)
_ROBOTS = Remedy(
    key="robots-txt",
    rules=("robots-txt",),
    title="Serve a valid robots.txt",
    explanation="It stands at the root of the host, as plain text, and answers 200 or 404.",
    recipes={None: Recipe("text", "User-agent: *\nDisallow:")},
)
_CANONICAL = Remedy(
    key="canonical",
    rules=("canonical",),
    title="Name one absolute address for the page",
    explanation="Exactly one such line, to an address that answers and is in the same language.",
    recipes={
        None: Recipe(
            "html",
            '<link rel="canonical" href="@@url">',
            "On a preview put the address of production there.",
        ),
        Stack.NEXT: Recipe(
            "typescript",
            """export const metadata = {
  metadataBase: new URL("https://YOUR-DOMAIN"),
  alternates: { canonical: "./" },
};""",
        ),
    },
    slots=_address,
)
HEAD: tuple[Remedy, ...] = (
    _TITLE,
    _DESCRIPTION,
    _LANGUAGE,
    _VIEWPORT,
    _FIRST_LINES,
    _INDEXING,
    _ROBOTS,
    _CANONICAL,
)
