from Crypto.PublicKey import RSA
from cryptography.hazmat.primitives.asymmetric import rsa


def make_keys():
    # ruleid: python-short-key
    first = RSA.generate(1024)
    # ruleid: python-short-key
    second = rsa.generate_private_key(public_exponent=65537, key_size=512)
    return first, second


def make_good_keys():
    # ok: python-short-key
    first = RSA.generate(3072)
    # ok: python-short-key
    second = rsa.generate_private_key(public_exponent=65537, key_size=2048)
    return first, second
