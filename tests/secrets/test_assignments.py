"""Passwords and keys that only their name and surroundings give away."""

import random
import string

import pytest

from mergegate.core.severity import Confidence
from mergegate.secrets.scan import scan

_DICE = random.Random(7)


def _some(count: int, alphabet: str = string.ascii_letters + string.digits) -> str:
    return "".join(_DICE.choice(alphabet) for _ in range(count))


PASSWORD = f"{_some(4, string.ascii_letters)}7!{_some(5)}"
TOKEN = _some(40)
HEXED = _some(64, "0123456789abcdef")

HITS = [
    (".php", rf"'/user-password' => 'Acme\\{PASSWORD}',"),
    (".properties", f"cors.password=当{PASSWORD}"),
    (".xml", f'<user username="test" password="{PASSWORD}" roles="admin"/>'),
    (".py", f'password = "{PASSWORD}"'),
    (".py", f"db.connect(host='db1', passwd='{PASSWORD}')"),
    (".py", f'API_KEY: str = "{TOKEN}"'),
    (".py", f'headers = {{"X-Api-Key": "{TOKEN}"}}'),
    (".py", f'os.environ["SERVICE_TOKEN"] = "{TOKEN}"'),
    (".py", f"if secret == '{TOKEN}':"),
    (".py", f'redis.from_url("redis://:{PASSWORD}@cache.acme.io:6379/0")'),
    (".js", f"const clientSecret = '{TOKEN}';"),
    (".ts", f"private readonly apiKey: string = `{TOKEN}`;"),
    (".java", f'props.setProperty("db.password", "{PASSWORD}");'),
    (".java", f'String url = "jdbc:mysql://db1/main?user=app&password={PASSWORD}";'),
    (".cs", f'var c = "Server=db1;Database=main;User Id=sa;Password={PASSWORD};";'),
    (".go", f'token := "{TOKEN}"'),
    (".cs", f'const string Password1 = "{PASSWORD}";'),
    (".py", f'password = "ö{PASSWORD}"'),
    (".bicep", f"param adminPassword string = '{PASSWORD}'"),
    (".bicep", f"  administratorLoginPassword: '{PASSWORD}'"),
    (".rb", f"  :password => '{PASSWORD}',"),
    (".php", f"$db_password = '{PASSWORD}';"),
    (".kt", f'val signingKey: String = "{HEXED}"'),
    (".json", f'{{"clientSecret": "{TOKEN}"}}'),
    (".json", f'{{\\"password\\": \\"{PASSWORD}\\"}}'),
    (".yml", f"admin_password: {PASSWORD}"),
    (".yml", f"  - MYSQL_ROOT_PASSWORD={PASSWORD}"),
    (".yaml", f"env:\n- name: SECRET_KEY\n  value: {HEXED}"),
    (".ini", f"smtp_password = {PASSWORD}"),
    (".properties", f"app.jwt.secret={HEXED}"),
    (".toml", f'auth_token = "{TOKEN}"'),
    (".toml", f'hash_token = "{HEXED}"'),
    (".toml", f'hashicorp_password = "{HEXED}"'),
    (".xml", f"<password>{PASSWORD}</password>"),
    (".xml", f'<replace token="{TOKEN}" value="x"/>'),
    (".xml", f'<property name="password" value="{PASSWORD}"/>'),
    (".sh", f"export DB_PASS={PASSWORD}"),
    (".sh", f"./deploy --password {PASSWORD} --host web1"),
    (".env", f'JWT_SECRET="{TOKEN}"'),
    ("", f"ENV SECRET_TOKEN {TOKEN}"),
    (".tf", f'  master_password = "{PASSWORD}"'),
    (".ps1", f'$adminPassword = "{PASSWORD}"'),
    (".sql", f"CREATE USER app WITH PASSWORD '{PASSWORD}';"),
    (".md", f"git clone https://ci:{PASSWORD}@git.acme.io/repo.git"),
    (".txt", f"login: ann\npassword: {PASSWORD}"),
    (".php", f"$password = 'пароль-{PASSWORD}';"),
    (".php", f"$password = '.{PASSWORD}.';"),
    (".exp", f'set password_string "(P|p{PASSWORD}"'),
]

NEAR_MISSES = [
    (".php", r"'/user-password' => 'Acme\\Controllers\\UserPasswordController',"),
    (".properties", "cors.badCredentials=当allowedOrigins=[*]时，不允许supportsCredentials=[true]"),
    (".toml", "text = 'let the proxy before it pass `Upgrade` and `Connection` on'"),
    (".sh", 'curl -H "JOB-TOKEN: $CI_JOB_TOKEN" "$CI_API_V4_URL/projects"'),
    (".yml", 'curl -H "PRIVATE-TOKEN: $GITLAB_TOKEN" "https://gitlab.widgets.io/api/v4/projects"'),
    (".py", 'password = os.environ["PASSWORD"]'),
    (".xml", r'<replace token="Acme\CodeCoverage\Driver\Selector" value="x"/>'),
    (".cs", 'const string ElemPassword1 = "Passwort1";'),
    (".html", "https://acme.io/in?user={USERNAME}&pass={PASSWORD}"),
    (".py", 'TEXTS = {"password": "lösenord"}'),
    (".py", 'TEXTS = {"login": {"username": "naudotojas", "password": "slaptažodis"}}'),
    (".py", r'_TOKEN = rb"[!#$%&*+\-.^_`|~0-9A-Za-z]+"'),
    (".ini", "    ESXI2_PASSWORD = {env:ESXI2_PASSWORD}"),
    (".bicep", "resource appPassword 'Microsoft.KeyVault/vaults/secrets@2022-07-01' = {"),
    (".py", 'password = getpass.getpass("Password: ")'),
    (".py", 'password = "password"'),
    (".py", 'password_field = "j_password_2"'),
    (".py", 'PASSWORD_HASHERS = ["django.contrib.auth.hashers.Argon2PasswordHasher"]'),
    (".py", 'token_url = "https://auth.acme.io/oauth2/v1/token"'),
    (".py", 'token = "https://auth.acme.io/oauth2/v1/token"'),
    (".py", 'help_text = "Password: enter 8 characters, 1 digit"'),
    (".py", 'parser.add_argument("--password", help="Password for 2FA login")'),
    (".py", 'SECRET_KEY = config("SECRET_KEY")'),
    (".py", 'secret = f"{prefix}-{uuid4()}-Xa9"'),
    (".py", 'password = "%s%d" % (a, 12)'),
    (".py", 'raise ValueError("token: expected 2 parts, got 3")'),
    (".py", "password=None, username=None"),
    (".py", 'password="secret"'),
    (".py", 'api_key = "your-api-key-1234"'),
    (".py", 'api_key = "<API_KEY_2>"'),
    (".py", f'csrf_token = "{TOKEN}"'),
    (".py", f'cache_key = "{TOKEN}"'),
    (".py", f'public_key = "{TOKEN}"'),
    (".py", f'commit = "{_some(40, "0123456789abcdef")}"'),
    (".py", f'sha256 = "{HEXED}"'),
    (".py", 'TOKEN = "pbkdf2_sha256"'),
    (".py", 'token = "tokenize.TokenInfo2"'),
    (".py", 'auth = "Basic realm"'),
    (".js", "const passwordInput = document.querySelector('#password1');"),
    (".js", "password: { type: String, required: true }"),
    (".js", "password: '${process.env.DB_PASSWORD}'"),
    (".js", "token: 'access_token',"),
    (".js", "key: 'Enter', keyCode: 13"),
    (".js", f' *   "access_token": "{TOKEN}"'),
    (".jsx", '<label htmlFor="password">Password 2</label>'),
    (".html", '<input type="password" name="password" id="password-1">'),
    (".html", '<input name="token" value="{{ csrf_token }}">'),
    (".java", 'getPassword("user1")'),
    (".java", '@Value("${app.password}") private String password;'),
    (".go", 'flag.String("password", "", "password for db1")'),
    (".rb", "password: ENV.fetch('DB_PASSWORD')"),
    (".json", '{"password": "Passwort ändern"}'),
    (".json", '{"integrity": "sha512-' + _some(86) + '=="}'),
    (".json", '{"token": "string", "secret": "string"}'),
    (".yml", "password: ${DB_PASSWORD}"),
    (".yml", "token: ${{ secrets.GITHUB_TOKEN }}"),
    (".yml", "password: {{ .Values.password | quote }}"),
    (".yml", "password: !vault |"),
    (".yml", "password: Passwort"),
    (".yml", "secretKeyRef:\n  name: db\n  key: password"),
    (".yml", "password: <your password 1>"),
    (".yml", "password: ENC[AES256_GCM,data:abc1,iv:x2,tag:y3,type:str]"),
    (".ini", "password = "),
    (".ini", "password = changeme123"),
    (".ini", "password = xxxxxxxx1"),
    (".properties", "password=${env.PASSWORD}"),
    (".properties", "label.password=Enter your password here"),
    (".sh", "PASSWORD=$(pass show db1)"),
    (".sh", 'TOKEN="$1"'),
    (".sh", "--password-stdin"),
    (".env", "API_KEY="),
    (".env", "DB_PASSWORD=********"),
    (".tf", "password = var.db_password"),
    (".tf", "password = random_password.db.result"),
    (".md", "https://user:password@example.com/"),
    (".md", "http://localhost:8080@v1"),
    (".md", "psql postgresql://shop:…@db.acme.io/shop"),
    (".md", "psql postgresql://shop:••••••@db.acme.io/shop"),
    (".py", 'url = "postgres://{user}:{password}@{host}/db"'),
    (".py", 'url = "https://user:${TOKEN}@acme.io"'),
    (".css", '.password::after { content: "a1b2C3" }'),
    (".po", 'msgid "Password: %(pwd)s1"'),
    (".xml", "<password>${env.PASSWORD}</password>"),
    (".1", r"[\-\-gui\-user=<name>] [\-\-gui\-password=<password|\->]"),
    (".md", "app [--password=<p4ssword, or->]"),
    (".txt", "The password must have 8 characters"),
    (".inc", "$messages['nocurpassword'] = 'Увядзіце бягучы пароль.';"),
    (".inc", "$labels['curpasswd'] = '当前密码：';"),
    (".inc", "$labels['password'] = 'पासवर्ड';"),
    (".inc", "$messages['samepasswd'] = 'รหัสผ่านใหม่จะต้องมีความแตกต่างจากเดิม';"),
    (".php", """fwrite($sock, '<login password="'.$pass.'" />');"""),
    (".js", """send('<login password="' + user.pass[0] + '"/>');"""),
    (".txt", "token 2 of 3"),
    (".pem", "-----BEGIN PRIVATE KEY-----\n...\n-----END PRIVATE KEY-----"),
    (".pem", "-----BEGIN PRIVATE KEY-----"),
    (".pem", "-----BEGIN PUBLIC KEY-----\n" + _some(64) + "\n-----END PUBLIC KEY-----"),
    (".pem", "-----BEGIN CERTIFICATE-----\n" + _some(64) + "\n-----END CERTIFICATE-----"),
]


@pytest.mark.parametrize(("suffix", "text"), HITS)
def test_credential_is_found(suffix: str, text: str) -> None:
    assert len(scan(text.encode(), suffix).matches) == 1


@pytest.mark.parametrize(("suffix", "text"), NEAR_MISSES)
def test_near_miss_is_left_alone(suffix: str, text: str) -> None:
    assert scan(text.encode(), suffix).matches == ()


def _generated() -> str:
    """As a password manager makes them: kinds of characters in turn, no words."""
    kinds = ("bcdfghjk", "LMNPQRST", "23456789", "!?*+=~^;")
    return "".join(_DICE.choice(kind) for kind in kinds * 3)


@pytest.mark.parametrize("sign", ["", *"/#@&!$[<(", "%s", "f("])
def test_a_generated_password_may_begin_as_what_is_none(sign: str) -> None:
    text = f'db_password = "{sign}{_generated()}"\n'
    assert [one.line for one in scan(text.encode(), ".py").matches] == [1]


@pytest.mark.parametrize(
    "value",
    [
        "%Y-%m-%dT%H:%M:%S.%fZ",
        "${DB_Pass1}/${DB_Pass2}",
        "/v1/Users/{id}/Keys/X2",
        "&#x1F;&#x2A;&#x3B;",
        "@angular/core@12.3.4-RC",
        "#{Settings.Db2[:Pass1]}",
    ],
)
def test_every_kind_of_character_is_no_password_yet(value: str) -> None:
    assert scan(f'db_password = "{value}"\n'.encode(), ".py").matches == ()


@pytest.mark.parametrize(
    ("name", "expected"), [("hashed_password", "password-hash"), ("password", "password-literal")]
)
def test_a_digest_under_the_name_of_a_hash_is_the_hash_of_a_password(
    name: str, expected: str
) -> None:
    text = f'user.{name} = "{HEXED[:40]}"'
    assert [m.detector for m in scan(text.encode(), ".rb").matches] == [expected]


def test_comment_in_code_is_less_sure() -> None:
    text = f'# password = "{PASSWORD}"'
    assert [m.confidence for m in scan(text.encode(), ".py").matches] == [Confidence.LOW]


@pytest.mark.parametrize(
    "text",
    [
        f'# This value is safe to be embedded in version control\nclient_secret = "{TOKEN}"',
        f'client_secret = "{TOKEN}"  # not a secret in an installed application',
    ],
)
def test_who_writes_a_change_does_not_decide_what_is_secret(text: str) -> None:
    assert [m.confidence for m in scan(text.encode(), ".py").matches] == [Confidence.HIGH]


def test_a_sample_in_the_documentation_of_ruby_is_none() -> None:
    sample = f"# For example:\n#\n#   user.password = '{PASSWORD}'\n#   user.save\n"
    assert scan(f"{sample}def save\nend\n".encode(), ".rb").matches == ()
    out = scan(f"{sample}\nsave\n".encode(), ".rb").matches
    assert [m.confidence for m in out] == [Confidence.LOW]


@pytest.mark.parametrize(
    "text",
    [
        f'DB_PASSWORD = "密码是{PASSWORD}"',
        f'DB_PASSWORD = "{PASSWORD}生产库"',
        f'DB_PASSWORD = "(prod|live){PASSWORD}"',
        f'DB_PASSWORD = "Acme\\{PASSWORD}"',
        f'DB_PASSWORD = "Ch4nge-1t-{PASSWORD}"',
    ],
)
def test_what_looks_like_something_else_beside_it_hides_no_password(text: str) -> None:
    assert [m.confidence for m in scan(text.encode(), ".py").matches] == [Confidence.HIGH]


def test_a_line_that_looks_like_documentation_of_perl_hides_nothing() -> None:
    text = f"my $t = <<T;\n=head1 hi\nT\nmy $password = '{PASSWORD}';\n"
    assert {m.confidence for m in scan(text.encode(), ".pm").matches} == {Confidence.HIGH}


@pytest.mark.parametrize("kind", ["md5", "sha1", "unsalted_md5"])
def test_a_hash_of_django_is_one(kind: str) -> None:
    text = f'"password": "{kind}$seasalt${_some(32, "0123456789abcdef")}"'
    assert [m.detector for m in scan(text.encode(), ".json").matches] == ["password-hash"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("<user>shop</user>\n<password>shop</password>", "default-password"),
        ("<user>till</user>\n<password>shop</password>", "password-literal"),
        ("<user>till</user>\n<!-- user: shop -->\n<password>shop</password>", "password-literal"),
        ("<host>shop</host>\n<password>shop</password>", "password-literal"),
    ],
)
def test_a_password_that_is_the_users_name_is_no_secret_but_a_default(
    text: str, expected: str
) -> None:
    (found,) = scan(text.replace("shop", "bookshop").encode(), ".xml").matches
    assert found.detector == expected


PHRASE = "-".join(["the", "shop", "is", "open"])


@pytest.mark.parametrize(
    ("suffix", "text", "expected"),
    [
        (".yml", f"db_user: shop\ndb_password: {PHRASE}", Confidence.MEDIUM),
        (".yml", f"db_password: {PHRASE}", Confidence.LOW),
        (".tf", f'client_secret = "{PHRASE}"', Confidence.MEDIUM),
    ],
)
def test_words_by_hyphens_are_a_password_of_settings(
    suffix: str, text: str, expected: Confidence
) -> None:
    assert [m.confidence for m in scan(text.encode(), suffix).matches] == [expected]


@pytest.mark.parametrize(
    ("suffix", "text"),
    [
        (".yml", "db_user: shop\npassword: third-shop-password"),
        (".yml", "secret: shop-registry-credentials"),
        (".yml", "db_user: shop\npassword: shop-admin"),
        (".yml", "client_secret: shop-control-center"),
        (".yml", f"token: {PHRASE}"),
        (".js", f"password: '{PHRASE}'"),
    ],
)
def test_the_name_of_a_secret_is_none(suffix: str, text: str) -> None:
    assert scan(text.encode(), suffix).matches == ()


def test_what_waits_for_a_prompt_is_no_password() -> None:
    assert scan(b'set password_string    "(P|p)assword.*"\n').matches == ()
    assert scan(f'set password_string    "(P|p){PASSWORD}"\n'.encode()).matches != ()


def test_local_default_is_not_taken_for_a_leak() -> None:
    text = b"DATABASE_URL=postgres://postgres:postgres@localhost/db"
    assert [m.detector for m in scan(text).matches] == ["local-credential-url"]


def test_place_counts_characters_not_bytes() -> None:
    text = f"# ä€𝄞\nname = 'ü'; password = '{PASSWORD}'\n"
    match = scan(text.encode(), ".py").matches[0]
    column = text.split("\n")[1].index(PASSWORD) + 1
    assert (match.line, match.start_column, match.end_column) == (2, column, column + len(PASSWORD))


def test_utf16_file_of_a_windows_shell_is_read() -> None:
    data = f"line\r\npassword={PASSWORD}\r\n".encode("utf-16")
    assert [m.line for m in scan(data, ".ini").matches] == [2]


def test_same_secret_has_the_same_identity_in_another_file() -> None:
    one = scan(f'password = "{PASSWORD}"'.encode(), ".py").matches[0]
    other = scan(f"x = 1\ndb_password: '{PASSWORD}'".encode(), ".yml").matches[0]
    assert one.identity == other.identity


@pytest.mark.parametrize("remark", ["pragma: allowlist secret", "gitleaks:allow"])
def test_inline_remark_is_recorded_not_obeyed(remark: str) -> None:
    match = scan(f'password = "{PASSWORD}"  # {remark}'.encode(), ".py").matches[0]
    assert match.ignored


def test_remark_on_the_line_above_is_recorded() -> None:
    text = f'# pragma: allowlist nextline secret\npassword = "{PASSWORD}"'
    assert [m.ignored for m in scan(text.encode(), ".py").matches] == [True]
