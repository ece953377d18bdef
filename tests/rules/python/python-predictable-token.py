import random
import secrets
import string
import uuid


def generate_password(length):
    letters = string.ascii_letters
    # ruleid: python-predictable-token
    return "".join(random.choice(letters) for _ in range(length))


def register(user):
    # ruleid: python-predictable-token
    user.reset_token = str(random.getrandbits(128))
    # ruleid: python-predictable-token
    session_id = uuid.uuid1()
    # ruleid: python-predictable-token
    token = "".join(random.choice(string.ascii_letters) for _ in range(32))
    return session_id, token


def register_well(user):
    # ok: python-predictable-token
    user.reset_token = secrets.token_urlsafe()
    # ok: python-predictable-token
    delay = random.random() * 2
    # ok: python-predictable-token
    colour = random.choice(["red", "blue"])
    # ok: python-predictable-token
    token = secrets.choice(string.digits)
    # ok: python-predictable-token
    word = "".join(random.choice(string.ascii_letters) for _ in range(8))
    # ok: python-predictable-token
    token = random.choice(word)
    # ok: python-predictable-token
    return delay, colour, token, uuid.uuid4()


def reset_token():
    # ruleid: python-predictable-token
    return "".join(random.choice(string.hexdigits) for _ in range(32))


def token():
    # ruleid: python-predictable-token
    return "".join(random.choices(string.hexdigits, k=32))


def next_token(weights):
    # ok: python-predictable-token
    return random.choices(range(len(weights)), weights)[0]
