const { exec } = require('child_process');

const isValid = host => typeof host === 'string';

app.get('/valid', (req, res) => {
  const host = req.query.host;
  if (!isValid(host)) return res.sendStatus(400);
  // ruleid: javascript-command-injection
  exec('ping ' + host);
});
