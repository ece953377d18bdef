"""The fact: secrets of files, weighed by the path they stand at, which the answers do not know."""

import re
from collections.abc import Iterable
from dataclasses import replace

from mergegate.core.severity import Confidence
from mergegate.core.tree import Role
from mergegate.sandbox.engines.engine import Answers
from mergegate.secrets import listings
from mergegate.secrets.detectors import DETECTORS
from mergegate.secrets.found import FileSecrets, PastSecret, SecretMatch, Secrets, SecretsFile

_LOCK_FILE = re.compile(
    r"(?:.*[-_.]lock(?:\.\w+)?|package-lock\.json|npm-shrinkwrap\.json|pnpm-lock\.ya?ml|go\.sum"
    r"|gradle\.lockfile|requirements[\w.-]*\.txt|.*\.(?:min\.js|map|sha\d+|sum|svg|po|pot))"
)
_TRANSLATION = re.compile(
    r"(?:^|/)(?:locales?|i18n|l10n|langs?|languages?|translations?|nls)/"
    r"|(?:^|/)(?:messages|strings|labels|translations?)[\w-]*\.(?:properties|json|ya?ml|xml|resx)$"
)
_TEMPLATE = re.compile(
    r"(?:^|[._-])(?:example|sample|template|tmpl|tpl|dist|default|skel|stub|dummy|fake|snakeoil"
    r"|localhost|self-?signed)s?(?:[._-]|$)"
)
_SENSITIVE = re.compile(
    r"\.env(?:\.\w+)?|\w+\.env|\.netrc|_netrc|\.npmrc|\.pypirc|\.pgpass|pgpass\.conf|\.my\.cnf"
    r"|\.git-credentials|\.?credentials(?:\.\w+)?|\.s3cfg|\.boto|\.dockercfg|\.?sftp(?:-config)?\.json"
    r"|\.ftpconfig|\.remote-sync\.json|wp-config\.php|recentservers\.xml|sitemanager\.xml"
    r"|filezilla\.xml|webservers\.xml|dbeaver-data-sources\.xml|data-sources\.json|logins\.json"
    r"|\.\w*_history|\.bash_profile|\.bashrc|\.zshrc|\.profile|\.esmtprc|\.msmtprc|\.htpasswd"
    r"|secrets\.\w+|\w*\.tfvars|\w*\.tfstate|kubeconfig|hub|hosts\.yml|robomongo\.json|\w+_srv\.ini"
    r"|deployment-config\.json|shadow|\w*passwd"
)
_PGPASS = re.compile(r"\.?pgpass(?:\.conf)?")
_KEY_FILE = re.compile(
    r".*\.key|\.?secret(?:[-_]?key)?(?:\.\w+)?|\.?master[-_]?key|\.vault[-_]?pass\w*"
    r"|\.erlang\.cookie"
)


def fact(answers: Answers[FileSecrets], past: Iterable[PastSecret] = ()) -> Secrets:
    """The files with matches that their path does not explain away, and the change's history."""
    files = (
        SecretsFile(file.path, role_by_name(file.path, file.role), weighed(file.path, found))
        for file, found in answers.files
        if found.matches
    )
    return Secrets(tuple(file for file in files if file.found.matches), tuple(past))


def role_by_name(path: str, role: Role) -> Role:
    """A template of a settings file is an example wherever it lies, and so is a local key."""
    name = path.rpartition("/")[2].lower()
    return Role.EXAMPLE if role is Role.SOURCE and _TEMPLATE.search(name) else role


def weighed(path: str, found: FileSecrets) -> FileSecrets:
    """``found`` without what this path explains, and with what it makes surer."""
    judged = (_weighed(path.lower(), match) for match in found.matches)
    return FileSecrets(tuple(match for match in judged if match))


def _weighed(path: str, match: SecretMatch) -> SecretMatch | None:
    name = path.rpartition("/")[2]
    if match.detector == "key-file":
        return _surer(match) if _KEY_FILE.fullmatch(name) else None
    if match.detector == "pgpass-password":
        return _surer(match) if _PGPASS.fullmatch(name) else None
    if match.detector == listings.DETECTOR:
        return _surer(match) if listings.is_listing(path) else None
    by_context = DETECTORS[match.detector].by_context
    if by_context and _explains(path, name):
        return None
    if by_context and _SENSITIVE.fullmatch(name):
        return _surer(match)
    return match


def _explains(path: str, name: str) -> bool:
    return (
        _LOCK_FILE.fullmatch(name) is not None
        or _TRANSLATION.search(path) is not None
        or _TEMPLATE.search(name) is not None
    )


def _surer(match: SecretMatch) -> SecretMatch:
    return replace(match, confidence=Confidence(min(match.confidence + 1, Confidence.HIGH)))
