"""Secrets as no line holds them whole: in pieces, in escapes, encoded, in formats of their own."""

import base64
import codecs
import gzip
import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import quote

from tests.secrets.mint import minted

TOKEN = minted("ghp_<alnum:30><crc62>", "spelled")
PASSWORD = minted("<letters:4>7!<alnum:6>", "spelled")
KEY = "\n".join(
    [
        "-----BEGIN PRIVATE KEY-----",
        *(minted("<alnum:64>", n) for n in range(8)),
        "-----END PRIVATE KEY-----\n",
    ]
)
DER = bytes.fromhex("308204bd020100300d06092a864886f70d0101010500048204a7") + hashlib.shake_256(
    b"a key of nobody"
).digest(1191)


@dataclass(frozen=True)
class Spelled:
    """A file that holds one secret, and the line on which it begins."""

    path: str
    content: bytes
    line: int = 1


def _escaped(form: str, text: str = TOKEN) -> str:
    return "".join(form.format(ord(one)) for one in text)


def _quoted(text: str) -> str:
    return quote(text, safe="")


def base64_of(text: str) -> str:
    return base64.b64encode(text.encode()).decode()


def _at(path: str, text: str, line: int = 1) -> Spelled:
    return Spelled(path, text.encode(), line)


A, B, C = TOKEN[:4], TOKEN[4:20], TOKEN[20:]
P, Q = PASSWORD[:5], PASSWORD[5:]
REST = B + C
ENCODED = base64_of(TOKEN)
TURNED = codecs.encode(TOKEN, "rot13")

JOINED: Mapping[str, Spelled] = {
    "adjacent literals": _at("a.py", f'client("{A}" "{REST}")\n'),
    "adjacent literals over lines": _at(
        "b.py", f'client(\n    "{A}"\n    "{B}"\n    "{C}"\n)\n', 2
    ),
    "plus": _at("c.py", f'client("{A}" + "{REST}")\n'),
    "plus within the prefix": _at("c2.js", f"client('{A[:2]}' + '{A[2:]}' + '{REST}');\n"),
    "plus in Java over lines": _at("d.java", f'call(\n    "{A}"\n        + "{REST}");\n', 2),
    "a point in PHP": _at("e.php", f"<?php call('{A}' . '{REST}');\n"),
    "two points in Lua": _at("f.lua", f'call("{A}" .. "{REST}")\n'),
    "an ampersand in Visual Basic": _at("g.vb", f'Call("{A}" & "{REST}")\n'),
    "angle brackets in Elixir": _at("h.ex", f'call("{A}" <> "{REST}")\n'),
    "double plus in Haskell": _at("i.hs", f'main = call ("{A}" ++ "{REST}")\n'),
    "bars in SQL": _at("j.sql", f"SELECT call('{A}' || '{REST}');\n"),
    "a backslash in C": _at("k.c", f'call("{A}\\\n{REST}");\n'),
    "concat! in Rust": _at("l.rs", f'call(concat!("{A}", "{REST}"));\n'),
    "join in Python": _at("m.py", f'client("".join(["{A}", "{B}", "{C}"]))\n'),
    "join in JavaScript": _at("n.js", f"client(['{A}', '{REST}'].join(''));\n"),
    "join over lines": _at("n2.js", f"client([\n  '{A}',\n  '{REST}',\n].join(''));\n", 2),
    "join in Ruby": _at("o.rb", f"client(['{A}', '{REST}'].join)\n"),
    "join in Terraform": _at(
        "p.tf", f'output "x" {{\n  value = join("", ["{A}", "{REST}"])\n}}\n', 2
    ),
    "implode in PHP": _at("q.php", f"<?php call(implode('', ['{A}', '{REST}']));\n"),
    "join in Go": _at("r.go", f'call(strings.Join([]string{{"{A}", "{REST}"}}, ""))\n'),
    "concat in SQL": _at("s.sql", f"SELECT CONCAT('{A}', '{REST}');\n"),
    "concat of a string": _at("s2.js", f"client('{A}'.concat('{REST}'));\n"),
    "Fn::Join": _at("t.yaml", f"Value:\n  Fn::Join: ['', ['{A}', '{REST}']]\n", 2),
    "per cent": _at("u.py", f'client("%s%s" % ("{A}", "{REST}"))\n'),
    "per cent at the end": _at("v.py", f'client("{A}%s" % "{REST}")\n'),
    "format": _at("w.py", f'client("{{}}{{}}".format("{A}", "{REST}"))\n'),
    "format at the end": _at("w2.py", f'client("{A}{{}}".format("{REST}"))\n'),
    "String.format": _at("x.java", f'call(String.format("%s%s", "{A}", "{REST}"));\n'),
    "Sprintf": _at("y.go", f'call(fmt.Sprintf("{A}%s", "{REST}"))\n'),
    "a literal in an f-string": _at("z.py", f"client(f\"{A}{{'{REST}'}}\")\n"),
    "a literal in a template": _at("za.js", f"client(`{A}${{'{REST}'}}`);\n"),
    "letter by letter": _at("za1.js", f"client({' + '.join(map(repr, TOKEN))});\n"),
    "a list of letters": _at("za2.py", f"client(''.join({list(TOKEN)}))\n"),
    "a comment between": _at("za3.js", f"client('{A}' + // one\n  /* two */ '{REST}');\n"),
    "long literals": _at("za4.py", f'client("""{A}""" + """{REST}""")\n'),
    "the format of PowerShell": _at("za5.ps1", f"Call ('{A}{{0}}' -f '{REST}')\n"),
    "two variables in PHP": _at(
        "za6.php", f"<?php\n$a = '{A}';\n$b = '{REST}';\ncall(\"{{$a}}{{$b}}\");\n", 4
    ),
    "two variables and a point": _at(
        "za7.php", f"<?php\n$a = '{A}';\n$b = '{REST}';\ncall($a . $b);\n", 4
    ),
    "two variables": _at("zb.py", f'a = "{A}"\nb = "{REST}"\nclient(a + b)\n', 3),
    "two variables with types": _at(
        "zb2.ts", f"const a: string = '{A}';\nconst b: string = '{REST}';\nclient(a + b);\n", 3
    ),
    "two variables in an f-string": _at(
        "zc.py", f'a = "{A}"\nb = "{REST}"\nclient(f"{{a}}{{b}}")\n', 3
    ),
    "a variable and a literal": _at("zd.js", f"const a = '{A}';\nclient(a + '{REST}');\n", 2),
    "two variables in a template": _at(
        "ze.js", f"const a = '{A}';\nconst b = '{REST}';\nclient(`${{a}}${{b}}`);\n", 3
    ),
    "two variables in a shell": _at(
        "zf.sh", f'A={A}\nB="{REST}"\ncurl -H "X: $A$B" https://example.org\n', 3
    ),
    "added to a variable": _at("zg.py", f'a = "{A}"\na += "{REST}"\n', 2),
    "quotes within a word": _at("a.env", f'X={A}"{REST}"\n'),
    "empty quotes within a word": _at("zh.sh", f"export X={A[:2]}''{A[2:]}{REST}\n"),
    "a backslash within a word": _at("zh2.sh", f"export X={A[:2]}\\{A[2:]}{REST}\n"),
    "continued in a shell": _at("zi.sh", f"export X={A}\\\n{REST}\n"),
    "continued in a Dockerfile": _at("Dockerfile", f"FROM scratch\nENV X={A}\\\n{REST}\n", 2),
    "continued in properties": _at("a.properties", f"x={A}\\\n    {REST}\n"),
    "continued in YAML": _at("zj.yaml", f'x: "{A}\\\n  {REST}"\n'),
    "a password in pieces": _at("zk.py", f'password = "{P}" + "{Q}"\n'),
    "a password over lines": _at("zl.py", f'db_password = (\n    "{P}"\n    "{Q}"\n)\n', 2),
    "a password in pieces in Java": _at("zm.java", f'String dbPassword = "{P}" + "{Q}";\n'),
    "a password in a list": _at("zn.js", f"const dbPassword = ['{P}', '{Q}'].join('');\n"),
    "a password folded in YAML": _at("zo.yaml", f"db_password: >-\n  {PASSWORD}\nx: 1\n", 2),
    "a password in a block of YAML": _at("zp.yaml", f"db_password: |\n  {PASSWORD}\nx: 1\n", 2),
    "a password in a heredoc of Terraform": _at(
        "zq.tf", f"variable x {{\n  db_password = <<EOF\n{PASSWORD}\nEOF\n}}\n", 3
    ),
}

ESCAPED: Mapping[str, Spelled] = {
    "hexadecimal escapes": _at("ea.py", f'client("\\x67hp_{REST}")\n'),
    "hexadecimal escapes throughout": _at("eb.js", f"client('{_escaped(chr(92) + 'x{:02x}')}');\n"),
    "Unicode escapes in JSON": _at("ec.json", f'{{"x": "\\u0067hp_{REST}"}}\n'),
    "Unicode escapes in JavaScript": _at("ed.js", f"client('\\u{{67}}hp_{REST}');\n"),
    "Unicode escapes in YAML": _at("ee.yaml", f'x: "\\u0067hp_{REST}"\n'),
    "Unicode escapes in properties": _at("eb.properties", f"x=\\u0067hp_{REST}\n"),
    "long Unicode escapes": _at("ef.py", f'client("\\U00000067hp_{REST}")\n'),
    "named escapes": _at("ef2.py", f'client("\\N{{LATIN SMALL LETTER G}}hp_{REST}")\n'),
    "octal escapes": _at("eg.php", f'<?php call("\\147hp_{REST}");\n'),
    "octal escapes throughout": _at("eg2.c", f'call("{_escaped(chr(92) + "{:03o}")}");\n'),
    "quotes with a dollar": _at("eh.sh", f"export X=$'\\x67hp_{REST}'\n"),
    "per cent": _at("ei.txt", f"https://example.org/?x=%67hp_{REST}\n"),
    "per cent throughout": _at("ej.txt", f"x={_escaped('%{:02X}')}\n"),
    "decimal references": _at("ek.xml", f"<x>&#103;hp_{REST}</x>\n"),
    "hexadecimal references": _at("el.html", f"<p>&#x67;hp_{REST}</p>\n"),
    "references throughout": _at("em.html", f"<p>{_escaped('&#{};')}</p>\n"),
    "character codes in JavaScript": _at(
        "en.js", f"client(String.fromCharCode({', '.join(str(ord(one)) for one in TOKEN)}));\n"
    ),
    "character codes in Python": _at(
        "eo.py", f"client(bytes([{', '.join(str(ord(one)) for one in TOKEN)}]))\n"
    ),
    "a password in escapes": _at(
        "ep.py", f'password = "{_escaped(chr(92) + "x{:02x}", PASSWORD)}"\n'
    ),
    "a password in an address": _at(
        "eq.py", f'url = "https://ann:{_quoted(PASSWORD)}%2F@git.acme.io/"\n'
    ),
}

OPENED: Mapping[str, Spelled] = {
    "Base64 in Python": _at("ba.py", f'client(base64.b64decode("{ENCODED}"))\n'),
    "Base64 in JavaScript": _at("bb.js", f"client(atob('{ENCODED}'));\n"),
    "Base64 in Node": _at("bc.js", f"client(Buffer.from('{ENCODED}', 'base64').toString());\n"),
    "Base64 without padding": _at("bd.go", f'call("{ENCODED.rstrip("=")}")\n'),
    "Base64 of more than it": _at("be.py", f'client("{base64_of("xy " + TOKEN + " z")}")\n'),
    "Base64 in pieces": _at("bf.py", f'client(b64decode("{ENCODED[:10]}" + "{ENCODED[10:]}"))\n'),
    "Base64 over lines": _at(
        "bg.txt",
        base64.encodebytes(
            b"a plain line of text\n" * 6 + TOKEN.encode() + b" and more\n" * 8
        ).decode(),
        1,
    ),
    "Base64 twice": _at("bh.py", f'client("{base64_of(ENCODED)}")\n'),
    "Base64 of JSON": _at("bi.yaml", f"x: {base64_of(json.dumps({'auth': TOKEN}))}\n"),
    "Base32": _at(
        "bi2.py", f'client(base64.b32decode("{base64.b32encode(TOKEN.encode()).decode()}"))\n'
    ),
    "hexadecimal": _at("bj.py", f'client(bytes.fromhex("{TOKEN.encode().hex()}"))\n'),
    "hexadecimal capitals": _at("bk.go", f'hex.DecodeString("{TOKEN.encode().hex().upper()}")\n'),
    "reversed": _at("bl.py", f'client("{TOKEN[::-1]}"[::-1])\n'),
    "reversed in JavaScript": _at(
        "bm.js", f"client('{TOKEN[::-1]}'.split('').reverse().join(''));\n"
    ),
    "reversed in PHP": _at("bn.php", f"<?php call(strrev('{TOKEN[::-1]}'));\n"),
    "turned by thirteen": _at("bn2.py", f'client(codecs.decode("{TURNED}", "rot13"))\n'),
    "a Kubernetes Secret": _at(
        "bo.yaml",
        f"apiVersion: v1\nkind: Secret\nmetadata: {{name: x}}\ndata:\n  x: {ENCODED}\n",
        5,
    ),
    "a Kubernetes Secret in JSON": _at(
        "bp.json",
        f'{{"apiVersion": "v1", "kind": "Secret", "data": {{"x": "{base64_of(PASSWORD)}"}}}}\n',
    ),
    "a Kubernetes Secret in one line": _at(
        "bq.yaml", f"apiVersion: v1\nkind: Secret\ndata: {{x: {base64_of(PASSWORD)}}}\n", 3
    ),
    "a Kubernetes Secret, folded": _at(
        "br.yaml", f"kind: Secret\ndata:\n  x: >-\n    {base64_of(PASSWORD)}\n", 4
    ),
    "a quoted Kubernetes Secret": _at(
        "br2.yaml", f'"kind": "Secret"\n"data":\n  "x": "{base64_of(PASSWORD)}"\n', 3
    ),
    "a password in Base64": _at(
        "bs.py", f'db_password = base64.b64decode("{base64_of(PASSWORD + "xy")}")\n'
    ),
    "a password in JavaScript's Base64": _at(
        "bt.js", f"const dbPassword = atob('{base64_of(PASSWORD)}');\n"
    ),
    "compressed": Spelled("bu.txt.gz", gzip.compress((TOKEN + "\n").encode(), mtime=0), 0),
    "compressed under another name": Spelled(
        "bv.bin", gzip.compress((TOKEN + "\n").encode(), mtime=0), 0
    ),
    "compressed in Base64": _at(
        "bw.py", f'client("{base64.b64encode(gzip.compress(TOKEN.encode(), mtime=0)).decode()}")\n'
    ),
    "UTF-16": Spelled("bx.txt", f"x {TOKEN}\n".encode("utf-16")),
}

FORMATS: Mapping[str, Spelled] = {
    "npmrc": _at("f01/.npmrc", f"//registry.example.org/:_password={base64_of(PASSWORD)}\n"),
    "npmrc _auth": _at("f02/.npmrc", f"_auth={base64_of('ci:' + PASSWORD)}\n"),
    "pypirc": _at("f03/.pypirc", f"[internal]\nusername = ci\npassword = {PASSWORD}\n", 3),
    "netrc over lines": _at(
        "f04/.netrc", f"machine git.acme.io\n  login ann\n  password {PASSWORD}\n", 3
    ),
    "netrc default": _at("f05/.netrc", f"default login ann password {PASSWORD}\n"),
    "netrc account": _at(
        "f06/_netrc", f"machine git.acme.io login ann account x password {PASSWORD}\n"
    ),
    "git-credentials": _at(
        "f07/.git-credentials", f"https://ann:{_quoted(PASSWORD)}@git.acme.io\n"
    ),
    "pgpass": _at("f08/.pgpass", f"db1:5432:main:ann:{PASSWORD}\n"),
    "wgetrc": _at("f09/.wgetrc", f"user=ann\nhttp_password={PASSWORD}\n", 2),
    "wgetrc proxy": _at("f10/.wgetrc", f"proxy_password = {PASSWORD}\n"),
    "curlrc": _at("f11/.curlrc", f'user = "ann:{PASSWORD}"\n'),
    "AWS": _at(
        "f12/.aws/credentials", f"[default]\naws_secret_access_key = {minted('<alnum:40>')}\n", 2
    ),
    "AWS session": _at(
        "f13/.aws/credentials", f"[default]\naws_session_token = {minted('<alnum:300>')}\n", 2
    ),
    "kubeconfig password": _at(
        "f14/kubeconfig",
        f"users:\n- name: a\n  user:\n    username: a\n    password: {PASSWORD}\n",
        5,
    ),
    "kubeconfig key": _at(
        "f15/kubeconfig", f"users:\n- user:\n    client-key-data: {base64_of(KEY)}\n", 3
    ),
    "Docker": _at(
        "f16/.docker/config.json",
        f'{{"auths": {{"x": {{"auth": "{base64_of("ci:" + PASSWORD)}"}}}}}}\n',
    ),
    "Docker in a Secret": _at(
        "f17/secret.yaml",
        "apiVersion: v1\nkind: Secret\ntype: kubernetes.io/dockerconfigjson\n"
        "data:\n  .dockerconfigjson: "
        + base64_of(json.dumps({"auths": {"x": {"auth": base64_of("ci:" + PASSWORD)}}}))
        + "\n",
        5,
    ),
    "psycopg2": _at(
        "f18/a.py", f'psycopg2.connect("host=db1 dbname=main user=app password={PASSWORD}")\n'
    ),
    "JDBC": _at(
        "f19/A.java", f'String u = "jdbc:postgresql://db1/main?user=app&password={PASSWORD}";\n'
    ),
    "JDBC of SQL Server": _at(
        "f20/A.java",
        f'String u = "jdbc:sqlserver://db1;databaseName=main;user=sa;password={PASSWORD};";\n',
    ),
    "JDBC of Oracle": _at(
        "f21/A.java", f'String u = "jdbc:oracle:thin:app/{PASSWORD}@db1:1521:main";\n'
    ),
    "ODBC": _at("f22/a.py", f'pyodbc.connect("DRIVER={{SQL}};SERVER=db1;UID=sa;PWD={PASSWORD}")\n'),
    "ADO.NET": _at(
        "f23/a.cs", f'var c = "Server=db1;Database=main;User Id=sa;Password={PASSWORD};";\n'
    ),
    "AMQP": _at("f24/a.py", f'url = "amqp://app:{PASSWORD}@mq1.acme.io:5672/x"\n'),
    "Redis": _at("f25/a.py", f'url = "redis://:{PASSWORD}@cache.acme.io:6379/0"\n'),
    "Mongo": _at("f26/a.js", f"const u = 'mongodb+srv://app:{PASSWORD}@c1.mongo.acme.io/main';\n"),
    "Redis of StackExchange": _at(
        "f26b/a.cs", f'var c = "cache.acme.io:6380,password={PASSWORD},ssl=True";\n'
    ),
    "the Go driver of MySQL": _at(
        "f26c/a.go", f'sql.Open("mysql", "app:{PASSWORD}@tcp(db1:3306)/main")\n'
    ),
    "curl": _at(
        "f27/a.sh", f'curl -H "Authorization: Bearer {minted("<alnum:40>")}" https://example.org\n'
    ),
    "curl with a token header": _at(
        "f28/a.sh", f'curl -H "PRIVATE-TOKEN: {minted("<alnum:20>")}" https://example.org\n'
    ),
    "curl basic": _at(
        "f29/a.http",
        f"GET https://example.org\nAuthorization: Basic {base64_of('ann:' + PASSWORD)}\n",
        2,
    ),
    "JWT": _at("f30/a.py", f'client("{minted("<jwt>")}")\n'),
    "PEM in JSON": _at("f31/a.json", json.dumps({"private_key": KEY}) + "\n"),
    "PEM in an environment": _at("f32/.env", f'KEY="{KEY.strip()}"\n'.replace("\n", "\\n", 9)),
    "PEM in pieces": _at(
        "f33/a.py",
        "KEY = (\n" + "".join(f'    "{line}\\n"\n' for line in KEY.splitlines()) + ")\n",
        2,
    ),
    "PEM in pieces of Java": _at(
        "f34/A.java",
        "String k =\n" + "".join(f'    "{line}\\n" +\n' for line in KEY.splitlines()) + '    "";\n',
        2,
    ),
    "PEM in a list": _at(
        "f35/a.js",
        "k = [\n" + "".join(f"  '{line}',\n" for line in KEY.splitlines()) + "].join('\\n');\n",
        2,
    ),
    "PEM indented": _at(
        "f36/a.yaml", "key: |\n" + "".join(f"  {line}\n" for line in KEY.splitlines()), 2
    ),
    "PEM with escaped slashes": _at(
        "f37/a.json", json.dumps({"k": KEY}).replace("/", "\\/") + "\n"
    ),
    "PEM in Unicode escapes": _at(
        "f37b/a.json", json.dumps({"k": KEY}).replace("-", "\\u002d") + "\n"
    ),
    "DER in Base64": _at("f37c/a.py", f'key = b64decode("{base64.b64encode(DER).decode()}")\n'),
    "PuTTY": _at(
        "f38/a.ppk",
        "PuTTY-User-Key-File-3: ssh-ed25519\nEncryption: none\nComment: x\nPublic-Lines: 1\n"
        f"{minted('<alnum:60>')}\n"
        f"Private-Lines: 1\n{minted('<alnum:48>')}\nPrivate-MAC: {minted('<hex:64>')}\n",
        7,
    ),
    "SSH2": _at(
        "f39/id",
        '---- BEGIN SSH2 ENCRYPTED PRIVATE KEY ----\nComment: "x"\n'
        + "\n".join(minted("<alnum:70>", n) for n in range(8))
        + "\n---- END SSH2 ENCRYPTED PRIVATE KEY ----\n",
    ),
    "PKCS #12": Spelled(
        "f40/a.p12", b"0\x82\x05\x00\x02\x01\x03" + minted("<alnum:900>").encode(), 0
    ),
    "DER": Spelled("f42/a.der", DER, 0),
    "compose": _at(
        "f43/docker-compose.yml",
        f"services:\n  db:\n    environment:\n      MYSQL_PASSWORD: '{PASSWORD}'\n",
        4,
    ),
    "Maven": _at(
        "f44/settings.xml", f"<server><id>x</id><password>{PASSWORD}</password></server>\n"
    ),
    "a Composer file": _at(
        "f45/auth.json",
        f'{{"http-basic": {{"x": {{"username": "a", "password": "{PASSWORD}"}}}}}}\n',
    ),
    "a NuGet file": _at(
        "f46/NuGet.Config", f'<add key="ClearTextPassword" value="{PASSWORD}" />\n'
    ),
    "an HTTP fixture": _at(
        "f47/a.json", f'{{"headers": {{"Authorization": ["Bearer {minted("<alnum:40>")}"]}}}}\n'
    ),
}

SPELLED = {
    f"{kind}: {name}": spelled
    for kind, table in (
        ("joined", JOINED),
        ("escaped", ESCAPED),
        ("opened", OPENED),
        ("formats", FORMATS),
    )
    for name, spelled in table.items()
}
