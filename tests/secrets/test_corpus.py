"""Files as they leak in practice, made up here so that no token stands in this repository."""

import base64
import random
import string
from dataclasses import dataclass

import pytest

from mergegate.secrets.fact import weighed
from mergegate.secrets.scan import scan

_DICE = random.Random(20_260_101)
_ALNUM = string.ascii_letters + string.digits
_HEX = "0123456789abcdef"


def _some(count: int, alphabet: str = _ALNUM) -> str:
    return "".join(_DICE.choice(alphabet) for _ in range(count))


def _password() -> str:
    return f"{_some(5, string.ascii_letters)}{_DICE.randrange(10, 99)}!{_some(4)}"


def _b64(text: str) -> str:
    return base64.b64encode(text.encode()).decode()


def _pem(kind: str, body: bytes = b"") -> str:
    text = base64.b64encode(body or _DICE.randbytes(600)).decode()
    lines = [text[at : at + 64] for at in range(0, len(text), 64)]
    return "\n".join([f"-----BEGIN {kind}-----", *lines, f"-----END {kind}-----"])


@dataclass(frozen=True)
class Leak:
    """A file and the lines on which somebody's secret stands."""

    path: str
    text: str
    lines: tuple[int, ...]


def _leaks() -> list[Leak]:
    crypt = "$2y$12$" + _some(53)
    apr = "$apr1$" + _some(8) + "$" + _some(22)
    docker = _b64(f"deploy:{_password()}")
    return [
        Leak("home/.ssh/id_rsa", _pem("RSA PRIVATE KEY"), (1,)),
        Leak(
            "home/.ssh/id_ed25519",
            _pem(
                "OPENSSH PRIVATE KEY",
                b"openssh-key-v1\0\0\0\0\x04none\0\0\0\x04none" + _DICE.randbytes(300),
            ),
            (1,),
        ),
        Leak("certs/server.key", _pem("PRIVATE KEY"), (1,)),
        Leak("certs/ec.pem", "# prod\n" + _pem("EC PRIVATE KEY", _DICE.randbytes(121)), (2,)),
        Leak(
            "keys/backup.asc",
            _pem("PGP PRIVATE KEY BLOCK").replace("-----\n", "-----\n\n", 1),
            (1,),
        ),
        Leak(
            "keys/login.ppk",
            "PuTTY-User-Key-File-2: ssh-rsa\nEncryption: none\nComment: me\nPublic-Lines: 1\n"
            f"{_some(60)}\nPrivate-Lines: 2\n{_some(64)}\n"
            f"{_some(40)}\nPrivate-MAC: {_some(40, _HEX)}\n",
            (7,),
        ),
        Leak(
            "gcp/service-account.json",
            '{\n  "type": "service_account",\n  "private_key_id": "'
            + _some(40, _HEX)
            + '",\n  "private_key": "'
            + _pem("PRIVATE KEY").replace("\n", "\\n")
            + '\\n",\n  "client_email": "ci@project.iam.example.org"\n}\n',
            (4,),
        ),
        Leak(
            "home/.netrc",
            "machine imap.example.org login me@example.org password pass123\n"
            f"machine smtp.example.org login me@example.org password {_password()}\n",
            (1, 2),
        ),
        Leak(
            "home/.npmrc",
            f"always-auth=true\n_auth = {_b64('ci:' + _password())}\n"
            "//registry.example.org/:_authToken="
            f"{_some(8, _HEX)}-{_some(4, _HEX)}-4380-92ff-{_some(12, _HEX)}\n",
            (2, 3),
        ),
        Leak(
            "home/.pypirc",
            f"[distutils]\nindex-servers = internal\n[internal]\n"
            f"username = ci\npassword = {_password()}\n",
            (5,),
        ),
        Leak("home/.git-credentials", f"https://octo:{_some(40, _HEX)}@github.com\n", (1,)),
        Leak(
            "home/.aws/credentials",
            f"[default]\naws_access_key_id = AKIA{_some(16, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567')}\n"
            f"aws_secret_access_key = {_some(40, _ALNUM + '+/')}\n",
            (2, 3),
        ),
        Leak(
            "home/.pgpass",
            "# host:port:db:user:password\ndb.example.org:5432:main:root:swordfish\n",
            (2,),
        ),
        Leak("home/.my.cnf", f"[client]\nuser=root\npassword={_password()}\n", (3,)),
        Leak(
            "home/.bash_history",
            f"ls\nmysql -h db1 -u root -p{_password()} main\n"
            f"curl -u admin:{_password()} https://ci.example.org/\n"
            f"sshpass -p {_password()} ssh root@web1\nexport GITHUB_TOKEN={_some(40, _HEX)}\n"
            f"docker login -u ci -p {_password()} hub.example.org\n"
            f'curl -H "Authorization: Bearer {_some(40)}" https://api.example.org/\n'
            f"PGPASSWORD={_password()} psql -h db\n",
            (2, 3, 4, 5, 6, 7, 8),
        ),
        Leak(
            "home/.bashrc",
            f'alias ll="ls -l"\nexport MAIL_PASSWORD="{_password()}"\n'
            f'export MAILCHIMP_API_KEY="{_some(32, _HEX)}-us11"\n',
            (2, 3),
        ),
        Leak(
            "home/.docker/config.json",
            '{\n  "auths": {\n    "https://index.example.org/v1/": {\n      "auth": "'
            + docker
            + '"\n    }\n  }\n}\n',
            (4,),
        ),
        Leak(
            "home/.dockercfg",
            '{"https://hub.example.org": {"email": "a@example.org", "auth": "' + docker + '"}}\n',
            (1,),
        ),
        Leak(
            "home/.kube/config",
            "apiVersion: v1\nkind: Config\nusers:\n- name: admin\n  user:\n    client-key-data: "
            + _b64(_pem("RSA PRIVATE KEY"))
            + f"\n- name: ci\n  user:\n    token: {_some(40)}\n",
            (6, 9),
        ),
        Leak(
            "deploy/secret.yaml",
            f"apiVersion: v1\nkind: Secret\nmetadata:\n  name: db\n"
            f"type: Opaque\ndata:\n  dsn: {_b64(_password())}\n"
            f"  smtp: {_b64(_password())}\n",
            (7, 8),
        ),
        Leak(
            "infra/prod.tfvars",
            f'region = "eu-west-1"\ndb_password = "{_password()}"\napi_token = "{_some(32)}"\n',
            (2, 3),
        ),
        Leak(
            "infra/terraform.tfstate",
            '{\n  "version": 4,\n  "resources": [{"instances": [{"attributes": {\n'
            '    "username": "root",\n'
            f'    "password": "{_password()}"\n' + "  }}]}]\n}\n",
            (5,),
        ),
        Leak(
            "web/config/secrets.yml",
            f"development:\n  secret_key_base: {_some(128, _HEX)}\n"
            f"production:\n  secret_key_base: {_some(128, _HEX)}\n",
            (2, 4),
        ),
        Leak("web/config/master.key", _some(32, _HEX), (1,)),
        Leak(
            "web/config/database.yml",
            f"production:\n  adapter: mysql2\n  username: app\n  password: {_password()}\n",
            (4,),
        ),
        Leak(
            "web/config/mongoid.yml",
            'production:\n  uri: "mongodb://app:apppass@ds1.mongo.example.net.io:48537/main"\n',
            (2,),
        ),
        Leak(
            "web/settings.py",
            f"import os\n"
            f"SECRET_KEY = '{_some(50, 'abcdefghijklmnopqrstuvwxyz0123456789!@#$^&*(-_=+)')}'\n"
            f"DATABASES = {{'default': {{\n"
            f"    'USER': 'app',\n    'PASSWORD': '{_password()}',\n"
            f"    'HOST': 'db.example.org',\n}}}}\n",
            (2, 5),
        ),
        Leak(
            "web/wp-config.php",
            "<?php\ndefine( 'DB_USER', 'admin' );\ndefine( 'DB_PASSWORD', 'admin' );\n"
            "define('AUTH_KEY',  '" + _some(64, _ALNUM + " !@#$%^&*()-_[]{}<>~`+=,.;:/?|") + "');\n"
            "define('NONCE_SALT', '"
            + _some(64, _ALNUM + " !@#$%^&*()-_[]{}<>~`+=,.;:/?|")
            + "');\n",
            (3, 4, 5),
        ),
        Leak(
            "web/config.php",
            "<?php\n$dbhost = 'db1';\n$dbuser = 'root';\n$dbpasswd = 'pass123';\n",
            (4,),
        ),
        Leak(
            "web/.env",
            f"APP_KEY=base64:{_b64(_some(32))}\nDB_HOST=db\n"
            f"DB_PASSWORD=admin123\nREDIS_PASSWORD={_password()}\n"
            f"STRIPE_SECRET=sk_live_{_some(24)}\nJWT_SECRET={_some(48)}\n",
            (1, 3, 4, 5, 6),
        ),
        Leak("web/.htpasswd", f"admin:{apr}\n", (1,)),
        Leak("etc/shadow", f"root:$6${_some(16)}${_some(86)}:18000:0:99999:7:::\n", (1,)),
        Leak(
            "db/dump.sql",
            "CREATE TABLE `users` (\n  `id` int,\n"
            "  `name` varchar(9),\n  `password` varchar(60)\n);\n"
            f"INSERT INTO `users` VALUES (1,'ann','{crypt}'),\n(2,'bob','{_password()}');\n"
            f"INSERT INTO `members` (`id`, `password`) VALUES (1, '{_some(32, _HEX)}');\n",
            (6, 7, 8),
        ),
        Leak(
            "db/dump.pgsql.sql",
            f"COPY public.users (id, email, encrypted_password) FROM stdin;\n"
            f"1\ta@example.org\t{crypt}\n\\.\n"
            f"ALTER ROLE app WITH LOGIN PASSWORD '{_password()}';\n",
            (2, 4),
        ),
        Leak(
            "db/grants.sql", f"GRANT ALL ON *.* TO 'app'@'%' IDENTIFIED BY '{_password()}';\n", (1,)
        ),
        Leak(
            "src/main/resources/application.properties",
            f"spring.datasource.username=app\nspring.datasource.password={_password()}\n"
            f"jwt.secret={_some(64, _HEX)}\n",
            (2, 3),
        ),
        Leak(
            "src/main/resources/application.yml",
            f"spring:\n  datasource:\n    username: app\n    password: {_password()}\n",
            (4,),
        ),
        Leak(
            "Web.config",
            "<configuration><connectionStrings>\n"
            '<add name="Db" connectionString="Server=db1;Database=main;'
            f'User ID=sa;Password={_password()};" />\n</connectionStrings><appSettings>\n'
            f'<add key="ApiSecret" value="{_some(32)}" />\n</appSettings></configuration>\n',
            (2, 4),
        ),
        Leak(
            "appsettings.json",
            '{\n  "ConnectionStrings": {\n    "Main": "Host=db1;Username=app;Password='
            + _password()
            + '"\n  },\n'
            '  "Jwt": {\n    "SigningKey": "' + _some(44) + '"\n  }\n}\n',
            (3, 6),
        ),
        Leak(
            "home/.m2/settings.xml",
            f"<servers><server>\n<username>ci</username>\n"
            f"<password>{_password()}</password>\n</server></servers>\n",
            (3,),
        ),
        Leak(
            "home/filezilla/recentservers.xml",
            f"<FileZilla3>\n<Host>ftp1</Host>\n<User>root</User>\n"
            f'<Pass encoding="base64">{_b64(_some(30, _HEX))}</Pass>\n</FileZilla3>\n',
            (4,),
        ),
        Leak(
            "sftp-config.json",
            '{\n  "host": "web.example.org",\n  "user": "root",\n  "password": "swordfish"\n}\n',
            (4,),
        ),
        Leak(
            "api.postman_collection.json",
            '{"auth": {"type": "apikey", "apikey": [\n  {"key": "key", "value": "x-api-key"},\n'
            '  {\n    "key": "apiToken",\n    "value": "' + _some(36) + '"\n  }\n]}}\n',
            (5,),
        ),
        Leak(
            "insomnia.json",
            '{\n  "authentication": {\n    "type": "bearer",\n    "token": "'
            + _some(40)
            + '"\n  }\n}\n',
            (4,),
        ),
        Leak(
            ".gitlab-ci.yml",
            f'variables:\n  DEPLOY_TOKEN: "{_some(26)}"\ndeploy:\n  script:\n'
            f'    - curl --user "ci:{_password()}" https://ci.example.org\n',
            (2, 5),
        ),
        Leak(
            "docker-compose.yml",
            f"services:\n  db:\n    environment:\n      - POSTGRES_USER=app\n"
            f"      - POSTGRES_PASSWORD={_password()}\n",
            (5,),
        ),
        Leak(
            "Dockerfile",
            f"FROM debian\nENV API_TOKEN {_some(32)}\nARG DB_PASSWORD={_password()}\n",
            (2, 3),
        ),
        Leak(
            "k8s/deployment.yaml",
            f'env:\n  - name: DB_PASSWORD\n    value: "{_password()}"\n',
            (3,),
        ),
        Leak(
            "home/.config/hub",
            f"github.com:\n- user: octo\n  oauth_token: {_some(40, _HEX)}\n",
            (3,),
        ),
        Leak("cloud/.s3cfg", f"access_key = {_some(20)}\nsecret_key = {_some(40)}\n", (1, 2)),
        Leak("cloud/heroku.json", '{\n  "HEROKU_API_KEY": "' + _some(32, _HEX) + '"\n}\n', (2,)),
        Leak("irc.conf", f"IRC_NICK=nick\nIRC_PASS={_password()}\n", (2,)),
        Leak(
            "home/.esmtprc",
            f'hostname smtp.example.org:587\nusername "me@example.org"\npassword "{_password()}"\n',
            (3,),
        ),
        Leak("home/.vault-token.json", '{"token": "hvs.' + _some(90) + '"}\n', (1,)),
        Leak(
            "js/salesforce.js", "conn.login('me@example.org', 'salesforcepassword', done);\n", (1,)
        ),
        Leak("app/client.py", f'client = Client(api_key="{_some(40)}")\n', (1,)),
        Leak("app/Main.java", f'String dbPassword = "{_password()}";\n', (1,)),
        Leak("app/main.go", f'var apiSecret = "{_some(36)}"\n', (1,)),
        Leak(
            "app/kucoin.py",
            "KUCOIN_API_SECRET = "
            f"'{_some(8, _HEX)}-{_some(4, _HEX)}-47ff-b1d2-{_some(12, _HEX)}'\n",
            (1,),
        ),
        Leak(
            "logins.json",
            '{"logins": [\n  {"encryptedPassword": "' + _b64(_some(60)) + '"}\n]}\n',
            (2,),
        ),
        Leak(
            "db/data-sources.xml",
            '<connection host="db1" user="app" password="swordfish"/>\n',
            (1,),
        ),
    ]


LEAKS = _leaks()


def found_lines(leak: Leak) -> set[int]:
    stem, dot, extension = leak.path.rpartition("/")[2].rpartition(".")
    suffix = f".{extension.lower()}" if dot and stem else ""
    return {m.line for m in weighed(leak.path, scan(leak.text.encode(), suffix)).matches}


@pytest.mark.parametrize("leak", LEAKS, ids=lambda leak: leak.path)
def test_leaked_file_is_recognised(leak: Leak) -> None:
    assert set(leak.lines) <= found_lines(leak)


def test_no_other_line_of_the_leaked_files_is_reported() -> None:
    excess = {leak.path: found_lines(leak) - set(leak.lines) for leak in LEAKS}
    assert {path: lines for path, lines in excess.items() if lines} == {}
