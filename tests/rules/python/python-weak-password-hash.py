import hashlib


def store(user, password, salt):
    # ruleid: python-weak-password-hash
    user.password_hash = hashlib.sha256(password.encode()).hexdigest()
    # ruleid: python-weak-password-hash
    user.legacy = hashlib.md5((salt + password).encode()).hexdigest()


def verify(form, stored):
    # ruleid: python-weak-password-hash
    return hashlib.sha1(form.password.encode("utf-8")).hexdigest() == stored


def fingerprint(content, password_hash):
    # ok: python-weak-password-hash
    key = hashlib.sha256(content).hexdigest()
    # ok: python-weak-password-hash
    return key, hashlib.sha256(password_hash).digest()


def derive(password, salt):
    # ok: python-weak-password-hash
    return hashlib.pbkdf2_hmac("sha256", password, salt, 600_000)
