"""Secrets and public keys in what a page sends: hits, near-misses, and the bar."""

import base64
import json
import random
import string
import time
from dataclasses import asdict
from pathlib import Path

import pytest

from mergegate.core.severity import Confidence
from mergegate.secrets.detectors import DETECTORS, Look
from mergegate.site.security.facts import SourceText
from mergegate.site.security.gather import worker
from mergegate.site.security.gather.contents import search
from mergegate.site.security.gather.exposures import Exposure, exposures, label
from tests.secrets.mint import minted
from tests.site.security.gather.planted import PLANTED, jwt, letters

NOW = 1_790_000_000.0
HEX = "9f8a7b6c5d4e3f2a1b0c9d8e7f6a5b4c"
UUID = minted("<uuid>")


def found(text: str, suffix: str = ".js") -> list[tuple[str, str]]:
    """Detector and label."""
    return [(one.detector, one.label) for one in exposures(text.encode(), suffix, NOW)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # keys that are made to be seen
        (f'Stripe("pk_live_{letters(24)}")', [("stripe-publishable-key", "Stripe")]),
        (f'key: "pk_test_{letters(24)}"', [("stripe-publishable-key", "key")]),
        (f'dsn: "https://{HEX}@o1234.ingest.sentry.io/5678"', [("sentry-dsn", "")]),
        (f'dsn: "https://{HEX}@sentry.example.org/sub/12"', [("sentry-dsn", "")]),
        (f'mapboxgl.accessToken = "pk.eyJ{letters(60)}.{letters(22)}"',
         [("mapbox-public-token", "mapboxgl.accessToken")]),
        (f'posthog.init("phc_{letters(43)}")', [("posthog-project-key", "posthog.init")]),
        (f'clientToken: "pub{HEX}"', [("datadog-client-token", "clientToken")]),
        (f'licenseKey: "NRJS-{HEX[:19]}"', [("newrelic-browser-key", "licenseKey")]),
        (f'createClient(u, "sb_publishable_{letters(30)}")', [("supabase-publishable-key", "u")]),
        (f'analytics.load("{letters(32)}")', [("segment-write-key", "analytics.load")]),
        (f'algoliasearch("APP", {{apiKey: "{HEX}"}})', [("algolia-key", "apiKey")]),
        (f'var c = {{apiKey: "AIza{letters(35)}", authDomain: "x.firebaseapp.com"}}',
         [("firebase-web-key", "apiKey")]),
        (f'src="https://maps.googleapis.com/maps/api/js?key=AIza{letters(35)}"',
         [("google-api-key", "key")]),
        (f'apiKey: "{HEX}"', [("browser-key", "apiKey")]),
        # secrets
        (f'key: "sk_live_{letters(24)}"', [("stripe-key", "key")]),
        (f'dsn: "https://{HEX}:{HEX[::-1]}@sentry.io/12"', [("sentry-dsn-secret", "")]),
        (f'token: "sk.eyJ{letters(60)}.{letters(22)}"', [("mapbox-secret-token", "token")]),
        (f'key: "phx_{letters(43)}"', [("posthog-personal-key", "key")]),
        (f'key: "sb_secret_{letters(30)}"', [("supabase-secret-key", "key")]),
        (f'init("{"sdk"}-{UUID}")', [("launchdarkly-sdk-key", "init")]),
        (f'clientSecret: "{HEX}"', [("token-literal", "clientSecret")]),
        (f'{{"service_key": "{letters(40)}"}}', [("token-literal", "service_key")]),
        # near-misses
        (f'"pk_live_{"x" * 24}"', []),
        (f'"sk_live_{"x" * 24}"', []),
        (f'integrity="sha384-{letters(64)}"', []),
        (f'chunk: "{HEX}.js"', []),
        (f'csrfToken: "{HEX}"', []),
        (f'nonce: "{letters(24)}"', []),
        (f'xsrf_token = "{HEX}"', []),
        (f'sessionToken: "{HEX}"', []),
        (f'sessionSecret: "{HEX}"', [("token-literal", "sessionSecret")]),
        (f'clientSecret: "pi_{letters(24)}_secret_{letters(25)}"', []),
        (f'requestVerificationToken: "{letters(60)}"', []),
        ('publicKey: "0123"', []),
        (f'"pub{HEX}0"', []),
        (f'url: "https://{HEX[:20]}@o1.ingest.sentry.io/5678"', []),
        ('dbPassword: "Xk9#mPq2$vL7"', [("password-literal", "dbPassword")]),
        ('ratingPass: "Xk9#mPq2$vL7"', []),
        ('password: "Your password"', []),
        ('url: "mysql://app:Xk9mPq2vL7@localhost/db"', []),
        ('passwordLabel: "Passwort eingeben"', []),
        ('{"password": "********"}', []),
    ],
)  # fmt: skip
def test_a_script_holds(text: str, expected: list[tuple[str, str]]) -> None:
    assert found(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (f'<input type="hidden" name="authenticity_token" value="{letters(44)}">', []),
        (f'<input name="__RequestVerificationToken" type="hidden" value="{letters(92)}">', []),
        (f'<input type="hidden" name="_token" value="{letters(40)}">', []),
        (f'<meta name="csrf-token" content="{letters(40)}">', []),
        (f'<script nonce="{letters(24)}">1</script>', []),
        (f'<div class="g-recaptcha" data-sitekey="6L{letters(38)}"></div>',
         [("recaptcha-site-key", "data-sitekey")]),
        (f'<script src="https://www.google.com/recaptcha/api.js?render=6L{letters(38)}">',
         [("recaptcha-site-key", "render")]),
        (f'<i id="6L{letters(38)}">', []),
        (f'<a data-x="{{&quot;token&quot;:&quot;ghp_{letters(36)}&quot;}}">',
         [("github-token", "token")]),
    ],
)  # fmt: skip
def test_a_page_holds(text: str, expected: list[tuple[str, str]]) -> None:
    assert found(text, ".html") == expected


@pytest.mark.parametrize(
    ("detector", "look"),
    [(one.id, look) for one in DETECTORS.values() for look in one.looks if one.in_pages],
)
def test_a_page_knows_every_detector(detector: str, look: Look) -> None:
    assert detector in {seen for seen, _ in found(minted(look.hit))}
    assert detector not in {seen for seen, _ in found(minted(look.near_miss))}


@pytest.mark.parametrize(
    ("claims", "said"),
    [
        ({"role": "anon", "exp": NOW + 9e8}, "anon"),
        ({"role": "service_role", "exp": NOW + 9e8}, "service_role"),
        ({"role": "service_role", "exp": NOW - 1}, "expired"),
        ({"sub": "7", "exp": NOW + 3600}, "expiring"),
        ({"sub": "7", "exp": NOW + 9e8}, "lasting"),
        ({"sub": "7"}, "lasting"),
        ({"role": ["anon"], "exp": "soon"}, "lasting"),
    ],
)
def test_a_signed_token_says_what_it_is_for(claims: dict[str, object], said: str) -> None:
    (only,) = exposures(f'key = "{jwt(claims)}"'.encode(), ".js", NOW)
    assert (only.detector, only.claim) == ("jwt", said)


@pytest.mark.parametrize(
    ("before", "name"),
    [
        ('{clientSecret:"', "clientSecret"),
        ('{"client_secret": "', "client_secret"),
        ("const SECRET = '", "SECRET"),
        ("window.x.key=`", "window.x.key"),
        ("a ? b : ", "b"),
        ('<input name="token" type="hidden" value="', "token"),
        ("&quot;key&quot;:&quot;", "key"),
        ('return"', ""),
        ("", ""),
    ],
)
def test_a_value_has_the_name_that_it_is_given_to(before: str, name: str) -> None:
    assert label(f"{before}value", len(before)) == name


def test_of_eleven_planted_secrets_among_a_thousand_random_strings_nine_are_found() -> None:
    text = _noisy(PLANTED.values())
    seen = [*exposures(text.encode(), ".js", NOW)]
    told = {one.line for one in seen if one.confidence is not Confidence.LOW}
    lines = text.split("\n")
    hit = {name for name, value in PLANTED.items() if any(value in lines[n - 1] for n in told)}
    assert len(hit) >= 9
    assert len({one.line for one in seen}) == len(hit), "nothing random is taken for a secret"


def test_no_secret_hides_behind_many_keys() -> None:
    keys = "\n".join(f'apiKey: "{random.Random(n).randbytes(16).hex()}";' for n in range(300))
    seen = [*exposures(f'{keys}\nk="{PLANTED["gitlab"][5:-1]}"'.encode(), ".js", NOW)]
    assert len(seen) == 100
    assert seen[-1].detector == "gitlab-token"


@pytest.mark.parametrize(
    "name",
    [
        "sk_live_" + letters(24),
        "ghp_" + letters(36),
        "github_pat_" + letters(82),
        "k" + HEX,
        "pk_live_" + letters(24),
    ],
)
def test_a_name_that_is_a_secret_itself_is_not_repeated(name: str) -> None:
    found = [*exposures(f'{{"{name}": "sk_live_{letters(24)}"}}'.encode(), ".js", NOW)]
    assert found
    assert all(one.label == "" for one in found)


def test_a_thousand_random_strings_are_no_secrets() -> None:
    assert [*exposures(_noisy(()).encode(), ".js", NOW)] == []


def _noisy(planted: object) -> str:
    """Digests, identifiers and random words as bundles are full of them, one a line."""
    chance = random.Random(7)
    alphabets = (
        string.hexdigits[:16],
        string.ascii_letters + string.digits,
        string.ascii_lowercase,
    )
    lines = [
        f'var v{number} = "{_word(chance, chance.choice(alphabets))}";' for number in range(1000)
    ]
    for value in planted:  # type: ignore[attr-defined]
        lines.insert(chance.randrange(len(lines)), f"const {value.split('|')[0]};")
    return "\n".join(lines)


def _word(chance: random.Random, alphabet: str) -> str:
    return "".join(chance.choices(alphabet, k=chance.randint(16, 64)))


def test_the_search_runs_elsewhere_and_hands_back_no_secret(tmp_path: Path) -> None:
    values = [value.partition('"')[2].rstrip('"') for value in PLANTED.values()]
    texts = [
        SourceText(url="https://example.org/a.js", kind="script", text=_noisy(PLANTED.values()))
    ]
    (answer,) = search(texts, tmp_path, NOW, 60)
    told = json.dumps(answer.model_dump(mode="json")) + repr(answer)
    assert answer.secrets
    assert not [value for value in values if value in told]
    written = (tmp_path / "job-0.answers").read_text(encoding="utf-8")
    assert not [value for value in values if value in written]


def test_what_takes_too_long_is_given_up_and_said(monkeypatch: pytest.MonkeyPatch) -> None:
    def endless() -> list[Exposure]:
        while True:
            time.sleep(0.01)

    monkeypatch.setattr(worker, "TEXT_SECONDS", 1)
    problems: list[str] = []
    assert worker._in_time(endless, "secrets", problems) == []
    assert problems == ["searching it for secrets took more than 1 s"]


HOSTILE = (
    "/*" + "*" * 300_000,
    '"' * 300_000,
    "eyJ" * 100_000,
    "pk_live_" * 40_000,
    "://" * 100_000,
    'apiVersion:"1.2.3"' + ",data:a" * 40_000,
    "/*! jQuery UI 1.2.3" + "\n" * 200_000 + ".ui.dialo",
    "password=" * 50_000,
    "\ud800" * 1000,
)


def test_hostile_texts_hold_up_nobody(tmp_path: Path) -> None:
    honest = f'k="{PLANTED["stripe"]}"'
    texts = [SourceText(url="", kind="script", text=one) for one in (*HOSTILE, honest)]
    answers = search(texts, tmp_path, NOW, 60)
    assert [len(one.secrets) for one in answers] == [0] * len(HOSTILE) + [1]
    assert not any(one.problems for one in answers)


def test_nothing_but_the_mask_is_kept_of_a_value() -> None:
    value = f"sk_live_{letters(24)}"
    (only,) = exposures(f'k="{value}"'.encode(), ".js", NOW)
    assert only.masked == "sk_l********"
    assert value[4:] not in json.dumps(asdict(only))
    assert base64.b64encode(value.encode()).decode() not in json.dumps(asdict(only))
