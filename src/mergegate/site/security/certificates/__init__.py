"""How a server speaks TLS: its certificates as it sends them, its versions and ciphers.

Read through the one way out, also where nobody vouches for the certificate: what is wrong with it
is the question. Nothing is sent beyond handshakes.
"""

from mergegate.site.security.certificates.look import tls_facts

__all__ = ["tls_facts"]
