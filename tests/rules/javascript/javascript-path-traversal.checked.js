const fs = require("fs");
const path = require("path");

const ROOT = path.resolve("/srv/data");

function inside(name) {
  const full = path.resolve(ROOT, name);
  if (!full.startsWith(ROOT + path.sep)) throw new Error("outside");
  return full;
}

function beside(name) {
  const full = path.resolve(ROOT, name);
  if (!fs.existsSync(full)) throw new Error("absent");
  return full;
}

app.get("/inside", (req, res) => {
  // ok: javascript-path-traversal
  fs.readFile(inside(req.query.name), (error, data) => res.json(data));
});

app.get("/beside", (req, res) => {
  // ruleid: javascript-path-traversal
  fs.readFile(beside(req.query.name), (error, data) => res.json(data));
});

app.get("/start", (req, res) => {
  const full = path.resolve(req.query.name);
  if (full.slice(0, ROOT.length) === ROOT) {
    // ok: javascript-path-traversal
    fs.readFile(full, (error, data) => res.json(data));
  }
});

app.get("/end", (req, res) => {
  const full = path.resolve(req.query.name);
  if (full.slice(-3) === "txt") {
    // ruleid: javascript-path-traversal
    fs.readFile(full, (error, data) => res.json(data));
  }
});
