"""Code for JavaScript: less of it, later, in smaller pieces."""

import re

from mergegate.site.audit.checks.vendors import costliest, facade
from mergegate.site.remedies.quoting import attribute, literal
from mergegate.site.remedies.remedy import Page, Recipe, Remedy, Slots, Stack, first

_TUBE = re.compile(r"https?://www\.youtube(?:-nocookie)?\.com/embed/([\w-]{6,20})(?=[?#]|$)")
_PLAYER = "YouTube"
_TASK_MS = 50
"""What keeps the main thread for less disturbs nobody."""
_UNLOAD = re.compile(r"\bunload (?:handler|event)", re.IGNORECASE)


def _player(page: Page) -> Slots | None:
    """The video that is embedded, by an address that names it."""
    urls = (load.url for load in page.run.waterfall)
    match = next(filter(None, map(_TUBE.match, urls)), None)
    return {"video": match[1]} if match else None


def _loiterer(page: Page) -> Slots | None:
    """The heaviest script of the costliest third party that no frame stands for."""
    for vendor in costliest(page.run):
        loads = [one for one in page.run.waterfall if one.vendor == vendor.name]
        scripts = sorted(
            (one for one in loads if one.kind == "script"),
            key=lambda one: (-one.transfer_bytes, one.url),
        )
        known = first(page.address(one.url) for one in scripts)
        if known and vendor.main_thread_ms >= _TASK_MS and not _framed(vendor.name, page):
            return {"src": attribute(known), "literal": literal(known)}
    return None


def _framed(vendor: str, page: Page) -> bool:
    stands_in = next((facade(one) for one in page.run.vendors if one.name == vendor), None)
    return stands_in is not None and stands_in.framed


def _unloaded(page: Page) -> Slots | None:
    rows = page.rows("bf-cache", "deprecations")
    return {} if any(_UNLOAD.search(row.text) for row in rows) else None


_CONSENT = "Check that nothing of the page calls it earlier, and that consent comes first."
_LATER = """<script>
  addEventListener("load", () => {
    const script = document.createElement("script");
    script.src = @@literal;
    script.async = true;
    (window.requestIdleCallback ?? setTimeout)(() => document.head.append(script));
  });
</script>"""
_SPLIT = """// before: import { openEditor } from "./editor.js";
document.querySelector("#edit").addEventListener("click", async () => {
  const { openEditor } = await import("./editor.js");
  openEditor();
});"""
_YIELD = """const pause = () =>
  globalThis.scheduler?.yield?.() ?? new Promise((done) => setTimeout(done));

export async function inPieces(items, work) {
  let until = performance.now() + 50;
  for (const item of items) {
    if (performance.now() > until) {
      await pause();
      until = performance.now() + 50;
    }
    work(item);
  }
}"""
_BROWSERS = "Browserslist query; the build tools that read it stop writing for older browsers."
SCRIPTS: tuple[Remedy, ...] = (
    Remedy(
        key="video-facade",
        rules=("third-parties-insight", "unused-javascript", "bootup-time"),
        title="Load the video player when somebody plays it",
        explanation=f"A picture stands in for the {_PLAYER} player, some 900 KB of script.",
        recipes={
            None: Recipe(
                "html",
                """<link rel="stylesheet" href="/lite-yt-embed.css">
<script src="/lite-yt-embed.js" defer></script>
<lite-youtube videoid="@@video" playlabel="Play the video"></lite-youtube>""",
                "The two files come with the npm package lite-youtube-embed. Without it, "
                "loading=lazy on the iframe helps where the player is far down the page.",
            ),
            Stack.NEXT: Recipe(
                "jsx",
                """import { YouTubeEmbed } from "@next/third-parties/google";

<YouTubeEmbed videoid="@@video" playlabel="Play the video" />""",
                "It needs the package @next/third-parties.",
            ),
            Stack.NUXT: Recipe(
                "vue",
                '<ScriptYouTubePlayer video-id="@@video" />',
                "It needs the module @nuxt/scripts.",
            ),
            Stack.ASTRO: Recipe(
                "astro",
                """---
import { YouTube } from "astro-embed";
---
<YouTube id="@@video" />""",
                "It needs the package astro-embed.",
            ),
        },
        slots=_player,
        part=0.5,
    ),
    Remedy(
        key="third-party-later",
        rules=("third-parties-insight", "bootup-time"),
        title="Load the costliest third party after the page",
        explanation=f"It then no longer competes with the page itself. {_CONSENT}",
        recipes={
            None: Recipe("html", _LATER, "A Content Security Policy has to allow it."),
            Stack.NEXT: Recipe(
                "jsx",
                """import Script from "next/script";

<Script src="@@src" strategy="lazyOnload" />""",
            ),
            Stack.NUXT: Recipe(
                "typescript",
                'useScript(@@literal, { trigger: "onNuxtReady" });',
                "It needs the module @nuxt/scripts.",
            ),
            Stack.GATSBY: Recipe(
                "jsx",
                """import { Script } from "gatsby";

<Script src="@@src" strategy="idle" />""",
            ),
            Stack.ASTRO: Recipe(
                "astro",
                '<script is:inline type="text/partytown" src="@@src"></script>',
                "It needs @astrojs/partytown, which runs it in a worker; not every script can.",
            ),
        },
        slots=_loiterer,
        part=0.4,
    ),
    Remedy(
        key="split-javascript",
        part=0.7,
        rules=("unused-javascript",),
        title="Load JavaScript where it is used",
        explanation="What import() names becomes a file of its own, loaded when it is needed.",
        recipes={
            None: Recipe(
                "javascript", _SPLIT, "The names are examples: take the parts that few visits use."
            ),
            Stack.NEXT: Recipe(
                "jsx",
                """import dynamic from "next/dynamic";

const Editor = dynamic(() => import("../components/editor"), {
  loading: () => <p>Loading…</p>,
});""",
                "The names are examples: take the components that few visits use.",
            ),
            Stack.NUXT: Recipe(
                "vue",
                '<LazyEditor v-if="isEditing" />',
                "The prefix Lazy works for every component; the name is an example.",
            ),
            Stack.SVELTEKIT: Recipe(
                "svelte",
                """{#if editing}
  {#await import("$lib/Editor.svelte") then { default: Editor }}
    <Editor />
  {/await}
{/if}""",
                "The names are examples.",
            ),
            Stack.ANGULAR: Recipe(
                "html",
                """@defer (on interaction) {
  <app-editor />
} @placeholder {
  <button>Edit</button>
}""",
                "The names are examples.",
            ),
            Stack.ASTRO: Recipe(
                "astro",
                "<Editor client:visible />",
                "client:visible and client:idle load later than client:load; the name is an "
                "example.",
            ),
            Stack.REACT: Recipe(
                "jsx",
                """import { lazy, Suspense } from "react";

const Editor = lazy(() => import("./Editor"));

<Suspense fallback={<p>Loading…</p>}>
  <Editor />
</Suspense>""",
                "The names are examples.",
            ),
            Stack.VUE: Recipe(
                "javascript",
                """import { defineAsyncComponent } from "vue";

const Editor = defineAsyncComponent(() => import("./Editor.vue"));""",
                "The names are examples.",
            ),
            Stack.WORDPRESS: Recipe(
                "php",
                """<?php
add_action( 'wp_enqueue_scripts', function () {
    if ( ! is_page( 'contact' ) ) {
        wp_dequeue_script( 'HANDLE' );
    }
}, 100 );""",
                "HANDLE is the name of a plug-in's script, contact the page that needs it.",
            ),
        },
    ),
    Remedy(
        key="minify-javascript",
        rules=("unminified-javascript",),
        title="Minify JavaScript",
        explanation="Most build tools do it in production mode: check that the deployed one is.",
        recipes={
            None: Recipe("shell", "npx esbuild SOURCE.js --minify --sourcemap --outfile=BUILT.js"),
            Stack.VITE: Recipe(
                "javascript",
                """// vite.config.js
export default {
  build: { minify: true, sourcemap: true },
};""",
                "Deploy what vite build wrote, not the development server.",
            ),
            Stack.HUGO: Recipe(
                "html",
                """{{ $js := resources.Get "js/main.js" | minify | fingerprint }}
<script src="{{ $js.RelPermalink }}" integrity="{{ $js.Data.Integrity }}" defer></script>""",
            ),
        },
    ),
    Remedy(
        key="minify-css",
        rules=("unminified-css",),
        title="Minify CSS",
        explanation="Most build tools do it in production mode: check that the deployed one is.",
        recipes={
            None: Recipe("shell", "npx esbuild SOURCE.css --minify --outfile=BUILT.css"),
            Stack.VITE: Recipe(
                "javascript",
                """// vite.config.js
export default {
  build: { cssMinify: true },
};""",
            ),
            Stack.HUGO: Recipe(
                "html",
                """{{ $css := resources.Get "css/main.css" | minify | fingerprint }}
<link rel="stylesheet" href="{{ $css.RelPermalink }}" integrity="{{ $css.Data.Integrity }}">""",
            ),
        },
    ),
    Remedy(
        key="modern-javascript",
        rules=("legacy-javascript-insight",),
        title="Build for current browsers",
        explanation="Polyfills and transpiled syntax of older browsers then drop out.",
        recipes={
            None: Recipe(
                "json",
                '{\n  "browserslist": ["baseline widely available"]\n}',
                f"{_BROWSERS} It goes into package.json.",
            ),
            Stack.VITE: Recipe(
                "javascript",
                """// vite.config.js
export default {
  build: { target: "baseline-widely-available" },
};""",
                "Vite 7 or newer; older ones take es2022.",
            ),
            Stack.NEXT: Recipe(
                "json",
                '{\n  "browserslist": ["chrome 111", "edge 111", "firefox 111", "safari 16.4"]\n}',
                f"{_BROWSERS} It goes into package.json.",
            ),
        },
    ),
    Remedy(
        key="yield",
        rules=("total-blocking-time", "bootup-time"),
        title="Break long tasks into pieces",
        explanation=(
            "Between two pieces the browser can answer a tap. It helps where your own loops take "
            "long; where a library does, load that later."
        ),
        recipes={None: Recipe("javascript", _YIELD)},
        part=0.2,
    ),
    Remedy(
        key="unload",
        rules=("bf-cache", "deprecations"),
        title="Listen for pagehide instead of unload",
        explanation=(
            "Handlers of unload are deprecated and keep the browser from restoring the page when "
            "somebody goes back."
        ),
        recipes={
            None: Recipe(
                "javascript",
                """// before: addEventListener("unload", save);
addEventListener("pagehide", save);""",
                "save stands for what your handler does; a third party may have added the handler.",
            )
        },
        slots=_unloaded,
        part=0.5,
    ),
)
