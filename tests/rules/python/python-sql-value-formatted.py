from django.db.models.expressions import RawSQL
from sqlalchemy import text


def find(cursor, session, name, number):
    # ruleid: python-sql-value-formatted
    cursor.execute(f"SELECT * FROM users WHERE name = '{name}'")
    # ruleid: python-sql-value-formatted
    cursor.execute("DELETE FROM users WHERE id = %s" % number)
    # ruleid: python-sql-value-formatted
    cursor.execute("SELECT * FROM users WHERE name = '{}'".format(name))
    # ruleid: python-sql-value-formatted
    cursor.execute("SELECT * FROM users WHERE name = '" + name + "'")
    # ruleid: python-sql-value-formatted
    return session.execute(text(f"UPDATE users SET name = '{name}'"))


def find_later(cursor, path):
    name = open(path).read()
    query = f"SELECT * FROM users WHERE name = '{name}'"
    # ruleid: python-sql-value-formatted
    cursor.execute(query)
    query = "SELECT * FROM orders"
    if name:
        query += " WHERE owner = '%s'" % name
    # ruleid: python-sql-value-formatted
    cursor.execute(query)


def find_later_safely(cursor, log, name):
    query = "SELECT * FROM users WHERE name = ?"
    # ok: python-sql-value-formatted
    cursor.execute(query, (name,))
    told = f"select by name = '{name}'"
    log.append(told)
    # ok: python-sql-value-formatted
    cursor.execute("SELECT 1")


def find_safely(cursor, session, name, table, marks, ids):
    # ok: python-sql-value-formatted
    cursor.execute("SELECT * FROM users WHERE name = %s", (name,))
    # ok: python-sql-value-formatted
    cursor.execute(f"SELECT * FROM {table} WHERE name = %s", (name,))
    # ok: python-sql-value-formatted
    cursor.execute("SELECT %s FROM users" % ", ".join(COLUMNS))
    # ok: python-sql-value-formatted
    cursor.execute("SELECT * FROM %s WHERE name = %%s" % table, (name,))
    # ok: python-sql-value-formatted
    cursor.execute(f"SELECT * FROM users WHERE id IN ({placeholders})", ids)
    # ok: python-sql-value-formatted
    return session.execute(text("SELECT * FROM users WHERE name = :name"), {"name": name})
