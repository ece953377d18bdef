"""Recipes for Java: what they make of statements, and what is not certain enough for them."""

import pytest

from tests.repo.fixes.mending import mended


def java(*lines: str, throws: str = "Exception") -> str:
    """A method with these lines, in a class of a package."""
    body = "".join(f"        {line}\n" for line in lines)
    head = "package org.example.shop;\n\nimport java.io.*;\nimport java.sql.*;\n\nclass A {\n"
    return f"{head}    Object f(String x, int n, File dir) throws {throws} {{\n{body}    }}\n}}\n"


MADE = "Statement s = c.createStatement();"
WHOLE = "getCanonicalFile().toPath()"
NO_DOCTYPE = 'setFeature("http://apache.org/xml/features/disallow-doctype-decl", true);'
MADE_XML = "DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();"


@pytest.mark.parametrize(
    ("rule", "lines", "expected"),
    [
        (
            "java-sql-injection",
            (
                MADE,
                """return s.executeQuery(«"select 1 where c = '" + x + "' and d = " + n»);""",
            ),
            (
                'PreparedStatement s = c.prepareStatement("select 1 where c = ? and d = ?");',
                "s.setString(1, x);",
                "s.setInt(2, n);",
                "return s.executeQuery();",
            ),
        ),
        (
            "java-sql-injection",
            ("""return jdbc.queryForList(«"select a from b where c = '" + n + "'"»);""",),
            ("""return jdbc.queryForList("select a from b where c = ?", String.valueOf(n));""",),
        ),
        (
            "java-command-injection",
            ("""return Runtime.getRuntime().exec(«"du -s " + x»);""",),
            ("""return new ProcessBuilder("du", "-s", x).start();""",),
        ),
        (
            "java-header-injection",
            ("""r.setHeader("A", «x»);""",),
            ("""r.setHeader("A", x == null ? null : x.replaceAll("[\\\\r\\\\n]", ""));""",),
        ),
        (
            "java-zip-slip",
            ("""return new FileOutputStream(«new File(dir, e.getName())»);""",),
            (
                "File path = new File(dir, e.getName());",
                f"if (!path.{WHOLE}.startsWith(dir.{WHOLE})) {{",
                """    throw new IOException("The path leaves its folder");""",
                "}",
                "return new FileOutputStream(path);",
            ),
        ),
        (
            "java-xxe-document-builder",
            ("return «DocumentBuilderFactory.newInstance().newDocumentBuilder()».parse(x);",),
            (MADE_XML, f"factory.{NO_DOCTYPE}", "return factory.newDocumentBuilder().parse(x);"),
        ),
        (
            "java-trust-all-certificates",
            ("return «b.trustManager(InsecureTrustManagerFactory.INSTANCE)».build();",),
            ("return b.build();",),
        ),
        (
            "java-world-writable-file",
            ("""return «PosixFilePermissions.fromString("rw-rw-rw-")»;""",),
            ("""return PosixFilePermissions.fromString("rw-rw-r--");""",),
        ),
    ],
)
def test_a_statement_is_mended(
    rule: str, lines: tuple[str, ...], expected: tuple[str, ...]
) -> None:
    assert mended(rule, "java", java(*lines)) == java(*expected)


@pytest.mark.parametrize(
    ("rule", "lines"),
    [
        ("java-sql-injection", (MADE, """s.executeQuery(«"select a from " + x»);""")),
        ("java-sql-injection", (MADE, """s.executeQuery(«"select 1 where c in (" + x + ")"»);""")),
        ("java-sql-injection", (MADE, """s.executeQuery(«"select 1 where c = " + x»);""")),
        ("java-sql-injection", (MADE, """s.executeQuery(«"select 1 where id = " + g()»);""")),
        ("java-sql-injection", (MADE, """s.execute(«"select 1 where d < date '" + x + "'"»);""")),
        ("java-sql-injection", (MADE, """s.execute(«"select 1 where d = N'" + x + "'"»);""")),
        ("java-sql-injection", (MADE, "s.execute(y);", """s.execute(«"select 'a" + x + "'"»);""")),
        ("java-sql-injection", ("""s.executeQuery(«"select 1 where c = '" + x + "'"»);""",)),
        ("java-sql-injection", ("""c.prepareCall(«"select 1 where c = '" + x + "'"»);""",)),
        ("java-command-injection", ("""Runtime.getRuntime().exec(«"sh -c 'a; " + x + "'"»);""",)),
        ("java-command-injection", ("""Runtime.getRuntime().exec(«"du '" + x + "'"»);""",)),
        ("java-command-injection", ("""Runtime.getRuntime().exec(«x»);""",)),
        ("java-sql-injection", ("""namedJdbcTemplate.query(«"select '" + x + "'"», m);""",)),
        ("java-path-traversal", ("""new FileReader(«x»);""",)),
        ("java-path-traversal", ("""File f = dir; f = new File(dir, x); new FileReader(«f»);""",)),
        ("java-xxe-document-builder", ("return «made.newDocumentBuilder()».parse(x);",)),
        ("java-weak-hash", ("""Object md5 = cache(«MessageDigest.getInstance("MD5")»);""",)),
        ("java-weak-hash", ("""return «MessageDigest.getInstance("MD5")».digest(x);""",)),
        ("java-weak-pbe-iterations", ("«new PBEKeySpec(p, s, ROUNDS, 256)»;",)),
        ("java-jwt-unsigned", ("Jwt<Header, Claims> t = «p.parseClaimsJwt(x)»;",)),
        ("java-insecure-random-secret", ("String token = «g(new Random(1))»;",)),
        ("java-mybatis-raw-substitution", ("""@Select(«"select 1 order by ${a}"») int g;""",)),
        ("java-ldap-injection", ("""ldap.search("b", «"(a=" + x + ")"», c);""",)),
        ("java-regex-injection", ("""y.matches(«made(x)»);""",)),
        ("java-xss-response-writer", ("""w.print(«"<p>" + x»);""",)),
    ],
)
def test_what_is_not_certain_is_left_alone(rule: str, lines: tuple[str, ...]) -> None:
    assert mended(rule, "java", java(*lines)) is None


def test_a_check_that_may_throw_stands_only_where_that_is_caught() -> None:
    line = """return new FileReader(«new File(dir, x)»);"""
    assert mended("java-zip-slip", "java", java(line, throws="FileNotFoundException")) is None
    assert mended("java-zip-slip", "java", java(line, throws="IOException")) is not None


def test_a_field_is_mended_where_the_method_draws_from_it() -> None:
    text = "class A {\n    Random r = new Random();\n    int f() { return «r.nextInt()»; }\n}\n"
    expected = (
        "class A {\n    Random r = new SecureRandom();\n    int f() { return r.nextInt(); }\n}\n"
    )
    made = mended("java-insecure-random-secret", "java", text)
    assert made == f"import java.security.SecureRandom;\n{expected}"


def test_an_import_that_would_mean_another_class_is_none() -> None:
    line = "return «Arrays.equals(m.doFinal(x), y)»;"
    text = java(line).replace("java.sql.*", "org.example.MessageDigest")
    assert mended("java-timing-unsafe-compare", "java", text) is None


def test_two_fixes_of_one_method_make_two_names() -> None:
    first = """c.createStatement().execute(«"delete from a where b = '" + x + "'"»);"""
    second = first.replace("«", "").replace("»", "")
    made = mended("java-sql-injection", "java", java(second, first))
    assert made is not None
    assert "PreparedStatement statement2 = " in made
