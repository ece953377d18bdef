import ldap
import ldap3


def connect(name):
    directory = ldap.initialize("ldaps://ldap.example.org")
    # ruleid: python-ldap-anonymous-bind
    directory.simple_bind_s()
    # ruleid: python-ldap-anonymous-bind
    directory.simple_bind_s(name, "")
    return directory


def connect_anonymously(server):
    # ruleid: python-ldap-anonymous-bind
    return ldap3.Connection(server, authentication=ldap3.ANONYMOUS)


def connect_well(name, password, server):
    directory = ldap.initialize("ldaps://ldap.example.org")
    # ok: python-ldap-anonymous-bind
    directory.simple_bind_s(name, password)
    # ok: python-ldap-anonymous-bind
    return ldap3.Connection(server, user=name, password=password)
