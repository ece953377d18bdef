import telnetlib
from ftplib import FTP, FTP_TLS


def connect():
    # ruleid: python-cleartext-protocol
    first = telnetlib.Telnet("example.org")
    # ruleid: python-cleartext-protocol
    return first, FTP("ftp.example.org")


def connect_well(session):
    # ok: python-cleartext-protocol
    first = FTP_TLS("ftp.example.org")
    # ok: python-cleartext-protocol
    return first, session.FTP("ftp.example.org")
