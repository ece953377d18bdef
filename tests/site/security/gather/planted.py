"""Secrets made up for tests, in shapes that are real; none opens anything."""

import base64
import json
import random
import string

from mergegate.secrets.checksums import base62_crc32


def letters(count: int, seed: int = 3) -> str:
    """Random letters and digits, the same in every run."""
    chance = random.Random(seed)
    return "".join(chance.choices(string.ascii_letters + string.digits, k=count))


def jwt(claims: dict[str, object]) -> str:
    """A signed token that says ``claims``."""
    parts = ({"alg": "HS256", "typ": "JWT"}, claims)
    packed = [base64.urlsafe_b64encode(json.dumps(one).encode()).decode() for one in parts]
    return ".".join([*(one.rstrip("=") for one in packed), letters(43)])


def _github() -> str:
    body = letters(30)
    return f"ghp_{body}{base62_crc32(body)}"


def _key() -> str:
    body = base64.b64encode(random.Random(5).randbytes(600)).decode()
    return f"-----BEGIN PRIVATE KEY-----\\n{body}\\n-----END PRIVATE KEY-----"


PLANTED = {
    "stripe": f'k = "sk_live_{letters(24)}"',
    "github": f'k = "{_github()}"',
    "slack": f'k = "xox{"b"}-927364518273-8273645192837-{letters(24)}"',
    "aws": f'awsSecretAccessKey = "{letters(40)}"',
    "openai": f'k = "sk-proj-{letters(74)}T3BlbkFJ{letters(74)}"',
    "sendgrid": f'k = "SG.{letters(22)}.{letters(43)}"',
    "private key": f'k = "{_key()}"',
    "supabase": f'k = "{jwt({"role": "service_role", "exp": 4_000_000_000})}"',
    "gitlab": f'k = "glpat-{letters(20)}"',
    "named": f'clientSecret = "{letters(40, 9)}"',
    "database": f'url = "postgres://app:{letters(20, 11)}@db.example-shop.com/live"',
}
"""Name → the statement that gives it away."""
