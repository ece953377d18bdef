"""Tokens with a shape of their own: a literal that draws attention, a pattern, and what proves it.

Patterns of detect-secrets' plugins come first; ours add the providers and forms they lack.
A plugin's patterns are run, never its ``scan``, settings or network verification.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache

from mergegate.core.severity import Confidence
from mergegate.secrets import checksums
from mergegate.secrets.detectors import (
    AWSKeyDetector,
    AzureStorageKeyDetector,
    DiscordBotTokenDetector,
    GitHubTokenDetector,
    GitLabTokenDetector,
    JwtTokenDetector,
    OpenAIDetector,
    PypiTokenDetector,
    RegexBasedDetector,
    SendGridDetector,
    SlackDetector,
    SquareOAuthDetector,
    StripeDetector,
    TelegramBotTokenDetector,
    TwilioKeyDetector,
)

HIGH, MEDIUM, LOW = Confidence.HIGH, Confidence.MEDIUM, Confidence.LOW


@dataclass(frozen=True, slots=True)
class Token:
    """One shape."""

    id: str
    leads: tuple[str, ...]
    """Short patterns that announce it; one stands in every match, at most 100 characters in.
    ``~`` before a literal: it stands in the middle of a word."""
    written: tuple[tuple[str, int], ...]
    """Its patterns, each with its flags: most are compiled in vain, for no file announces them."""
    confidence: Confidence = HIGH
    proof: Callable[[str], bool] | None = None
    unproven: Confidence | None = None
    """What is left when the proof fails; None drops the match."""

    @property
    def patterns(self) -> tuple[re.Pattern[str], ...]:
        """The secret is group ``value``, else the whole match."""
        return tuple(_compiled(pattern, flags) for pattern, flags in self.written)


@cache
def _compiled(pattern: str, flags: int) -> re.Pattern[str]:
    return re.compile(pattern, flags)


def _shape(
    id: str,
    leads: str,
    pattern: str,
    confidence: Confidence = HIGH,
    *,
    proof: Callable[[str], bool] | None = None,
    unproven: Confidence | None = None,
) -> Token:
    """Our own shape, as a word of its own."""
    written = (_as_word(pattern),)
    return Token(id, tuple(leads.split()), written, confidence, proof, unproven)


def _plugin(
    id: str,
    leads: str,
    plugin: type[RegexBasedDetector],
    confidence: Confidence = HIGH,
    *,
    proof: Callable[[str], bool] | None = None,
    unproven: Confidence | None = None,
    keep: Callable[[str], bool] = bool,
    open_ended: bool = False,
) -> Token:
    """A detect-secrets plugin's patterns, those that ``keep`` accepts, as words of their own.

    ``open_ended``: tokens of today are longer than the plugin knows.
    """
    written = tuple(
        _as_word(p.pattern, p.flags, open_ended) for p in plugin().denylist if keep(p.pattern)
    )
    return Token(id, tuple(leads.split()), written, confidence, proof, unproven)


def _as_word(pattern: str, flags: int = 0, open_ended: bool = False) -> tuple[str, int]:
    after = "" if open_ended else "(?![A-Za-z0-9])"
    return f"(?<![A-Za-z0-9])(?:{pattern}){after}", flags


def _is_key_id(value: str) -> bool:
    """AWS ids are base 32 after the prefix: no 0, 1, 8 or 9."""
    return re.fullmatch(r"[A-Z2-7]{16}", value[4:]) is not None


def _is_slack_url(pattern: str) -> bool:
    return "hooks" in pattern


TOKENS: tuple[Token, ...] = (
    _plugin(
        "github-token",
        "ghp_ gho_ ghu_ ghs_ ghr_",
        GitHubTokenDetector,
        proof=checksums.has_base62_crc32,
        unproven=MEDIUM,
    ),
    _shape("github-token", "github_pat_", r"github_pat_[A-Za-z0-9]{22}_[A-Za-z0-9]{59}"),
    _plugin(
        "gitlab-token",
        "glpat- gldt- glft- glsoat- glrt- GR1348941 glcbt- glimt- glptt- glagent- gloas-",
        GitLabTokenDetector,
    ),
    _shape(
        "npm-token",
        "npm_",
        r"npm_[A-Za-z0-9]{36}",
        proof=checksums.has_base62_crc32,
        unproven=MEDIUM,
    ),
    _plugin("pypi-token", "pypi-AgE", PypiTokenDetector, proof=checksums.is_pypi_macaroon),
    _plugin("slack-token", "xox", SlackDetector, keep=lambda p: not _is_slack_url(p)),
    _shape("slack-token", "xapp- xoxe", r"xapp-\d-[A-Z0-9]{8,}-\d{8,}-[a-f0-9]{40,}"),
    _shape("slack-token", "xoxe", r"xoxe(?:\.xox[bp])?-\d-[A-Za-z0-9]{100,}"),
    _plugin(
        "slack-webhook", r"hooks\.slack\.com/services/T", SlackDetector, MEDIUM, keep=_is_slack_url
    ),
    _plugin("stripe-key", "sk_live_ rk_live_", StripeDetector, open_ended=True),
    _shape("stripe-test-key", "sk_test_ rk_test_", r"[rs]k_test_[0-9a-zA-Z]{24,247}", LOW),
    _shape("stripe-webhook-secret", "whsec_", r"whsec_[A-Za-z0-9+/]{32,64}={0,2}", MEDIUM),
    _plugin("sendgrid-key", r"SG\.", SendGridDetector),
    _plugin(
        "twilio-key",
        "SK[0-9a-f]{32}",
        TwilioKeyDetector,
        MEDIUM,
        proof=lambda value: re.fullmatch(r"SK[0-9a-f]{32}", value) is not None,
        keep=lambda pattern: pattern.startswith("SK"),
    ),
    _plugin(
        "aws-access-key-id",
        "AKIA ASIA ABIA ACCA",
        AWSKeyDetector,
        MEDIUM,
        proof=_is_key_id,
        keep=lambda pattern: "AKIA" in pattern,
    ),
    _shape("aws-bedrock-key", "ABSK", r"ABSK[A-Za-z0-9+/]{109,269}={0,2}"),
    _shape("google-api-key", "AIza", r"AIza[0-9A-Za-z_-]{35}", LOW),
    _shape("google-oauth-secret", "GOCSPX-", r"GOCSPX-[A-Za-z0-9_-]{28}"),
    _shape("google-access-token", r"ya29\.", r"ya29\.[A-Za-z0-9_-]{60,}", MEDIUM),
    _plugin("azure-storage-key", "AccountKey=", AzureStorageKeyDetector, open_ended=True),
    _shape(
        "azure-shared-access-key",
        "SharedAccessKey=",
        r"SharedAccessKey=(?P<value>[A-Za-z0-9+/]{43}=)",
    ),
    _shape(
        "azure-sas-token",
        "sig=",
        r"sig=(?P<value>[A-Za-z0-9%+/]{43,100}(?:%3D|=)(?:%3D|=)?)(?=[&\"'\s]|$)",
        MEDIUM,
    ),
    _shape(
        "azure-client-secret",
        "~Q~",
        r"[A-Za-z0-9_.~-]{3}\dQ~[A-Za-z0-9_.~-]{31,34}",
        HIGH,
    ),
    _shape("azure-devops-token", "~AZDO", r"[A-Za-z0-9]{76}AZDO[A-Za-z0-9]{4}"),
    _plugin("openai-key", "sk-[A-Za-z0-9_-]{20}", OpenAIDetector),
    _shape("openai-key", "sk-proj- sk-svcacct- sk-admin-", r"sk-(?:proj|svcacct|admin)-[\w-]{60,}"),
    _shape("anthropic-key", "sk-ant-", r"sk-ant-[a-z]{3,6}\d\d-[\w-]{80,120}"),
    _shape("openrouter-key", "sk-or-v1-", r"sk-or-v1-[0-9a-f]{64}"),
    _shape("huggingface-token", "hf_ api_org_", r"(?:hf_|api_org_)[a-zA-Z]{34}"),
    _shape("groq-key", "gsk_", r"gsk_[A-Za-z0-9]{52}"),
    _shape("replicate-token", "r8_", r"r8_[A-Za-z0-9]{37}"),
    _shape("perplexity-key", "pplx-", r"pplx-[A-Za-z0-9]{48}"),
    _shape("xai-key", "xai-", r"xai-[A-Za-z0-9]{80}"),
    _shape("langsmith-key", "lsv2_", r"lsv2_(?:pt|sk)_[a-f0-9]{32}_[a-f0-9]{10}"),
    _shape("pinecone-key", "pcsk_", r"pcsk_[A-Za-z0-9]{5,6}_[A-Za-z0-9]{60,70}"),
    _shape("digitalocean-token", "dop_v1_ doo_v1_ dor_v1_", r"do[opr]_v1_[a-f0-9]{64}"),
    _shape("databricks-token", "dapi", r"dapi[a-f0-9]{32}(?:-\d)?"),
    _shape("docker-token", "dckr_pat_ dckr_oat_", r"dckr_[po]at_[A-Za-z0-9_-]{27,32}"),
    _plugin(
        "telegram-token",
        ":AA",
        TelegramBotTokenDetector,
        proof=lambda value: ":AA" in value,
    ),
    _plugin(
        "discord-token",
        r"[MNO][DTjz][A-Za-z\d_-]{22,24}\.",
        DiscordBotTokenDetector,
        proof=checksums.is_discord_bot,
    ),
    _shape(
        "discord-webhook",
        "/api/webhooks/",
        r"https://(?:\w+\.)?discord(?:app)?\.com/api/webhooks/\d{17,20}/[\w-]{60,80}",
        MEDIUM,
    ),
    _shape(
        "teams-webhook",
        r"\.webhook\.office\.com",
        r"https://[\w-]{1,60}\.webhook\.office\.com/webhookb2/[0-9a-f@/-]{73,}/IncomingWebhook/"
        r"[0-9a-f]{32}/[0-9a-f-]{36}",
        MEDIUM,
    ),
    _shape("shopify-token", "shpat_ shpca_ shppa_ shpss_", r"shp(?:at|ca|pa|ss)_[a-fA-F0-9]{32}"),
    _plugin("square-secret", "sq0csp-", SquareOAuthDetector),
    _shape(
        "square-secret",
        "sq0atp- EAAA[a-zA-Z0-9_-]{40}",
        r"sq0atp-[0-9A-Za-z_-]{22}|EAAA[a-zA-Z0-9_-]{60}",
    ),
    _shape("newrelic-key", "NRAK- NRII-", r"NRAK-[A-Z0-9]{27}|NRII-[A-Za-z0-9_-]{32}"),
    _shape("atlassian-token", "ATATT3 ATCTT3", r"AT[AC]TT3[A-Za-z0-9_=-]{60,250}"),
    _shape("bitbucket-app-password", "ATBB", r"ATBB[A-Za-z0-9]{24}[A-F0-9]{8}"),
    _shape("linear-key", "lin_api_", r"lin_api_[A-Za-z0-9]{40}"),
    _shape("notion-token", "ntn_ secret_", r"ntn_\d{11}[A-Za-z0-9]{35}|secret_[A-Za-z0-9]{43}"),
    _shape(
        "doppler-token",
        r"dp\.[acps][cdimtu]",
        r"dp\.(?:pt|ct|sa|scim|audit|st(?:\.[\w-]{2,35})?)\.[\w]{40,44}",
    ),
    _shape("terraform-cloud-token", r"\.atlasv1\.", r"[A-Za-z0-9]{14}\.atlasv1\.[\w=-]{60,70}"),
    _shape("vault-token", r"hv[sb]\.", r"hv[sb]\.[\w-]{24,300}"),
    _shape(
        "age-key", "AGE-SECRET-KEY-1", r"AGE-SECRET-KEY-1[QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L]{58}"
    ),
    _shape(
        "grafana-token",
        "glsa_",
        r"glsa_[A-Za-z0-9]{32}_[a-f0-9]{8}",
        proof=checksums.has_hex_crc32,
        unproven=MEDIUM,
    ),
    _shape("grafana-token", "glc_eyJ", r"glc_eyJ[A-Za-z0-9+/]{32,400}={0,3}"),
    _shape("planetscale-token", "pscale_", r"pscale_(?:tkn|pw|oauth)_[\w=.-]{32,64}"),
    _shape("postman-key", "PMAK-", r"PMAK-[a-f0-9]{24}-[a-f0-9]{34}"),
    _shape("pulumi-token", "pul-", r"pul-[a-f0-9]{40}"),
    _shape("rubygems-key", "rubygems_", r"rubygems_[a-f0-9]{48}"),
    _shape("crates-token", "cio[A-Za-z0-9]{32}", r"cio[A-Za-z0-9]{32}", MEDIUM),
    _shape("nuget-key", "oy2[a-z0-9]{20}", r"oy2[a-z0-9]{43}", MEDIUM),
    _shape("sentry-token", "sntrys_ sntryu_", r"sntrys_eyJ[\w+/=]{80,}|sntryu_[a-f0-9]{64}"),
    _shape("supabase-token", "sbp_", r"sbp_[a-f0-9]{40}"),
    _shape("fly-token", "fm2_", r"fm2_[A-Za-z0-9+/]{100,}={0,3}"),
    _shape("netlify-token", "nfp_", r"nfp_[A-Za-z0-9_]{36}"),
    _shape("heroku-key", "HRKU-", r"HRKU-AA[\w-]{58,}"),
    _shape(
        "hubspot-token",
        "pat-na1- pat-eu1-",
        r"pat-(?:na|eu)1-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}",
    ),
    _shape(
        "airtable-token", r"pat[A-Za-z0-9]{14}\.[a-f0-9]{8}", r"pat[A-Za-z0-9]{14}\.[a-f0-9]{64}"
    ),
    _shape("figma-token", "figd_", r"figd_[\w-]{38,44}"),
    _shape("dynatrace-token", r"dt0[a-z]\d\d\.", r"dt0[a-z]\d\d\.[A-Z2-7]{24}\.[A-Z2-7]{64}"),
    _shape("brevo-key", "xkeysib-", r"xkeysib-[a-f0-9]{64}-[A-Za-z0-9]{16}"),
    _shape("alibaba-key-id", "LTAI", r"LTAI[A-Za-z0-9]{20}", MEDIUM),
    _shape("tencent-key-id", "AKID", r"AKID[A-Za-z0-9]{32}", MEDIUM),
    _shape("easypost-key", "EZAK EZTK", r"EZ[AT]K[A-Za-z0-9]{54}"),
    _shape("shippo-token", "shippo_live_", r"shippo_live_[a-f0-9]{40}"),
    _shape("typeform-token", "tfp_", r"tfp_[\w.=-]{59}"),
    _shape("readme-key", "rdme_", r"rdme_[a-z0-9]{70}"),
    _shape("tailscale-key", "tskey-", r"tskey-(?:auth|api|client|webhook)-\w{8,20}-\w{16,40}"),
    _shape("onepassword-token", "ops_eyJ", r"ops_eyJ[A-Za-z0-9+/]{250,}={0,3}"),
    _shape("circleci-token", "CCIPAT_", r"CCIPAT_[A-Za-z0-9]{22}_[a-f0-9]{40}"),
    _shape("buildkite-token", "bkua_", r"bkua_[a-f0-9]{40}"),
    _shape("contentful-token", "CFPAT-", r"CFPAT-[\w-]{43}"),
    _shape("mailgun-key", "key-[0-9a-f]{32}", r"key-[0-9a-f]{32}", MEDIUM),
    _shape("artifactory-token", "AKC", r"AKC[a-zA-Z0-9]{60,80}", MEDIUM),
    _shape(
        "jwt",
        r"eyJ[\w-]{10,}\.eyJ",
        r"eyJ[\w-]{10,}\.eyJ[\w-]{10,}\.[\w-]{20,}",
        LOW,
        proof=lambda value: JwtTokenDetector.is_formally_valid(value) and checksums.is_jwt(value),
    ),
)


_LEADS = sorted({lead for token in TOKENS for lead in token.leads})
OPENING_LEADS = tuple(lead for lead in _LEADS if not lead.startswith("~"))
"""Patterns of what stands at the break of a word."""
ATTENTION = re.compile(rf"\b(?:{'|'.join(OPENING_LEADS)})", re.ASCII)
"""Finds the places worth a closer look, all tokens at once."""
INNER_LITERALS = tuple(lead[1:] for lead in _LEADS if lead.startswith("~"))
"""What stands in the middle of a token, where no pattern finds it fast."""


@cache
def _by_lead() -> tuple[tuple[re.Pattern[str], Token], ...]:
    """Compiled when the first lead is met: most runs meet none."""
    return tuple(
        (re.compile(lead.removeprefix("~"), re.ASCII), token)
        for token in TOKENS
        for lead in token.leads
    )


def announced(text: str, position: int) -> Iterator[Token]:
    """The tokens whose lead stands at ``position``."""
    seen: set[int] = set()
    for lead, token in _by_lead():
        if id(token) not in seen and lead.match(text, position):
            seen.add(id(token))
            yield token
