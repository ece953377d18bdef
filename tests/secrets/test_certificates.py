"""Keys and certificates drawn by cryptography, as their owners draw them."""

import ipaddress
from datetime import UTC, datetime

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import NameOID

from mergegate.secrets.certificates import local_keys, public_of_key

Key = rsa.RSAPrivateKey | ec.EllipticCurvePrivateKey
RSA = rsa.generate_private_key(65537, 2048)
KEYS: dict[str, Key] = {
    "RSA": RSA,
    "P-256": ec.generate_private_key(ec.SECP256R1()),
    "P-521": ec.generate_private_key(ec.SECP521R1()),
}
LOCAL = {
    "its name": ("localhost", ()),
    "its address": ("127.0.0.1", ()),
    "both": ("Test", (x509.DNSName("localhost"), x509.IPAddress(ipaddress.ip_address("::1")))),
    "a reserved name": ("www.shop.test", ()),
}
OTHERS = {
    "a name": ("www.shop.de", ()),
    "a machine of a network": ("db01", ()),
    "one name of two": ("localhost", (x509.DNSName("localhost"), x509.DNSName("shop.de"))),
    "an address": ("localhost", (x509.IPAddress(ipaddress.ip_address("10.0.0.1")),)),
    "a person": ("localhost", (x509.RFC822Name("a@localhost"),)),
    "nobody": ("", ()),
}


def pem(key: Key, form: PrivateFormat = PrivateFormat.PKCS8) -> str:
    return key.private_bytes(Encoding.PEM, form, NoEncryption()).decode()


def certificate(key: Key, name: str, others: tuple[x509.GeneralName, ...] = ()) -> str:
    named = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)] if name else [])
    day = datetime(2026, 1, 1, tzinfo=UTC)
    made = x509.CertificateBuilder(named, named, key.public_key(), 1, day, day.replace(year=2027))
    if others:
        made = made.add_extension(x509.SubjectAlternativeName(others), critical=False)
    return made.sign(key, hashes.SHA256()).public_bytes(Encoding.PEM).decode()


@pytest.mark.parametrize("form", [PrivateFormat.PKCS8, PrivateFormat.TraditionalOpenSSL])
@pytest.mark.parametrize("kind", KEYS)
def test_a_key_and_its_certificate_have_one_public_part(kind: str, form: PrivateFormat) -> None:
    key = KEYS[kind]
    assert local_keys(certificate(key, "localhost")) == (public_of_key(pem(key, form)),)


def test_a_key_is_read_as_it_stands_in_json() -> None:
    assert public_of_key(pem(RSA).replace("\n", "\\n")) == public_of_key(pem(RSA)) != ""


@pytest.mark.parametrize("whom", LOCAL)
def test_a_certificate_for_the_machine_itself_is_local(whom: str) -> None:
    assert local_keys(certificate(RSA, *LOCAL[whom])) == (public_of_key(pem(RSA)),)


@pytest.mark.parametrize("whom", OTHERS)
def test_a_certificate_for_others_is_not(whom: str) -> None:
    assert local_keys(certificate(RSA, *OTHERS[whom])) == ()


@pytest.mark.parametrize("cut", [1, 40, 300, 700])
def test_what_is_no_certificate_says_nothing(cut: int) -> None:
    begin, body, end = certificate(RSA, "localhost").partition("\n")[0], "MIIB" * cut, "-----END "
    assert local_keys(f"{begin}\n{body}\n{end}CERTIFICATE-----\n") == ()
    assert public_of_key(pem(RSA)[:-60]) == ""
