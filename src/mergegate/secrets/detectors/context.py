"""What names, formats and bodies give away: the code of this room finds most of it."""

from mergegate.core.severity import Confidence
from mergegate.secrets import checksums
from mergegate.secrets.detector import Detector, Family, Shape, found_by_code, public

LOW = Confidence.LOW

DETECTORS = (
    found_by_code(
        "authorization-header",
        "Credential in an Authorization header",
        Family.PASSWORD,
        by_context=True,
    ),
    found_by_code(
        "basic-auth",
        "User name and password in Base64",
        Family.PASSWORD,
        by_context=True,
        in_pages=False,
    ),
    public(
        "browser-key",
        "Key in the page",
        "",
        restrict="Make sure that it is meant to be public; move what is not behind your server.",
        reference="https://cheatsheetseries.owasp.org/cheatsheets/Secrets_Management_Cheat_Sheet.html",
        in_trees=False,
    ),
    found_by_code(
        "command-line-password", "Password on a command line", Family.PASSWORD, by_context=True
    ),
    found_by_code(
        "connection-string", "Password in a connection string", Family.PASSWORD, by_context=True
    ),
    found_by_code("credential-url", "Password in an address", Family.PASSWORD),
    found_by_code(
        "default-password", "Default password", Family.DEFAULT, by_context=True, in_pages=False
    ),
    found_by_code("encrypted-private-key", "Private key under a passphrase", Family.LOCKED_KEY),
    found_by_code("java-keystore", "Java key store", Family.LOCKED_KEY),
    Detector(
        id="jwt",
        title="Signed token (JWT)",
        issuer="",
        looks=(
            Shape(
                r"eyJ[\w-]{10,}\.eyJ",
                r"eyJ[\w-]{10,}\.eyJ[\w-]{10,}\.[\w-]{20,}",
                LOW,
                proof=checksums.is_jwt,
                hit="<jwt>",
                near_miss="eyJhbGciOi.eyJzdWIiOi.not-a-token-at-all-really",
            ),
        ),
        family=Family.PUBLIC,
        by_context=True,
    ),
    found_by_code("keepass-database", "KeePass database", Family.LOCKED_KEY),
    found_by_code("key-file", "Master key in a file", Family.PASSWORD, in_pages=False),
    found_by_code(
        "kubernetes-secret", "Value of a Kubernetes Secret", Family.PASSWORD, by_context=True
    ),
    found_by_code(
        "local-credential-url",
        "Simple or local password in an address",
        Family.DEFAULT,
        by_context=True,
        in_pages=False,
    ),
    found_by_code("login-call", "Password in a login call", Family.PASSWORD, by_context=True),
    found_by_code("netrc-password", "Password in a netrc file", Family.PASSWORD),
    found_by_code("password-hash", "Password hash", Family.HASH, by_context=True, in_pages=False),
    found_by_code("password-literal", "Password in the source", Family.PASSWORD, by_context=True),
    found_by_code(
        "pgpass-password", "Database password in a pgpass file", Family.PASSWORD, in_pages=False
    ),
    found_by_code("pkcs12-keystore", "PKCS #12 key store", Family.LOCKED_KEY),
    found_by_code("private-key", "Private key", Family.KEY),
    found_by_code("sql-password", "Password in SQL", Family.PASSWORD, by_context=True),
    found_by_code("token-literal", "Secret value in the source", Family.PASSWORD, by_context=True),
)
