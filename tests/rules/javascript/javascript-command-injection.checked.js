const { exec } = require('child_process');
const { isAllowed } = require('./hosts');

function isValid(host) {
  const name = /^[a-z]+$/;
  if (typeof host !== 'string') return false;
  return name.test(host);
}

app.get('/valid', (req, res) => {
  const host = req.query.host;
  if (!isValid(host)) return res.sendStatus(400);
  // ok: javascript-command-injection
  exec('ping ' + host);
});

app.get('/allowed', (req, res) => {
  const { host } = req.query;
  // ok: javascript-command-injection
  if (isAllowed(host)) exec('ping ' + host);
});

app.get('/unused', (req, res) => {
  const host = req.query.host;
  isAllowed(host);
  // ruleid: javascript-command-injection
  exec('ping ' + host);
});

app.get('/matched', (req, res) => {
  const name = req.query.name;
  if (!name.match(/a/)) return res.sendStatus(400);
  // ruleid: javascript-command-injection
  exec('ls ' + name);
  const whole = req.query.whole;
  if (!whole.match(/^[a-z]+$/)) return res.sendStatus(400);
  // ok: javascript-command-injection
  exec('ls ' + whole);
});
