"""What Terraform comes to when it is evaluated, and what hostile configurations may not do."""

import json
import time
from collections.abc import Mapping

import pytest

from mergegate.core.report import EngineStatus
from mergegate.core.tree import Reason, Role, SourceFile, Tree
from mergegate.repo.cache import RunMemory
from mergegate.repo.engines.terraform import TerraformEngine, evaluated, source
from mergegate.repo.facts.documents import MASKED, Form, Node
from mergegate.repo.facts.resources import REFERENCE, UNKNOWN, Resource, Resources, found, plain
from mergegate.sandbox.engines.engine import EngineContext
from mergegate.sandbox.files.stage import Stage
from tests.repo.infrastructure.reading import answers, resources, told
from tests.secrets.mint import minted


def said(node: Node) -> object:
    """A value as Python has it; what is not known is None, a reference its address in brackets."""
    if node.tag == UNKNOWN:
        return None
    if node.tag == REFERENCE:
        return f"<{node.text}>"
    if node.form is Form.MAP:
        return {key: said(one) for key, one in node.entries}
    return [said(one) for one in node.items] if node.form is Form.LIST else node.text


def value(expression: str, more: str = "", **files: str) -> object:
    """What an expression comes to, beside other blocks and files."""
    text = f'resource "a" "b" {{\n  x = {expression}\n}}\n{more}'
    named = {"main.tf": text, **{name.replace("__", "."): one for name, one in files.items()}}
    [one] = [one for one in resources(named) if one.address == "a.b"]
    return said(one.properties["x"])


MORE = """
variable "given" { default = "v" }
variable "ports" { default = [22, 443] }
variable "named" { default = { a = 1, b = { c = true } } }
variable "open" {}
variable "nothing" { default = null }
locals {
  base = "x-${var.given}"
  loop = local.pool
  pool = local.loop
  list = concat(["0.0.0.0/0"], var.open)
}
"""


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ('"plain \\"quoted\\" $${kept}"', 'plain "quoted" ${kept}'),
        ('"a ${var.given} b"', "a v b"),
        ('"${var.named.b.c}"', "true"),
        ('"${var.open}-x"', None),
        ("var.nothing", None),
        ("var.missing", None),
        ("local.base", "x-v"),
        ("local.loop", None),
        ("local.list", ["0.0.0.0/0", None]),
        ('var.named["a"]', "1"),
        ("var.ports[1]", "443"),
        ("var.ports.0", "22"),
        ("[for one in var.ports : one if one > 100]", ["443"]),
        ("{ for key, one in var.ports : key => one * 2 }", {"0": "44", "1": "886"}),
        ("{ for one in var.open : one => one }", None),
        ('var.given == "v" ? ["yes"] : ["no"]', ["yes"]),
        ('var.open == "v" ? "yes" : "no"', None),
        ("true && !false", "true"),
        ("var.open && false", "false"),
        ("1 + 2 * 3 - 4 / 2", "5"),
        ("-(1)", "-1"),
        ("7 % 0", None),
        ("null", ""),
        ("aws_vpc.main.id", "<aws_vpc.main>"),
        ("aws_vpc.main[0].id", "<aws_vpc.main>"),
        ("data.aws_ami.new.id", "<data.aws_ami.new>"),
        ("path.module", None),
        ('file("/etc/passwd")', None),
        ('templatefile("x", {})', None),
        ("timestamp()", None),
        ("merge({ a = 1 }, { b = 2, (var.given) = 3 })", {"a": "1", "b": "2", "v": "3"}),
        ("merge(var.open, { a = 1 })", None),
        ('join(",", var.ports)', "22,443"),
        ('split(",", "a,b")', ["a", "b"]),
        ('format("%s-%d%%", "a", 1)', "a-1%"),
        ('lookup(var.named, "z", "d")', "d"),
        ("flatten([[1], [2, [3]]])", ["1", "2", "3"]),
        ("toset([1, 1, 2])", ["1", "2"]),
        ('coalesce("", "b")', "b"),
        ("coalesce(var.open, 1)", None),
        ('try(var.given, "x")', "v"),
        ('element(["a", "b"], 3)', "b"),
        ("length(var.ports)", "2"),
        ('contains(["a"], "a")', "true"),
        ('replace("a.b", ".", "-")', "a-b"),
        ('replace("a.b", "/./", "-")', None),
        ("setproduct([1], [2, 3])", [["1", "2"], ["1", "3"]]),
        ("concat(var.ports...)", [None, None]),
        ("max(1, 2)", "2"),
        ("range(3)", ["0", "1", "2"]),
        ("range(1001)", None),
        ("range(1000000000000000000000)", None),
        ("zipmap([1], [2])", {"1": "2"}),
        ('upper("a")', "A"),
        ("jsonencode({ a = [var.given] })", {"a": ["v"]}),
        ('base64encode("a b")', "YSBi"),
        ('base64decode("YSBi")', "a b"),
        ("base64decode(base64encode(var.given))", "v"),
        ('base64decode("no base64")', None),
        ('jsondecode("{\\"a\\": 1}")', {"a": "1"}),
        ("var.named.*.a", ["1"]),
        ("aws_instance.web.*.id", "<aws_instance.web>"),
        ('"%{ if true }a%{ endif }"', None),
    ],
)
def test_expression_comes_to_what_terraform_makes_of_it(expression: str, expected: object) -> None:
    assert value(expression, MORE) == expected


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        ({}, "default"),
        ({"terraform__tfvars": 'x = "set"\n'}, "set"),
        ({"terraform__tfvars": 'x = "set"\n', "z__auto__tfvars": 'x = "last"\n'}, "last"),
        ({"other__tfvars": 'x = "set"\n'}, "default"),
    ],
)
def test_variables_are_set_by_the_files_that_count(files: Mapping[str, str], expected: str) -> None:
    assert value("var.x", 'variable "x" { default = "default" }\n', **files) == expected


def test_policy_says_what_its_json_says() -> None:
    heredoc = (
        'x = <<EOF\n{"Statement": [{"Effect": "Allow", "Resource": "${aws_b.c.arn}/*"}]}\nEOF\n'
    )
    [one] = resources(f'resource "a" "b" {{\n{heredoc}}}\n')
    assert said(one.properties["x"]) == {"Statement": [{"Effect": "Allow", "Resource": None}]}


DOCUMENT = """
data "aws_iam_policy_document" "d" {
  statement {
    actions   = ["s3:*"]
    resources = ["*"]
    principals {
      type        = "*"
      identifiers = ["*"]
    }
    condition {
      test = "Bool"
    }
  }
  dynamic "statement" {
    for_each = var.more
    content {
      actions = ["x"]
    }
  }
}
"""


def test_policy_document_is_the_json_that_it_makes() -> None:
    made = value("data.aws_iam_policy_document.d.json", DOCUMENT)
    assert made == {
        "Statement": [
            {
                "Effect": "Allow",
                "Action": ["s3:*"],
                "Resource": ["*"],
                "Condition": [{"test": "Bool"}],
                "Principal": {"AWS": ["*"]},
            },
            None,
        ]
    }


DYNAMIC = """
resource "a" "b" {
  dynamic "ingress" {
    for_each = { ssh = 22, web = 443 }
    iterator = one
    content {
      port = one.value
      name = one.key
    }
  }
  dynamic "egress" {
    for_each = var.open
    content {
      port = 1
    }
  }
  ingress {
    port = 80
  }
}
"""


def test_dynamic_blocks_are_written_out() -> None:
    [one] = resources(DYNAMIC)
    ports = [{"port": "80"}, {"port": "22", "name": "ssh"}, {"port": "443", "name": "web"}]
    assert sorted(map(str, said(one.properties["ingress"]))) == sorted(map(str, ports))  # type: ignore[call-overload]
    assert said(one.properties["egress"]) == [None]


@pytest.mark.parametrize(
    ("loop", "expected"),
    [
        ("count = 2\n  x = count.index", {"a.b[0]": "0", "a.b[1]": "1"}),
        ("count = 0\n  x = 1", {}),
        ("count = var.open\n  x = count.index", {"a.b": None}),
        ("count = var.none ? 1 : 0\n  x = 1", {"a.b": "1"}),
        ("for_each = var.empty\n  x = each.key", {"a.b": None}),
        ("for_each = {}\n  x = 1", {}),
        ('for_each = toset(["k"])\n  x = each.key', {'a.b["k"]': "k"}),
        ("for_each = { k = { v = 1 } }\n  x = each.value.v", {'a.b["k"]': "1"}),
        ("for_each = var.open\n  x = each.value.v", {"a.b": None}),
    ],
)
def test_loops_make_instances(loop: str, expected: Mapping[str, object]) -> None:
    defaults = 'variable "none" { default = false }\nvariable "empty" { default = {} }\n'
    found = resources(f'{defaults}resource "a" "b" {{\n  {loop}\n}}\n')
    assert {one.address: said(one.properties["x"]) for one in found} == expected


def test_every_instance_is_evaluated() -> None:
    each = "".join(f"    k{n} = {n}\n" for n in range(100))
    found = resources(
        f'resource "a" "b" {{\n  for_each = {{\n{each}  }}\n  x = each.value\n}}\n'
        'resource "a" "c" {\n  count = 100\n  x = count.index\n}\n'
    )
    told = sorted(str(said(one.properties["x"])) for one in found)
    assert told == sorted([*map(str, range(100))] * 2)
    [one] = resources(
        'resource "a" "b" {\n  dynamic "d" {\n    for_each = range(100)\n'
        "    content {\n      x = d.value\n    }\n  }\n}\n"
    )
    assert len(one.properties["d"].items) == 100


MODULES = {
    "main.tf": """
module "store" {
  source = "./modules/store"
  public = true
}
resource "a" "user" {
  bucket = module.store.bucket
}
module "far" {
  source = "registry/far"
}
resource "a" "far" {
  x = module.far.id
}
""",
    "modules/store/main.tf": """
variable "public" { default = false }
resource "aws_s3_bucket" "b" {
  public = var.public
}
module "deep" {
  source = "../deep"
  name   = "n-${var.public}"
}
output "bucket" { value = aws_s3_bucket.b.id }
""",
    "modules/deep/deep.tf.json": json.dumps(
        {
            "variable": {"name": {}},
            "resource": {"a": {"b": {"x": "${var.name}!", "//": "a comment"}}},
        }
    ),
}


def by_address(files: Mapping[str, str]) -> dict[str, Resource]:
    return {one.address: one for one in resources(files)}


def test_modules_of_the_tree_are_evaluated_as_they_are_called() -> None:
    made = by_address(MODULES)
    assert made.keys() == {
        "module.store.aws_s3_bucket.b",
        "module.store.module.deep.a.b",
        "a.user",
        "a.far",
        "module.far",
    }
    assert said(made["module.store.aws_s3_bucket.b"].properties["public"]) == "true"
    assert said(made["module.store.module.deep.a.b"].properties["x"]) == "n-true!"
    assert said(made["a.user"].properties["bucket"]) == "<module.store.aws_s3_bucket.b>"
    assert said(made["a.far"].properties["x"]) is None
    assert made["module.store.aws_s3_bucket.b"].path == "modules/store/main.tf"


def test_modules_that_depend_on_one_another_are_evaluated_in_their_order() -> None:
    module = (
        'variable "x" {}\noutput "y" { value = "${var.x}!" }\nresource "a" "b" {\n  x = var.x\n}\n'
    )
    files = {
        "main.tf": """
module "last" {
  source = "./m"
  x      = module.first.y
}
module "first" {
  source = "./m"
  x      = "1"
}
module "left" {
  source = "./m"
  x      = module.right.y
}
module "right" {
  source = "./m"
  x      = module.left.y
}
""",
        "m/main.tf": module,
    }
    assert {one.address: said(one.properties["x"]) for one in resources(files)} == {
        "module.last.a.b": "1!",
        "module.first.a.b": "1",
        "module.left.a.b": None,
        "module.right.a.b": None,
    }


def test_what_an_example_hands_over_decides_nothing_about_a_module() -> None:
    files = {
        "main.tf": 'variable "open" { default = false }\nresource "a" "b" {\n  x = var.open\n}\n',
        "examples/all/main.tf": 'module "all" {\n  source = "../.."\n  open = true\n}\n',
    }
    assert {one.address: said(one.properties["x"]) for one in resources(files)} == {"a.b": "false"}


def test_circle_of_modules_ends() -> None:
    files = {
        "a/main.tf": 'module "b" {\n  source = "../b"\n}\nresource "a" "a" {}\n',
        "b/main.tf": 'module "a" {\n  source = "../a"\n}\nresource "a" "b" {}\n',
        "c/main.tf": 'module "c" {\n  source = "./"\n}\nresource "a" "c" {}\n',
    }
    assert {one.path for one in resources(files)} == {"a/main.tf", "b/main.tf", "c/main.tf"}


def test_module_outside_of_the_tree_is_not_read() -> None:
    files = {"main.tf": 'module "x" {\n  source = "../../etc"\n}\nresource "a" "b" {}\n'}
    assert [one.address for one in resources(files)] == ["a.b"]


def test_secrets_are_masked_when_they_are_read() -> None:
    secret = minted("ghp_<alnum:36>")
    files = {
        "main.tf": f'variable "db_password" {{\n  default = "hunter2hunter2"\n}}\nlocals {{\n'
        f'  k = "{secret}"\n}}\nresource "a" "b" {{\n  password = "hunter2hunter2"\n'
        f'  x = [var.db_password, local.k, "https://u:hunter2hunter2@h/"]\n}}\n',
        "terraform.tfvars": 'api_token = "hunter2hunter2"\n',
        "more.tf.json": '{"resource": {"c": {"d": {"password": "hunter2hunter2"}}}}',
    }
    shown = repr(answers(TerraformEngine(), files)) + repr(resources(files))
    assert "hunter2" not in shown
    assert secret not in shown
    assert MASKED in shown


def test_the_payload_of_a_secret_is_masked_whatever_its_keys_are_called() -> None:
    text = (
        'resource "kubernetes_secret" "a" {\n  data = {\n    user = "hunter2hunter2"\n'
        '    password = "hunter2hunter2"\n    other = var.other\n  }\n}\n'
    )
    (one,) = resources(text)
    assert "hunter2" not in repr(answers(TerraformEngine(), {"main.tf": text})) + repr(one)
    assert one.properties.at("data", "password").text == MASKED


def test_a_secret_in_a_name_is_masked_and_two_names_stay_two() -> None:
    one, other = (minted("ghp_<alnum:36>", seed) for seed in (1, 2))
    text = "".join(f'resource "a" "{name}" {{}}\n' for name in (one, other))
    shown = [found.address for found in resources(text)]
    assert len({*shown}) == 2
    assert not any(secret in name for secret in (one, other) for name in shown)


def test_secret_of_several_parts_or_another_name_is_masked() -> None:
    secret = minted("ghp_<alnum:36>")
    text = f"""
variable "one" {{ default = "{secret[:9]}" }}
variable "two" {{ default = "{secret[9:]}" }}
variable "three" {{ default = "hunter2hunter2" }}
resource "a" "b" {{
  x        = "${{var.one}}${{var.two}}"
  y        = join("", [var.one, var.two])
  password = var.three
  env      = [{{ name = "DB_PASSWORD", value = var.three }}]
}}
"""
    shown = repr(resources(text))
    assert secret not in shown
    assert "hunter2" not in shown


def test_a_value_from_elsewhere_stands_where_it_is_used() -> None:
    text = MORE + 'resource "a" "b" {\n  x = var.named\n}\n'
    [one] = resources(text)
    line = text.split("\n").index("  x = var.named") + 1
    assert {node.line for node in one.properties["x"].walk()} == {line}


def test_addresses_without_instances() -> None:
    assert plain('module.a["x.y[0]"].b.c[1]') == "module.a.b.c"


def test_way_leads_through_blocks_and_lists() -> None:
    [one] = resources('resource "a" "b" {\n  c {\n    d = 1\n  }\n  c {\n    e = 2\n  }\n}\n')
    values = [(node.text, holder.line) for node, holder in found(one.properties, ("c", "d"))]
    assert values == [("1", 2), ("", 5)]


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ('cidrsubnet("0.0.0.0/0", 0, 0)', "0.0.0.0/0"),
        ('cidrsubnet("10.0.0.0/16", 8, 2)', "10.0.2.0/24"),
        ('cidrsubnet("fd00::/48", 16, 1)', "fd00:0:0:1::/64"),
        ('cidrsubnet("10.0.0.0/16", 99, 2)', None),
        ('cidrsubnet("a", 1, 2)', None),
        ('coalesce(var.nothing, "0.0.0.0/0")', "0.0.0.0/0"),
        ('coalesce(var.open, "0.0.0.0/0")', None),
        ("coalesce(var.nothing, null)", None),
        ("var.nothing", None),
        ('jsondecode("true")', "true"),
    ],
)
def test_a_function_answers_as_terraform_does(expression: str, expected: object) -> None:
    assert value(expression, MORE) == expected


OPEN = '{"a": {"cidr": "0.0.0.0/0"}}'


@pytest.mark.parametrize(
    "expression",
    [
        'jsondecode(file("${path.module}/in/o.json")).a.cidr',
        'jsondecode(file("in/o.json")).a.cidr',
        'yamldecode(file("${path.root}/./in/../in/o.json")).a.cidr',
        'trimspace(templatefile("in/t.tpl", { where = "0.0.0.0" }))',
    ],
)
def test_an_expression_reads_files_of_the_tree(expression: str) -> None:
    text = f'resource "a" "b" {{\n  x = {expression}\n}}\n'
    files = {"in/o.json": OPEN, "in/t.tpl": "${where}/0\n"}
    [one] = gathered({"main.tf": text, **files})[0].found
    assert (said(one.properties["x"]), one.properties["x"].line) == ("0.0.0.0/0", 2)


def test_a_module_reads_the_files_beside_it() -> None:
    text = 'resource "a" "b" {\n  x = file("${path.module}/o")\n  y = file("o")\n}\n'
    files = {"m/main.tf": text, "m/o": "inner", "o": "outer"}
    [one] = gathered({"main.tf": 'module "m" {\n  source = "./m"\n}\n', **files})[0].found
    assert (said(one.properties["x"]), said(one.properties["y"])) == ("inner", "outer")


@pytest.mark.parametrize("path", ["/etc/passwd", "../main.tf", "gone", "${var.open}", "big"])
def test_no_other_file_is_read(path: str) -> None:
    text = f'resource "a" "b" {{\n  x = file("{path}")\n}}\n' + MORE
    [one] = gathered({"main.tf": text, "big": "x" * 70_000})[0].found
    assert said(one.properties["x"]) is None


def gathered(files: Mapping[str, str]) -> tuple[Resources, Mapping[str, Reason], EngineStatus]:
    """What the source answers of a tree, and what it names as not searched."""
    with Stage() as stage:
        tree = []
        for number, (path, text) in enumerate(files.items()):
            location = stage.root / str(number)
            location.write_text(text, "utf-8")
            tree.append(
                SourceFile(path=path, location=location, size=len(text), digest=str(number))
            )
        context = EngineContext(stage)
        got = source(RunMemory(None)).gather(Tree(tuple(tree)), context, {})
    ours = {one.path for one in tree if TerraformEngine().wants(one)}
    assert got.searched == ours - {one.path for one in got.limited}
    [fact] = got.facts
    return fact, {one.path: one.cause for one in got.limited}, got.run.status


@pytest.mark.parametrize(
    "text",
    ['resource "a" "b" {', "x = = 1\n", "a = " + "[" * 200 + "]" * 200 + "\n", "\0\1\2"],
)
def test_file_that_cannot_be_read_is_named_and_the_others_count(text: str) -> None:
    fact, limited, status = gathered({"a.tf": text, "b.tf": 'resource "a" "b" {}\n'})
    assert limited == {"a.tf": Reason.SYNTAX}
    assert [one.address for one in fact.found] == ["a.b"]
    assert status is EngineStatus.LIMITED


@pytest.mark.parametrize("text", ["{", "[1, 2", '{"resource": ' * 100 + "1" + "}" * 100])
def test_json_that_cannot_be_read_is_named(text: str) -> None:
    assert gathered({"a.tf.json": text})[1] == {"a.tf.json": Reason.SYNTAX}


LAUGHS = "locals {\n  l0 = [1, 1]\n" + "".join(
    f"  l{n} = [{', '.join([f'local.l{n - 1}'] * 10)}]\n" for n in range(1, 12)
)
HOSTILE = {
    "lists of lists": LAUGHS + '}\nresource "a" "b" {\n  x = local.l11\n}\n',
    "texts of texts": 'locals {\n  l0 = "aaaaaaaaaa"\n'
    + "".join(f'  l{n} = "{f"${{local.l{n - 1}}}" * 10}"\n' for n in range(1, 12))
    + '}\nresource "a" "b" {\n  x = local.l11\n}\n',
    "loops in loops": 'resource "a" "b" {\n  x = '
    + "[for a in range(999) : " * 6
    + "1"
    + "]" * 6
    + "\n}\n",
    "many instances": "".join(
        f'resource "a" "b{n}" {{\n  count = 1000000000\n  x = count.index\n}}\n' for n in range(500)
    ),
    "long chain": "locals {\n  l0 = 1\n"
    + "".join(f"  l{n} = local.l{n - 1}\n" for n in range(1, 3000))
    + '}\nresource "a" "b" {\n  x = local.l2999\n}\n',
    "long sum": 'resource "a" "b" {\n  x = ' + "1 + " * 40 + "1\n}\n",
    "calls of calls": 'resource "a" "b" {\n  x = setproduct('
    + ", ".join(["range(999)"] * 9)
    + ")\n}\n",
}


@pytest.mark.parametrize("name", sorted(HOSTILE))
def test_hostile_configuration_takes_little_time(name: str) -> None:
    started = time.process_time()
    gathered({"main.tf": HOSTILE[name]})
    assert time.process_time() - started < 10


def test_folder_that_takes_too_many_steps_is_named() -> None:
    fact, limited, status = gathered(
        {"a/main.tf": HOSTILE["lists of lists"], "b/main.tf": 'resource "a" "b" {}\n'}
    )
    assert limited == {"a/main.tf": Reason.GIVE_UP}
    assert [one.path for one in fact.found] == ["b/main.tf"]
    assert status is EngineStatus.LIMITED


def test_more_instances_than_anyone_has_are_named() -> None:
    fact, limited, _ = gathered({"main.tf": HOSTILE["many instances"]})
    assert not fact.found
    assert limited == {"main.tf": Reason.GIVE_UP}


def test_modules_that_call_one_another_many_times_end() -> None:
    calls = "".join(f'module "m{n}" {{\n  source = "../b%d"\n}}\n' for n in range(10))
    files = {f"b{depth}/main.tf": calls % ((depth + 1,) * 10) for depth in range(7)}
    files["b7/main.tf"] = 'resource "a" "b" {}\n'
    fact, limited, _ = gathered(files)
    assert limited.keys() == files.keys()
    assert not fact.found


def test_role_of_a_file_is_that_of_its_resources() -> None:
    found, _ = evaluated(answers(TerraformEngine(), {"a.tf": 'resource "a" "b" {}\n'}, Role.TEST))
    assert [one.role for one in found.found] == [Role.TEST]


def test_changed_copy_is_judged_without_its_neighbours() -> None:
    files = {"1/main.tf": 'resource "aws_s3_bucket" "b" {\n  acl = "public-read"\n}\n'}
    assert [one.rule_id for one in told(files, copy_of="main.tf")] == [
        "terraform-s3-bucket-public-acl"
    ]


@pytest.mark.parametrize(
    ("source", "kinds"),
    [
        ("terraform-aws-modules/rds/aws", ["module", "module.terraform-aws-modules/rds/aws"]),
        (
            "git::https://github.com/terraform-aws-modules/terraform-aws-s3-bucket.git?ref=v4.1.2",
            ["module", "module.terraform-aws-modules/s3-bucket/aws"],
        ),
        (
            "terraform-aws-modules/iam/aws//modules/iam-user",
            ["module", "module.terraform-aws-modules/iam/aws//modules/iam-user"],
        ),
        ("https://modules.example.com/a.zip", ["module"]),
        ("./here", []),
        ("${var.source}", []),
    ],
)
def test_a_module_from_elsewhere_is_known_by_its_source(source: str, kinds: list[str]) -> None:
    found = resources(f'module "a" {{\n  source = "{source}"\n  encrypted = true\n}}\n')
    assert [one.kind for one in found] == kinds
    assert {one.address for one in found} <= {"module.a"}


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("aws_ssm_parameter", 'value = "no-real-one"'),
        (
            "aws_secretsmanager_secret_version",
            'secret_string = jsonencode({ pin = "no-real-one" })',
        ),
        ("azurerm_key_vault_secret", 'value = "no-real-one"'),
        ("vault_kv_secret_v2", 'data_json = jsonencode({ pin = ["no-real-one"] })'),
    ],
)
def test_a_payload_is_masked_whatever_its_keys_are_called(kind: str, text: str) -> None:
    known = answers(TerraformEngine(), {"main.tf": f'resource "{kind}" "a" {{\n  {text}\n}}\n'})
    assert "no-real-one" not in repr(known)
