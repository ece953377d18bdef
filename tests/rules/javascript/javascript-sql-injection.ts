const express = require('express');
const router = express.Router();

router.get('/users', async (req, res) => {
  // ruleid: javascript-sql-injection
  const rows = await pool.query(`SELECT id, name FROM users WHERE name = '${req.query.name}'`);
  res.json(rows);
});

router.post('/orders', (req, res) => {
  const { customer } = req.body;
  // ruleid: javascript-sql-injection
  const sql = 'SELECT * FROM orders WHERE customer = ' + customer + ' ORDER BY id';
  connection.query(sql, (err, rows) => res.json(rows));
});

router.get('/list', async (req, res) => {
  // ruleid: javascript-sql-injection
  res.json(await knex('items').orderByRaw(req.query.sort));
});

class Reports {
  async find(@Query('region') region, limit) {
    // ruleid: javascript-sql-injection
    return this.db.query("DELETE FROM reports WHERE region = '" + region + "'");
  }
  async count(@Param('id') id: number) {
    // ok: javascript-sql-injection
    return this.db.query(`SELECT count(*) FROM reports WHERE id = ${id}`);
  }
}

export async function POST(request) {
  const { email } = await request.json();
  // ruleid: javascript-sql-injection
  return Response.json(await db.execute(`UPDATE users SET seen = now() WHERE email = '${email}'`));
}

export const handler = async (event) => {
  // ruleid: javascript-sql-injection
  return client.query(`SELECT * FROM t WHERE id = ${event.pathParameters.id}`);
};

router.get('/safe', async (req, res) => {
  // ok: javascript-sql-injection
  await pool.query('SELECT id FROM users WHERE name = $1', [req.query.name]);
  // ok: javascript-sql-injection
  await prisma.$queryRaw`SELECT id FROM users WHERE name = ${req.query.name}`;
  // ok: javascript-sql-injection
  await pool.query('SELECT id FROM users WHERE name = ' + mysql.escape(req.query.name));
  // ok: javascript-sql-injection
  await pool.query(`SELECT id FROM users LIMIT ${parseInt(req.query.limit, 10)}`);
  const columns = { name: 'name', age: 'age' };
  // ok: javascript-sql-injection
  await pool.query(`SELECT id FROM users ORDER BY ${columns[req.query.sort]}`);
  const sort = req.query.sort;
  if (!['name', 'age'].includes(sort)) return res.sendStatus(400);
  // ok: javascript-sql-injection
  await pool.query(`SELECT id FROM users ORDER BY ${sort}`);
  const user = await User.findByPk(req.params.id);
  // ok: javascript-sql-injection
  await pool.query(`SELECT id FROM logs WHERE user = ${user.id}`);
  // ok: javascript-sql-injection
  res.json({ message: `Select a colour from ${req.query.palette}` });
});

app.get('/of-a-kind', async (req, res) => {
  const ids = req.query.ids.split(',').map(Number);
  // ok: javascript-sql-injection
  await pool.query(`SELECT * FROM t WHERE id IN (${ids.join(',')})`);
  const id = z.string().uuid().parse(req.params.id);
  // ok: javascript-sql-injection
  await pool.query(`SELECT * FROM t WHERE id = '${id}'`);
  const name = z.string().min(1).parse(req.params.name);
  // ruleid: javascript-sql-injection
  await pool.query(`SELECT * FROM t WHERE name = '${name}'`);
});
