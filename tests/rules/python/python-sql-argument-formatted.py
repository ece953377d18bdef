import sqlite3

from sqlalchemy import text

STATES = ("open", "closed")


def find(cursor, name):
    # ruleid: python-sql-argument-formatted
    cursor.execute(f"SELECT * FROM users WHERE name = '{name}'")


class Users:
    def by_mail(self, mail: str):
        query = "SELECT * FROM users WHERE mail = '%s'" % mail.lower()
        # ruleid: python-sql-argument-formatted
        return self.db.execute(query).fetchall()

    def filtered(self, owner, state=None):
        query = "SELECT * FROM orders"
        if owner:
            query += " WHERE owner = '" + owner + "'"
        # ruleid: python-sql-argument-formatted
        return self.db.execute(query)


def rename(session, name):
    # ruleid: python-sql-argument-formatted
    return session.execute(text(f"UPDATE users SET name = '{name}'"))


def find_safely(cursor, session, name, table, number: int, ids):
    # ok: python-sql-argument-formatted
    cursor.execute("SELECT * FROM users WHERE name = ?", (name,))
    # ok: python-sql-argument-formatted
    cursor.execute(f"SELECT * FROM {table} WHERE name = ?", (name,))
    # ok: python-sql-argument-formatted
    cursor.execute(f"SELECT * FROM users WHERE id = {number}")
    query = f"SELECT * FROM users WHERE id = {int(ids[0])}"
    # ok: python-sql-argument-formatted
    cursor.execute(query)
    # ok: python-sql-argument-formatted
    return session.execute(text("SELECT * FROM users WHERE name = :name"), {"name": name})


def count(cursor, state):
    if state not in STATES:
        raise ValueError(state)
    query = f"SELECT count(*) FROM orders WHERE state = '{state}'"
    # ok: python-sql-argument-formatted
    return cursor.execute(query)


def migrate(cursor):
    version = cursor.execute("SELECT version FROM schema").fetchone()[0]
    # ok: python-sql-argument-formatted
    cursor.execute(f"UPDATE schema SET version = '{version + 1}'")


def quoted(connection, name):
    query = f"SELECT * FROM users WHERE name = '{connection.escape_string(name)}'"
    # ok: python-sql-argument-formatted
    return connection.execute(query)
