import os

from Crypto.Cipher import AES
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes


def encrypt(key, text):
    # ruleid: python-constant-iv
    first = AES.new(key, AES.MODE_CBC, b"0000000000000000").encrypt(text)
    # ruleid: python-constant-iv
    second = Cipher(algorithms.AES(key), modes.GCM(b"\x00" * 12))
    return first, second


def encrypt_well(key, text):
    # ok: python-constant-iv
    first = AES.new(key, AES.MODE_CBC, os.urandom(16)).encrypt(text)
    nonce = os.urandom(12)
    # ok: python-constant-iv
    second = Cipher(algorithms.AES(key), modes.GCM(nonce))
    return first, second
