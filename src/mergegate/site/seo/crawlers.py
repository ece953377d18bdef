"""Crawlers of search engines and assistants: what they call themselves, and what they come for.

Taken from their operators' pages as they stood in 2026, and where those are silent from what
servers see; ``published`` tells which. A name in a request proves nothing: anybody can send it.
"""

from dataclasses import KW_ONLY, dataclass
from enum import StrEnum


class Purpose(StrEnum):
    """What a crawler comes for."""

    SEARCH = "search"
    """An index from which people, or answers with sources, find the page."""
    TRAINING = "training"
    """Text that models learn from."""
    USER = "user"
    """One page, now, because a person asked for it."""
    CONTROL = "control"
    """None: a word in robots.txt that no crawler calls itself."""


@dataclass(frozen=True, slots=True)
class Crawler:
    """One name that robots.txt may speak to."""

    token: str
    """As robots.txt names it, in its operator's letters."""
    _: KW_ONLY
    operator: str
    purpose: Purpose
    documentation: str
    """The operator's page about it, or the best there is."""
    agent: str = ""
    """The User-Agent that it sends; empty for a control word."""
    published: bool = True
    """Whether the operator publishes that string; otherwise it is what servers see."""
    falls_back_to: str = ""
    """Whose rules it follows where robots.txt does not name it, before those for everybody."""
    for_answers: bool = False
    """Whether it belongs to an assistant, not to a list of links."""


_OPENAI = "https://developers.openai.com/api/docs/bots"
_ANTHROPIC = (
    "https://support.claude.com/en/articles/"
    "8896518-does-anthropic-crawl-data-from-the-web-and-how-can-site-owners-block-the-crawler"
)
_PERPLEXITY = "https://docs.perplexity.ai/guides/bots"
_GOOGLE = "https://developers.google.com/crawling/docs/crawlers-fetchers/google-common-crawlers"
_APPLE = "https://support.apple.com/en-us/119829"
_META = "https://developers.facebook.com/docs/sharing/webmasters/web-crawlers/"
_AMAZON = "https://developer.amazon.com/amazonbot"
_MISTRAL = "https://docs.mistral.ai/robots"
_WEBKIT = "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko"
"""How most of them begin; some close the bracket before their own name, some after it."""

_SEARCH_ENGINES = (
    Crawler(
        "Googlebot",
        operator="Google",
        purpose=Purpose.SEARCH,
        documentation=_GOOGLE,
        agent=f"{_WEBKIT}; compatible; Googlebot/2.1; +http://www.google.com/bot.html)"
        " Chrome/140.0.0.0 Safari/537.36",
    ),
    Crawler(
        "Bingbot",
        operator="Microsoft",
        purpose=Purpose.SEARCH,
        documentation="https://www.bing.com/webmasters/help/which-crawlers-does-bing-use-8c184ec0",
        agent=f"{_WEBKIT}; compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)"
        " Chrome/140.0.0.0 Safari/537.36",
    ),
    Crawler(
        "Applebot",
        operator="Apple",
        purpose=Purpose.SEARCH,
        documentation=_APPLE,
        agent="Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like"
        " Gecko) Version/17.4 Safari/605.1.15 (Applebot/0.1; +http://www.apple.com/go/applebot)",
        falls_back_to="Googlebot",
    ),
    Crawler(
        "DuckDuckBot",
        operator="DuckDuckGo",
        purpose=Purpose.SEARCH,
        documentation="https://duckduckgo.com/duckduckgo-help-pages/results/duckduckbot",
        agent="DuckDuckBot/1.1; (+http://duckduckgo.com/duckduckbot.html)",
    ),
    Crawler(
        "YandexBot",
        operator="Yandex",
        purpose=Purpose.SEARCH,
        documentation="https://yandex.com/support/webmaster/en/robot-workings/check-yandex-robots",
        agent="Mozilla/5.0 (compatible; YandexBot/3.0; +http://yandex.com/bots)",
        falls_back_to="Yandex",
    ),
    Crawler(
        "Baiduspider",
        operator="Baidu",
        purpose=Purpose.SEARCH,
        documentation="https://www.baidu.com/search/robots_english.html",
        agent="Mozilla/5.0 (compatible; Baiduspider/2.0; +http://www.baidu.com/search/spider.html)",
    ),
)

_ASSISTANTS = (
    Crawler(
        "OAI-SearchBot",
        operator="OpenAI",
        purpose=Purpose.SEARCH,
        documentation=_OPENAI,
        agent="Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like"
        " Gecko) Chrome/131.0.0.0 Safari/537.36; compatible; OAI-SearchBot/1.4;"
        " +https://openai.com/searchbot",
        for_answers=True,
    ),
    Crawler(
        "Claude-SearchBot",
        operator="Anthropic",
        purpose=Purpose.SEARCH,
        documentation=_ANTHROPIC,
        agent=f"{_WEBKIT}; compatible; Claude-SearchBot/1.0; +Claude-SearchBot@anthropic.com)",
        published=False,
        for_answers=True,
    ),
    Crawler(
        "PerplexityBot",
        operator="Perplexity",
        purpose=Purpose.SEARCH,
        documentation=_PERPLEXITY,
        agent=f"{_WEBKIT}; compatible; PerplexityBot/1.0; +https://perplexity.ai/perplexitybot)",
        for_answers=True,
    ),
    Crawler(
        "ChatGPT-User",
        operator="OpenAI",
        purpose=Purpose.USER,
        documentation=_OPENAI,
        agent=f"{_WEBKIT}); compatible; ChatGPT-User/1.0; +https://openai.com/bot",
        for_answers=True,
    ),
    Crawler(
        "Claude-User",
        operator="Anthropic",
        purpose=Purpose.USER,
        documentation=_ANTHROPIC,
        agent=f"{_WEBKIT}; compatible; Claude-User/1.0; +Claude-User@anthropic.com)",
        published=False,
        for_answers=True,
    ),
    Crawler(
        "Perplexity-User",
        operator="Perplexity",
        purpose=Purpose.USER,
        documentation=_PERPLEXITY,
        agent=f"{_WEBKIT}; compatible; Perplexity-User/1.0;"
        " +https://perplexity.ai/perplexity-user)",
        for_answers=True,
    ),
    Crawler(
        "GPTBot",
        operator="OpenAI",
        purpose=Purpose.TRAINING,
        documentation=_OPENAI,
        agent=f"{_WEBKIT}); compatible; GPTBot/1.3; +https://openai.com/gptbot",
        for_answers=True,
    ),
    Crawler(
        "ClaudeBot",
        operator="Anthropic",
        purpose=Purpose.TRAINING,
        documentation=_ANTHROPIC,
        agent=f"{_WEBKIT}; compatible; ClaudeBot/1.0; +claudebot@anthropic.com)",
        published=False,
        for_answers=True,
    ),
    Crawler(
        "CCBot",
        operator="Common Crawl",
        purpose=Purpose.TRAINING,
        documentation="https://commoncrawl.org/ccbot",
        agent="CCBot/2.0 (https://commoncrawl.org/faq/)",
        for_answers=True,
    ),
    Crawler(
        "meta-externalagent",
        operator="Meta",
        purpose=Purpose.TRAINING,
        documentation=_META,
        agent="meta-externalagent/1.1"
        " (+https://developers.facebook.com/docs/sharing/webmasters/crawler)",
        for_answers=True,
    ),
    Crawler(
        "meta-webindexer",
        operator="Meta",
        purpose=Purpose.SEARCH,
        documentation=_META,
        agent="meta-webindexer/1.1"
        " (+https://developers.facebook.com/docs/sharing/webmasters/crawler)",
        for_answers=True,
    ),
    Crawler(
        "meta-externalfetcher",
        operator="Meta",
        purpose=Purpose.USER,
        documentation=_META,
        agent="meta-externalfetcher/1.1"
        " (+https://developers.facebook.com/docs/sharing/webmasters/crawler)",
        for_answers=True,
    ),
    Crawler(
        "Amazonbot",
        operator="Amazon",
        purpose=Purpose.TRAINING,
        documentation=_AMAZON,
        agent=f"{_WEBKIT}; compatible; Amazonbot/0.1; +https://developer.amazon.com/support/"
        "amazonbot) Chrome/119.0.6045.214 Safari/537.36",
        for_answers=True,
    ),
    Crawler(
        "Amzn-SearchBot",
        operator="Amazon",
        purpose=Purpose.SEARCH,
        documentation=_AMAZON,
        agent=f"{_WEBKIT}; compatible; Amzn-SearchBot/0.1) Chrome/119.0.6045.214 Safari/537.36",
        for_answers=True,
    ),
    Crawler(
        "Amzn-User",
        operator="Amazon",
        purpose=Purpose.USER,
        documentation=_AMAZON,
        agent=f"{_WEBKIT}; compatible; Amzn-User/0.1) Chrome/119.0.6045.214 Safari/537.36",
        for_answers=True,
    ),
    Crawler(
        "MistralAI-User",
        operator="Mistral",
        purpose=Purpose.USER,
        documentation=_MISTRAL,
        agent=f"{_WEBKIT}; compatible; MistralAI-User/1.0; +https://docs.mistral.ai/robots)",
        for_answers=True,
    ),
    Crawler(
        "MistralAI-Index",
        operator="Mistral",
        purpose=Purpose.SEARCH,
        documentation=_MISTRAL,
        agent=f"{_WEBKIT}; compatible; MistralAI-Index/1.0; +https://docs.mistral.ai/robots)",
        for_answers=True,
    ),
    Crawler(
        "DuckAssistBot",
        operator="DuckDuckGo",
        purpose=Purpose.USER,
        documentation="https://duckduckgo.com/duckduckgo-help-pages/results/duckassistbot",
        agent="DuckAssistBot/1.2; (+http://duckduckgo.com/duckassistbot.html)",
        for_answers=True,
    ),
    Crawler(
        "YouBot",
        operator="You.com",
        purpose=Purpose.SEARCH,
        documentation="https://about.you.com/youbot/",
        agent="Mozilla/5.0 (compatible; YouBot (+http://www.you.com))",
        published=False,
        for_answers=True,
    ),
    Crawler(
        "Bytespider",
        operator="ByteDance",
        purpose=Purpose.TRAINING,
        documentation="https://github.com/ai-robots-txt/ai.robots.txt",
        agent="Mozilla/5.0 (Linux; Android 5.0) AppleWebKit/537.36 (KHTML, like Gecko) Mobile"
        " Safari/537.36 (compatible; Bytespider; spider-feedback@bytedance.com)",
        published=False,
        for_answers=True,
    ),
    Crawler(
        "cohere-ai",
        operator="Cohere",
        purpose=Purpose.USER,
        documentation="https://github.com/ai-robots-txt/ai.robots.txt",
        agent="cohere-ai",
        published=False,
        for_answers=True,
    ),
    Crawler(
        "Diffbot",
        operator="Diffbot",
        purpose=Purpose.TRAINING,
        documentation="https://docs.diffbot.com/docs/getting-started-with-crawlbot",
        agent="Mozilla/5.0 (compatible; Diffbot/0.1; +http://www.diffbot.com)",
        published=False,
        for_answers=True,
    ),
)

_CONTROL_WORDS = (
    Crawler(
        "Google-Extended",
        operator="Google",
        purpose=Purpose.CONTROL,
        documentation=_GOOGLE,
        for_answers=True,
    ),
    Crawler(
        "Applebot-Extended",
        operator="Apple",
        purpose=Purpose.CONTROL,
        documentation=_APPLE,
        for_answers=True,
    ),
)

CRAWLERS = (*_SEARCH_ENGINES, *_ASSISTANTS, *_CONTROL_WORDS)
"""Search engines first, then assistants, then control words; each token once."""

EVERYBODY = "*"
"""The token of those whom robots.txt does not name."""

PROBED = (
    "OAI-SearchBot",
    "Claude-SearchBot",
    "PerplexityBot",
    "ChatGPT-User",
    "Claude-User",
    "Perplexity-User",
    "GPTBot",
    "ClaudeBot",
    "CCBot",
    "meta-externalagent",
)
"""Those in whose name a scan asks for the page, in this order.

Google and Microsoft are not among them: servers know their crawlers by address, as both advise, and
turn away whoever borrows the name. Such a refusal would say nothing.
"""


def crawler(token: str) -> Crawler:
    """The crawler of this token, letter case aside; raises KeyError for any other word."""
    return _BY_TOKEN[token.lower()]


_BY_TOKEN = {one.token.lower(): one for one in CRAWLERS}
