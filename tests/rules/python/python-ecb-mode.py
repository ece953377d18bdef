from Crypto.Cipher import AES
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes


def encrypt(key, text):
    # ruleid: python-ecb-mode
    first = AES.new(key, AES.MODE_ECB).encrypt(text)
    # ruleid: python-ecb-mode
    second = Cipher(algorithms.AES(key), modes.ECB())
    return first, second


def encrypt_well(key, text, nonce):
    # ok: python-ecb-mode
    first = AES.new(key, AES.MODE_GCM, nonce=nonce).encrypt(text)
    # ok: python-ecb-mode
    second = Cipher(algorithms.AES(key), modes.CTR(nonce))
    return first, second
