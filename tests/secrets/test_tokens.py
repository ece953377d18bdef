"""A sample of every token shape, made from parts so that none stands in this repository."""

import base64
import json
import random
import string
import zlib

import pytest

from mergegate.core.severity import Confidence
from mergegate.secrets.checksums import base62_crc32
from mergegate.secrets.scan import scan
from mergegate.secrets.tokens import TOKENS

_ALNUM = string.ascii_letters + string.digits
_HEX = "0123456789abcdef"
_BASE32 = string.ascii_uppercase + "234567"


class Mint:
    """Random parts, the same for the same seed."""

    def __init__(self, seed: int) -> None:
        self._dice = random.Random(seed)

    def some(self, count: int, alphabet: str = _ALNUM) -> str:
        return "".join(self._dice.choice(alphabet) for _ in range(count))

    def hex(self, count: int) -> str:
        return self.some(count, _HEX)

    def digits(self, count: int) -> str:
        return self.some(count, "123456789")

    def checked(self, prefix: str) -> str:
        body = self.some(30)
        return f"{prefix}_{body}{base62_crc32(body)}"

    def grafana(self) -> str:
        body = "glsa_" + self.some(32)
        return f"{body}_{zlib.crc32(body.encode()):08x}"

    def jwt(self) -> str:
        parts = [{"alg": "HS256", "typ": "JWT"}, {"sub": self.some(9), "name": "ann"}]
        texts = [base64.urlsafe_b64encode(json.dumps(p).encode()).decode() for p in parts]
        return ".".join(text.rstrip("=") for text in texts) + "." + self.some(43)

    def discord(self) -> str:
        number = base64.b64encode(b"4" + self.some(17, string.digits).encode()).decode()
        return f"{number.rstrip('=')}.{self.some(6)}.{self.some(27)}"

    def uuid(self) -> str:
        return "-".join(self.hex(n) for n in (8, 4, 4, 4, 12))

    def pypi(self) -> str:
        return "pypi-" + "AgEIcHlwaS5vcmc" + self.some(140)


def samples(seed: int) -> dict[str, str]:
    """Detector → a token that its issuer might have issued."""
    m = Mint(seed)
    return {
        "age-key": "AGE-SECRET-" + "KEY-1" + m.some(58, "QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L"),
        "airtable-token": f"pat{m.some(14)}.{m.hex(64)}",
        "alibaba-key-id": "LTAI" + m.some(20),
        "anthropic-key": "sk-ant-" + "api03-" + m.some(93) + "AA",
        "artifactory-token": "AKC" + "p8" + m.some(68),
        "atlassian-token": "ATATT3" + m.some(180) + "=" + m.hex(8),
        "aws-access-key-id": "AKIA" + m.some(16, _BASE32),
        "aws-bedrock-key": "ABSK" + m.some(128),
        "azure-client-secret": f"{m.some(3)}8Q~{m.some(34)}",
        "azure-devops-token": f"{m.some(76)}AZDO{m.some(4)}",
        "azure-sas-token": f"https://a.blob.example.org/c?sv=2022&sig={m.some(43)}%3D",
        "azure-shared-access-key": f"SharedAccessKey={m.some(43)}=",
        "azure-storage-key": f"AccountKey={m.some(86)}==",
        "bitbucket-app-password": "ATBB" + m.some(24) + m.some(8, "0123456789ABCDEF"),
        "brevo-key": f"xkeysib-{m.hex(64)}-{m.some(16)}",
        "buildkite-token": "bkua_" + m.hex(40),
        "circleci-token": f"CCIPAT_{m.some(22)}_{m.hex(40)}",
        "contentful-token": "CFPAT-" + m.some(43),
        "crates-token": "cio" + m.some(32),
        "databricks-token": "dapi" + m.hex(32),
        "digitalocean-token": "dop_v1_" + m.hex(64),
        "discord-token": m.discord(),
        "discord-webhook": f"https://discord.com/api/webhooks/{m.digits(18)}/{m.some(68)}",
        "docker-token": "dckr_pat_" + m.some(27),
        "doppler-token": "dp.pt." + m.some(43),
        "dynatrace-token": f"dt0c01.{m.some(24, _BASE32)}.{m.some(64, _BASE32)}",
        "easypost-key": "EZAK" + m.some(54),
        "figma-token": "figd_" + m.some(40),
        "fly-token": "fm2_" + m.some(120),
        "github-token": m.checked("ghp"),
        "gitlab-token": "glpat-" + m.some(20),
        "google-access-token": "ya29." + m.some(120),
        "google-api-key": "AIza" + m.some(35),
        "google-oauth-secret": "GOCSPX-" + m.some(28),
        "grafana-token": m.grafana(),
        "groq-key": "gsk_" + m.some(52),
        "heroku-key": "HRKU-AA" + m.some(58),
        "hubspot-token": "pat-na1-" + m.uuid(),
        "huggingface-token": "hf_" + m.some(34, string.ascii_letters),
        "jwt": m.jwt(),
        "langsmith-key": f"lsv2_pt_{m.hex(32)}_{m.hex(10)}",
        "linear-key": "lin_api_" + m.some(40),
        "mailgun-key": "key-" + m.hex(32),
        "netlify-token": "nfp_" + m.some(36),
        "newrelic-key": "NRAK-" + m.some(27, string.ascii_uppercase + string.digits),
        "notion-token": f"ntn_{m.some(11, string.digits)}{m.some(35)}",
        "npm-token": m.checked("npm"),
        "nuget-key": "oy2" + m.some(43, string.ascii_lowercase + string.digits),
        "onepassword-token": "ops_eyJ" + m.some(300),
        "openai-key": f"sk-proj-{m.some(40)}{'T3Blbk'}FJ{m.some(40)}",
        "openrouter-key": "sk-or-v1-" + m.hex(64),
        "perplexity-key": "pplx-" + m.some(48),
        "pinecone-key": f"pcsk_{m.some(5)}_{m.some(64)}",
        "planetscale-token": "pscale_tkn_" + m.some(43),
        "postman-key": f"PMAK-{m.hex(24)}-{m.hex(34)}",
        "pulumi-token": "pul-" + m.hex(40),
        "pypi-token": m.pypi(),
        "readme-key": "rdme_" + m.some(70, string.ascii_lowercase + string.digits),
        "replicate-token": "r8_" + m.some(37),
        "rubygems-key": "rubygems_" + m.hex(48),
        "sendgrid-key": f"SG.{m.some(22)}.{m.some(43)}",
        "sentry-token": "sntryu_" + m.hex(64),
        "shippo-token": "shippo_live_" + m.hex(40),
        "shopify-token": "shpat_" + m.hex(32),
        "slack-token": f"xoxb-{m.digits(12)}-{m.digits(12)}-{m.some(24)}",
        "slack-webhook": f"https://hooks.slack.com/services/T{m.some(8)}/B{m.some(8)}/{m.some(24)}",
        "square-secret": "sq0csp-" + m.some(43),
        "stripe-key": "sk_live_" + m.some(24),
        "stripe-test-key": "sk_test_" + m.some(24),
        "stripe-webhook-secret": "whsec_" + m.some(32),
        "supabase-token": "sbp_" + m.hex(40),
        "tailscale-key": f"tskey-auth-{m.some(12)}-{m.some(32)}",
        "teams-webhook": (
            f"https://acme.webhook.office.com/webhookb2/{m.uuid()}@{m.uuid()}"
            f"/IncomingWebhook/{m.hex(32)}/{m.uuid()}"
        ),
        "telegram-token": f"{m.digits(10)}:AA{m.some(33)}",
        "tencent-key-id": "AKID" + m.some(32),
        "terraform-cloud-token": f"{m.some(14)}.atlasv1.{m.some(64)}",
        "twilio-key": "SK" + m.hex(32),
        "typeform-token": "tfp_" + m.some(59),
        "vault-token": "hvs." + m.some(95),
        "xai-key": "xai-" + m.some(80),
    }


SAMPLES = samples(4711)


def test_every_token_shape_has_a_sample() -> None:
    assert set(SAMPLES) == {token.id for token in TOKENS}


@pytest.mark.parametrize("detector", sorted(SAMPLES))
@pytest.mark.parametrize("line", ["{}", "x = call('{}', 1)", "DATA={} # note", '  "a": "{}",'])
def test_token_is_found_wherever_it_stands(detector: str, line: str) -> None:
    found = scan(line.format(SAMPLES[detector]).encode(), ".py").matches
    assert [match.detector for match in found] == [detector]


@pytest.mark.parametrize("seed", range(5))
def test_hardly_a_token_escapes_by_chance(seed: int) -> None:
    minted = samples(seed)
    missed = [d for d, text in minted.items() if d not in _detectors(text)]
    assert len(missed) <= 1


def _detectors(text: str) -> set[str]:
    return {match.detector for match in scan(text.encode()).matches}


def test_token_with_a_wrong_checksum_is_less_sure() -> None:
    right = Mint(1).checked("ghp")
    wrong = right[:-1] + ("A" if right[-1] != "A" else "B")
    sure, unsure = scan(right.encode()).matches[0], scan(wrong.encode()).matches[0]
    assert (sure.confidence, unsure.confidence) == (Confidence.HIGH, Confidence.MEDIUM)


@pytest.mark.parametrize(
    "text",
    [
        "ghp_" + "x" * 36,
        "ghp_" + "abcdefghijklmnopqrstuvwxyz0123456789",
        "AKIA" + "IOSFODNN7" + "EXAMPLE",
        "AKIA" + "0189018901890189",
        "sk_live_" + "x" * 24,
        "sk_live_...",
        "SK" + "ILLS" + "a" * 20,
        "SG.example",
        "xoxb-your-token",
        "xoxb-" + "1234567890-" * 2 + "abcdefghijklmnopqrstuvwx",
        "glpat-" + "1" * 20,
        "dapi" + "0" * 32,
        "https://hooks.slack.com/services/T00000000/B00000000/" + "X" * 24,
        "eyJhbGciOi.eyJzdWIiOi.not-a-token-at-all-really",
        "key-" + "a" * 32,
        "hf_transfer",
        "npm_config_registry",
        "npm_package_config_some_value_that_is_long_name",
        "shpat_" + "0" * 32,
        "12:AABBCC",
        "MIIEowIBAAKCAQEA",
        "secret_name_of_the_thing_that_is_quite_long_for_a_name",
        "AccountKey=" + "A" * 86 + "==",
        "DefaultEndpointsProtocol=https;AccountName=devstoreaccount1",
        "hvs.CAESI",
        "https://discord.com/api/webhooks/123/abc",
        "patients.0123456789",
        "pul-request",
        "TASIAN" + "ABCDEFGHIJKLMNOP",
    ],
)
def test_what_only_resembles_a_token_is_left_alone(text: str) -> None:
    assert scan(f"value = '{text}'".encode(), ".py").matches == ()


def test_well_known_emulator_key_is_no_secret() -> None:
    documented = "".join(
        (
            "Eby8vdM02xNOcqFlqUwJPLlmEtlC",
            "DXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq",
            "/K1SZFPTOtr/KBHBeksoGMGw==",
        )
    )
    assert scan(f"AccountKey={documented}".encode()).matches == ()
