from Crypto.Cipher import AES, DES
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes


def encrypt(key, text, iv):
    # ruleid: python-weak-cipher
    first = DES.new(key, DES.MODE_CBC, iv).encrypt(text)
    # ruleid: python-weak-cipher
    second = Cipher(algorithms.TripleDES(key), modes.CBC(iv))
    # ruleid: python-weak-cipher
    third = Cipher(algorithms.ARC4(key), mode=None)
    return first, second, third


def encrypt_well(key, text, nonce):
    # ok: python-weak-cipher
    first = AES.new(key, AES.MODE_GCM, nonce=nonce).encrypt(text)
    # ok: python-weak-cipher
    second = Cipher(algorithms.AES(key), modes.GCM(nonce))
    return first, second
