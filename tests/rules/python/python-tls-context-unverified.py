import ssl

import aiohttp
import urllib3


def connect():
    context = ssl.create_default_context()
    # ruleid: python-tls-context-unverified
    context.check_hostname = False
    # ruleid: python-tls-context-unverified
    context.verify_mode = ssl.CERT_NONE
    # ruleid: python-tls-context-unverified
    pool = urllib3.PoolManager(cert_reqs="CERT_NONE")
    # ruleid: python-tls-context-unverified
    return context, pool, aiohttp.TCPConnector(ssl=False)


def open_globally():
    # ruleid: python-tls-context-unverified
    ssl._create_default_https_context = ssl._create_unverified_context


def connect_as_told(verify):
    context = ssl.create_default_context()
    if not verify:
        # ok: python-tls-context-unverified
        context.check_hostname = False
        # ok: python-tls-context-unverified
        context.verify_mode = ssl.CERT_NONE
    return context


def connect_for(*, names):
    context = ssl.create_default_context()
    if not names:
        # ok: python-tls-context-unverified
        context.check_hostname = False
    return context


def connect_through(proxy):
    context = ssl.create_default_context()
    if proxy:
        # ruleid: python-tls-context-unverified
        context.check_hostname = False
    return context


def connect_well():
    context = ssl.create_default_context()
    # ok: python-tls-context-unverified
    context.verify_mode = ssl.CERT_REQUIRED
    # ok: python-tls-context-unverified
    context.check_hostname = True
    # ok: python-tls-context-unverified
    return context, aiohttp.TCPConnector(ssl=context)
