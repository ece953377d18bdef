"""What a leaked secret means: how bad it is where it stands, and what to do, in which order."""

from collections.abc import Iterator, Mapping
from enum import Enum

from mergegate.core.finding import Finding, Place
from mergegate.core.rule import OUTSIDE, Rule
from mergegate.core.severity import Aspect, Category, Confidence, Kind, Severity
from mergegate.core.tree import Role
from mergegate.repo.checks import check_of_many
from mergegate.secrets.found import SecretMatch, Secrets

_REFERENCES = (
    "https://cheatsheetseries.owasp.org/cheatsheets/Secrets_Management_Cheat_Sheet.html",
)


class _Family(Enum):
    """Secrets that weigh alike."""

    TOKEN = "token"
    PUBLIC = "public"
    """Meant to be seen, or good for tests alone, or short-lived."""
    KEY = "key"
    LOCKED_KEY = "locked key"
    PASSWORD = "password"
    """Judged by name and context."""
    HASH = "hash"
    DEFAULT = "default"
    """A password that everybody would guess first."""


_SEVERITY: Mapping[_Family, Mapping[Confidence, Severity]] = {
    _Family.TOKEN: {
        Confidence.HIGH: Severity.CRITICAL,
        Confidence.MEDIUM: Severity.HIGH,
        Confidence.LOW: Severity.LOW,
    },
    _Family.PUBLIC: dict.fromkeys(Confidence, Severity.INFO),
    _Family.KEY: dict.fromkeys(Confidence, Severity.CRITICAL),
    _Family.LOCKED_KEY: dict.fromkeys(Confidence, Severity.MEDIUM),
    _Family.PASSWORD: {
        Confidence.HIGH: Severity.HIGH,
        Confidence.MEDIUM: Severity.MEDIUM,
        Confidence.LOW: Severity.LOW,
    },
    _Family.HASH: {
        Confidence.HIGH: Severity.MEDIUM,
        Confidence.MEDIUM: Severity.MEDIUM,
        Confidence.LOW: Severity.LOW,
    },
    _Family.DEFAULT: {
        Confidence.HIGH: Severity.MEDIUM,
        Confidence.MEDIUM: Severity.LOW,
        Confidence.LOW: Severity.INFO,
    },
}
_CWE = {
    _Family.TOKEN: ("CWE-798",),
    _Family.PUBLIC: ("CWE-798",),
    _Family.KEY: ("CWE-321", "CWE-798"),
    _Family.LOCKED_KEY: ("CWE-312",),
    _Family.PASSWORD: ("CWE-798",),
    _Family.HASH: ("CWE-538",),
    _Family.DEFAULT: ("CWE-1392",),
}
_TOKENS = {
    "age-key": ("age secret key", ""),
    "airtable-token": ("Airtable token", "Airtable"),
    "alibaba-key-id": ("Alibaba Cloud access key ID", "Alibaba Cloud"),
    "anthropic-key": ("Anthropic API key", "Anthropic"),
    "artifactory-token": ("Artifactory API key", "Artifactory"),
    "atlassian-token": ("Atlassian API token", "Atlassian"),
    "aws-access-key-id": ("AWS access key ID", "AWS"),
    "aws-bedrock-key": ("Amazon Bedrock API key", "AWS"),
    "aws-secret-key": ("AWS secret access key", "AWS"),
    "azure-client-secret": ("Microsoft Entra client secret", "Azure"),
    "azure-devops-token": ("Azure DevOps token", "Azure DevOps"),
    "azure-sas-token": ("Azure shared access signature", "Azure"),
    "azure-shared-access-key": ("Azure shared access key", "Azure"),
    "azure-storage-key": ("Azure storage account key", "Azure"),
    "bitbucket-app-password": ("Bitbucket app password", "Bitbucket"),
    "brevo-key": ("Brevo API key", "Brevo"),
    "buildkite-token": ("Buildkite token", "Buildkite"),
    "circleci-token": ("CircleCI token", "CircleCI"),
    "cloudflare-key": ("Cloudflare API key", "Cloudflare"),
    "contentful-token": ("Contentful token", "Contentful"),
    "crates-token": ("crates registry token", "the crate registry"),
    "databricks-token": ("Databricks token", "Databricks"),
    "datadog-key": ("Datadog key", "Datadog"),
    "digitalocean-token": ("DigitalOcean token", "DigitalOcean"),
    "discord-token": ("Discord bot token", "Discord"),
    "discord-webhook": ("Discord webhook address", "Discord"),
    "docker-token": ("Docker access token", "Docker"),
    "doppler-token": ("Doppler token", "Doppler"),
    "dynatrace-token": ("Dynatrace token", "Dynatrace"),
    "easypost-key": ("EasyPost API key", "EasyPost"),
    "figma-token": ("Figma token", "Figma"),
    "fly-token": ("Fly token", "Fly"),
    "github-token": ("GitHub token", "GitHub"),
    "gitlab-token": ("GitLab token", "GitLab"),
    "google-access-token": ("Google access token", "Google"),
    "google-api-key": ("Google API key", "Google Cloud"),
    "google-oauth-secret": ("Google OAuth client secret", "Google Cloud"),
    "grafana-token": ("Grafana token", "Grafana"),
    "groq-key": ("Groq API key", "Groq"),
    "heroku-key": ("Heroku API key", "Heroku"),
    "hubspot-token": ("HubSpot token", "HubSpot"),
    "huggingface-token": ("Hugging Face token", "Hugging Face"),
    "langsmith-key": ("LangSmith API key", "LangSmith"),
    "linear-key": ("Linear API key", "Linear"),
    "mailchimp-key": ("Mailchimp API key", "Mailchimp"),
    "mailgun-key": ("Mailgun API key", "Mailgun"),
    "netlify-token": ("Netlify token", "Netlify"),
    "newrelic-key": ("New Relic key", "New Relic"),
    "notion-token": ("Notion token", "Notion"),
    "npm-token": ("npm access token", "npm"),
    "nuget-key": ("NuGet API key", "NuGet"),
    "onepassword-token": ("1Password service account token", "1Password"),
    "openai-key": ("OpenAI API key", "OpenAI"),
    "openrouter-key": ("OpenRouter API key", "OpenRouter"),
    "pagerduty-key": ("PagerDuty key", "PagerDuty"),
    "perplexity-key": ("Perplexity API key", "Perplexity"),
    "pinecone-key": ("Pinecone API key", "Pinecone"),
    "planetscale-token": ("PlanetScale token", "PlanetScale"),
    "postman-key": ("Postman API key", "Postman"),
    "pulumi-token": ("Pulumi token", "Pulumi"),
    "pypi-token": ("PyPI token", "PyPI"),
    "readme-key": ("ReadMe API key", "ReadMe"),
    "replicate-token": ("Replicate token", "Replicate"),
    "rubygems-key": ("RubyGems API key", "RubyGems"),
    "sendgrid-key": ("SendGrid API key", "SendGrid"),
    "sentry-token": ("Sentry token", "Sentry"),
    "shippo-token": ("Shippo token", "Shippo"),
    "shopify-token": ("Shopify token", "Shopify"),
    "slack-token": ("Slack token", "Slack"),
    "slack-webhook": ("Slack webhook address", "Slack"),
    "square-secret": ("Square secret", "Square"),
    "stripe-key": ("Stripe live key", "Stripe"),
    "stripe-test-key": ("Stripe test key", "Stripe"),
    "stripe-webhook-secret": ("Stripe webhook secret", "Stripe"),
    "supabase-token": ("Supabase token", "Supabase"),
    "tailscale-key": ("Tailscale key", "Tailscale"),
    "teams-webhook": ("Microsoft Teams webhook address", "Microsoft Teams"),
    "telegram-token": ("Telegram bot token", "Telegram"),
    "tencent-key-id": ("Tencent Cloud key ID", "Tencent Cloud"),
    "terraform-cloud-token": ("Terraform Cloud token", "Terraform Cloud"),
    "twilio-key": ("Twilio key", "Twilio"),
    "typeform-token": ("Typeform token", "Typeform"),
    "vault-token": ("Vault token", "Vault"),
    "xai-key": ("xAI API key", "xAI"),
}
_PUBLIC = {"google-api-key", "stripe-test-key"}
_OTHERS = {
    "jwt": ("Signed token (JWT)", _Family.PUBLIC),
    "private-key": ("Private key", _Family.KEY),
    "encrypted-private-key": ("Private key under a passphrase", _Family.LOCKED_KEY),
    "java-keystore": ("Java key store", _Family.LOCKED_KEY),
    "keepass-database": ("KeePass database", _Family.LOCKED_KEY),
    "pkcs12-keystore": ("PKCS #12 key store", _Family.LOCKED_KEY),
    "key-file": ("Master key in a file", _Family.PASSWORD),
    "authorization-header": ("Credential in an Authorization header", _Family.PASSWORD),
    "basic-auth": ("User name and password in Base64", _Family.PASSWORD),
    "command-line-password": ("Password on a command line", _Family.PASSWORD),
    "connection-string": ("Password in a connection string", _Family.PASSWORD),
    "credential-url": ("Password in an address", _Family.PASSWORD),
    "kubernetes-secret": ("Value of a Kubernetes Secret", _Family.PASSWORD),
    "login-call": ("Password in a login call", _Family.PASSWORD),
    "netrc-password": ("Password in a netrc file", _Family.PASSWORD),
    "password-literal": ("Password in the source", _Family.PASSWORD),
    "pgpass-password": ("Database password in a pgpass file", _Family.PASSWORD),
    "sql-password": ("Password in SQL", _Family.PASSWORD),
    "token-literal": ("Secret value in the source", _Family.PASSWORD),
    "password-hash": ("Password hash", _Family.HASH),
    "default-password": ("Default password", _Family.DEFAULT),
    "local-credential-url": ("Simple or local password in an address", _Family.DEFAULT),
}
_DANGER = {
    _Family.TOKEN: "whoever can read the repository or a clone of it can use it",
    _Family.PUBLIC: "check that it opens nothing that matters",
    _Family.KEY: "whoever can read the repository can sign in or decrypt with it",
    _Family.LOCKED_KEY: "only its passphrase protects it now, and that can be tried offline",
    _Family.PASSWORD: "whoever can read the repository or a clone of it can log in with it",
    _Family.HASH: "it can be tried offline until the password is found",
    _Family.DEFAULT: "it is among the first that an attacker tries",
}
_STORE = "an environment variable or a secret store"
_CLEAN = "remove it from the file and from the Git history"


def _rules() -> dict[str, Rule]:
    tokens = {
        detector: _rule(
            detector, title, _Family.PUBLIC if detector in _PUBLIC else _Family.TOKEN, issuer
        )
        for detector, (title, issuer) in _TOKENS.items()
    }
    others = {
        detector: _rule(detector, title, family) for detector, (title, family) in _OTHERS.items()
    }
    return dict(sorted((tokens | others).items()))


def _rule(detector: str, title: str, family: _Family, issuer: str = "") -> Rule:
    return Rule(
        id=f"secret-{detector}",
        title=title,
        explanation=f"{title} in the repository: {_DANGER[family]}.",
        remedy=_remedy(family, issuer),
        severity=_SEVERITY[family][Confidence.HIGH],
        milder=_milder(family),
        category=Category.SECURITY,
        aspect=Aspect.SECRETS,
        kind=Kind.SECRET,
        cwe=_CWE[family],
        references=_REFERENCES,
        engine="detect-secrets",
    )


def _milder(family: _Family) -> Mapping[Severity, str]:
    """What less certainty makes of it, and another place than production code."""
    conditions: dict[Severity, list[str]] = {}
    for confidence in (Confidence.MEDIUM, Confidence.LOW):
        severity = _SEVERITY[family][confidence]
        conditions.setdefault(severity, []).append(f"with {confidence.label} confidence")
    if family is _Family.TOKEN:
        conditions.setdefault(Severity.MEDIUM, []).append(OUTSIDE)
        conditions[Severity.INFO] = ["outside production code, where it is less certain"]
    if family is _Family.KEY:
        conditions[Severity.INFO] = [OUTSIDE]
    worst = _SEVERITY[family][Confidence.HIGH]
    return {one: " or ".join(when) for one, when in conditions.items() if one < worst}


def _remedy(family: _Family, issuer: str) -> str:
    if family is _Family.DEFAULT:
        return f"Set a password of its own for every deployment, from {_STORE}."
    if family is _Family.PUBLIC:
        return (
            f"Restrict it where it was issued, and read it from {_STORE} if it must stay private."
        )
    if family is _Family.HASH:
        return f"Change the password, then {_CLEAN}."
    place = f" at {issuer}" if issuer else ""
    return f"Revoke or change it{place} first, keep the new one in {_STORE}, then {_CLEAN}."


RULES = _rules()
"""Detector → its rule."""
_FAMILIES = {d: _Family.PUBLIC if d in _PUBLIC else _Family.TOKEN for d in _TOKENS} | {
    detector: family for detector, (_, family) in _OTHERS.items()
}


@check_of_many("secrets", Aspect.SECRETS, RULES.values)
def secrets(found: Secrets) -> Iterator[Finding]:
    """A credential stands in a file: everyone who can read the repository holds it.

    Why: repositories are cloned, forked, cached and searched; a pushed secret is public to all of
    these for good. Tokens are recognised by their shape and checksum, keys by their body,
    passwords by the name and file they stand in. The value itself is masked when it is read and
    appears nowhere. Tests, examples, documentation and vendored code count little: a token whose
    shape is certain stays a finding there, test keys are for information, the rest is left out.
    """
    for file in found.files:
        for match in file.found.matches:
            yield from _finding(match, file.path, file.role)


@check_of_many("secrets-in-history", Aspect.SECRETS, RULES.values)
def secrets_in_history(found: Secrets) -> Iterator[Finding]:
    """A commit of this change added a credential that a later commit removed again.

    Why: removing it does not take it back. Once pushed, the commit can be fetched by its number,
    from forks and from caches, even after the branch is gone.
    Once it is revoked, rewrite the change without it (``git rebase``) and push.
    """
    standing = {(m.detector, m.identity) for file in found.files for m in file.found.matches}
    for past in found.history:
        if (past.match.detector, past.match.identity) not in standing:
            standing.add((past.match.detector, past.match.identity))
            yield from _finding(past.match, past.path, past.role, past.commit)


def _finding(match: SecretMatch, path: str, role: Role, commit: str = "") -> Iterator[Finding]:
    rule = RULES[match.detector]
    severity = _severity(match, role)
    if severity is None:
        return
    yield rule.finding(
        _message(rule, match, commit),
        Place(path) if commit else _place(match, path),
        severity=severity,
        evidence=f"history {match.identity}" if commit else match.identity,
        confidence=match.confidence,
    )


def _severity(match: SecretMatch, role: Role) -> Severity | None:
    """None: outside production code it would only be noise."""
    family = _FAMILIES[match.detector]
    if role is Role.SOURCE:
        return _SEVERITY[family][match.confidence]
    if family is _Family.TOKEN:
        return Severity.MEDIUM if match.confidence is Confidence.HIGH else Severity.INFO
    return Severity.INFO if family is _Family.KEY else None


def _message(rule: Rule, match: SecretMatch, commit: str) -> str:
    shown = f" ({match.masked})" if match.masked.strip("*") else ""
    start, rest = rule.message.split(" in the repository: ", 1)
    if commit:
        return (
            f"{start}{shown} was added at line {match.line} in commit {commit[:12]} and later"
            f" removed in this change, but the commit still holds it: {rest}"
        )
    return f"{start}{shown} in the repository: {rest}"


def _place(match: SecretMatch, path: str) -> Place:
    return Place(path, match.line, match.line, match.start_column, match.end_column)
