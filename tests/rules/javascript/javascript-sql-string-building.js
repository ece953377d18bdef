const sqlite = require('sqlite3');

function findUser(db, name, done) {
  // ruleid: javascript-sql-string-building
  db.all(`SELECT * FROM users WHERE name = '${name}'`, done);
}

async function removeSession(id) {
  // ruleid: javascript-sql-string-building
  await pool.query("DELETE FROM sessions WHERE id = '" + id + "'");
}

async function fine(pool, id, table, count) {
  // ok: javascript-sql-string-building
  await pool.query('SELECT * FROM users WHERE id = ?', [id]);
  // ok: javascript-sql-string-building
  await pool.query(`SELECT * FROM ${table} WHERE id = ?`, [id]);
  const status = 'open';
  // ok: javascript-sql-string-building
  await pool.query(`SELECT * FROM tickets WHERE status = '${status}'`);
  // ok: javascript-sql-string-building
  await pool.query(`SELECT * FROM tickets WHERE id = ${Number(id)}`);
}

async function holders(pool, ids) {
  // ok: javascript-sql-string-building
  await pool.query(`SELECT * FROM tickets WHERE id IN (${ids.map(() => '?').join(',')})`, ids);
}

function ofNumber(db, given) {
  const id = Number(given);
  // ok: javascript-sql-string-building
  return db.query(`SELECT * FROM tickets WHERE id = ${id}`);
}
