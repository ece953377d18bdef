import hashlib
import os

import bcrypt


def derive(password):
    # ruleid: python-constant-salt
    first = hashlib.pbkdf2_hmac("sha256", password, b"pepper", 600_000)
    # ruleid: python-constant-salt
    return first, hashlib.scrypt(password, salt=b"pepper", n=2**14, r=8, p=1)


def derive_well(password, salt):
    # ok: python-constant-salt
    first = hashlib.pbkdf2_hmac("sha256", password, os.urandom(16), 600_000)
    # ok: python-constant-salt
    second = hashlib.scrypt(password, salt=salt, n=2**14, r=8, p=1)
    # ok: python-constant-salt
    return first, second, bcrypt.hashpw(password, bcrypt.gensalt())
