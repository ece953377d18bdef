import hashlib


def sign(message, key):
    # ruleid: python-weak-hash
    return hashlib.md5(key + message).hexdigest()


def verify_download(content, expected):
    # ruleid: python-weak-hash
    return hashlib.sha1(content).hexdigest() == expected


def cache_key(address):
    # ok: python-weak-hash
    return hashlib.md5(address.encode()).hexdigest()


def verify_marker(content):
    # ok: python-weak-hash
    marker = hashlib.md5(content, usedforsecurity=False).hexdigest()
    # ok: python-weak-hash
    return marker, hashlib.sha256(content).hexdigest()
