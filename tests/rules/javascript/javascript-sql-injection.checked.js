const { z } = require("zod");
const _ = require("lodash");

const COLUMNS = ["name", "age"];
const ALLOWED = new Set(COLUMNS);
const TABLES = new Map([["people", "users"]]);
const Chosen = z.object({ sort: z.enum(["name", "age"]) });
const Free = z.object({ sort: z.string() });
const toNumber = (text) => Number.parseInt(text, 10);
const toText = (text) => text.trim();
function chosen(text) {
  return COLUMNS.includes(text) ? text : "name";
}
function kept(text) {
  return COLUMNS.includes("name") ? text : "name";
}

app.get("/choice", (req, res) => {
  const sort = COLUMNS.includes(req.query.sort) ? req.query.sort : "name";
  // ok: javascript-sql-injection
  db.query(`SELECT * FROM users ORDER BY ${sort}`);
  const other = COLUMNS.includes(req.query.sort) ? "name" : req.query.sort;
  // ruleid: javascript-sql-injection
  db.query(`SELECT * FROM users ORDER BY ${other}`);
});

app.get("/field", (req, res) => {
  if (!/^\d+$/.test(req.params.id)) return res.sendStatus(400);
  // ok: javascript-sql-injection
  db.query(`SELECT * FROM users WHERE id = ${req.params.id}`);
});

app.get("/other-field", (req, res) => {
  if (!/^\d+$/.test(req.params.id)) return res.sendStatus(400);
  // ruleid: javascript-sql-injection
  db.query(`SELECT * FROM users WHERE id = ${req.params.name}`);
});

app.get("/unheeded", (req, res) => {
  if (!/^\d+$/.test(req.params.id)) console.log("odd");
  // ruleid: javascript-sql-injection
  db.query(`SELECT * FROM users WHERE id = ${req.params.id}`);
});

app.get("/several", (req, res) => {
  const sort = req.query.sort;
  if (!sort || !ALLOWED.has(sort)) return res.sendStatus(400);
  // ok: javascript-sql-injection
  db.query(`SELECT * FROM users ORDER BY ${sort}`);
});

app.get("/several-without", (req, res) => {
  const sort = req.query.sort;
  if (!sort || !sort.length) return res.sendStatus(400);
  // ruleid: javascript-sql-injection
  db.query(`SELECT * FROM users ORDER BY ${sort}`);
});

app.get("/one-of", (req, res) => {
  if (req.query.sort !== "name" && req.query.sort !== "age") return res.sendStatus(400);
  // ok: javascript-sql-injection
  db.query(`SELECT * FROM users ORDER BY ${req.query.sort}`);
});

app.get("/none-of", (req, res) => {
  if (req.query.sort === "name") return res.sendStatus(400);
  // ruleid: javascript-sql-injection
  db.query(`SELECT * FROM users ORDER BY ${req.query.sort}`);
});

app.get("/placeholders", (req, res) => {
  const marks = req.body.ids.map(() => "?").join(",");
  // ok: javascript-sql-injection
  db.query(`SELECT * FROM users WHERE id IN (${marks})`, req.body.ids);
  const numbered = req.body.ids.map((_, index) => `$${index + 1}`).join(",");
  // ok: javascript-sql-injection
  db.query(`SELECT * FROM users WHERE id IN (${numbered})`, req.body.ids);
  const quoted = req.body.ids.map((id) => `'${id}'`).join(",");
  // ruleid: javascript-sql-injection
  db.query(`SELECT * FROM users WHERE id IN (${quoted})`);
});

app.get("/numbers", (req, res) => {
  const ids = req.query.ids.split(",").map((id) => parseInt(id, 10));
  // ok: javascript-sql-injection
  db.query(`SELECT * FROM users WHERE id IN (${ids.join(",")})`);
  const texts = req.query.ids.split(",").map((id) => id.trim());
  // ruleid: javascript-sql-injection
  db.query(`SELECT * FROM users WHERE id IN (${texts.join(",")})`);
  const limit = _.clamp(_.toInteger(req.query.limit), 1, 100);
  // ok: javascript-sql-injection
  db.query(`SELECT * FROM users LIMIT ${limit}`);
  const id = toNumber(req.params.id);
  // ok: javascript-sql-injection
  db.query(`SELECT * FROM users WHERE id = ${id}`);
  const name = toText(req.params.id);
  // ruleid: javascript-sql-injection
  db.query(`SELECT * FROM users WHERE id = ${name}`);
});

app.get("/schema", (req, res) => {
  const { sort } = Chosen.parse(req.query);
  // ok: javascript-sql-injection
  db.query(`SELECT * FROM users ORDER BY ${sort}`);
});

app.get("/schema-of-any-text", (req, res) => {
  const { sort } = Free.parse(req.query);
  // ruleid: javascript-sql-injection
  db.query(`SELECT * FROM users ORDER BY ${sort}`);
});

app.get("/function", (req, res) => {
  // ok: javascript-sql-injection
  db.query(`SELECT * FROM users ORDER BY ${chosen(req.query.sort)}`);
  // ruleid: javascript-sql-injection
  db.query(`SELECT * FROM users ORDER BY ${kept(req.query.sort)}`);
});

app.get("/map", (req, res) => {
  const table = TABLES.get(req.query.table);
  // ok: javascript-sql-injection
  db.query(`SELECT * FROM ${table}`);
});

app.get("/map-of-the-caller", (req, res) => {
  const given = new Map([["name", req.query.name]]);
  // ruleid: javascript-sql-injection
  db.query(`SELECT * FROM ${given.get(req.query.table)}`);
});

app.get("/left", (req, res) => {
  const table = req.query.table.replace(/[^a-z]/g, "");
  // ok: javascript-sql-injection
  db.query(`SELECT * FROM ${table}`);
  const first = req.query.table.replace(/[^a-z]/, "");
  // ruleid: javascript-sql-injection
  db.query(`SELECT * FROM ${first}`);
});
