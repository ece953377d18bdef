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
