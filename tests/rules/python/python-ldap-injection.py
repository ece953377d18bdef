import ldap
from flask import Flask, request
from ldap3 import Connection
from ldap3.utils.conv import escape_filter_chars

app = Flask(__name__)


@app.get("/people")
def people():
    name = request.args["name"]
    directory = ldap.initialize("ldaps://ldap.example.org")
    # ruleid: python-ldap-injection
    found = directory.search_s("dc=example", ldap.SCOPE_SUBTREE, f"(uid={name})")
    safe = ldap.filter.escape_filter_chars(name)
    # ok: python-ldap-injection
    found += directory.search_s("dc=example", ldap.SCOPE_SUBTREE, f"(uid={safe})")
    return {"found": found}


@app.get("/groups/<group>")
def groups(group):
    connection = Connection("ldap.example.org")
    # ruleid: python-ldap-injection
    connection.search("dc=example", "(cn=" + group + ")")
    # ok: python-ldap-injection
    connection.search("dc=example", "(cn=" + escape_filter_chars(group) + ")")
    return {"entries": connection.entries}
