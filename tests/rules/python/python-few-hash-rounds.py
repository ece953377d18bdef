import hashlib

import bcrypt


def derive(password, salt):
    # ruleid: python-few-hash-rounds
    first = hashlib.pbkdf2_hmac("sha256", password, salt, 1000)
    # ruleid: python-few-hash-rounds
    return first, bcrypt.hashpw(password, bcrypt.gensalt(rounds=4))


def derive_well(password, salt, rounds):
    # ok: python-few-hash-rounds
    first = hashlib.pbkdf2_hmac("sha256", password, salt, 600000)
    # ok: python-few-hash-rounds
    second = hashlib.pbkdf2_hmac("sha256", password, salt, rounds)
    # ok: python-few-hash-rounds
    return first, second, bcrypt.hashpw(password, bcrypt.gensalt(12))
