app.post('/login', (req, res) => {
  // ruleid: javascript-log-injection
  console.log('login failed for ' + req.body.user);
  const { user } = req.body;
  // ruleid: javascript-log-injection
  console.warn(`unknown user ${user}`);
});

app.post('/safe', (req, res) => {
  // ok: javascript-log-injection
  logger.warn({ user: req.body.user }, 'unknown user');
  // ok: javascript-log-injection
  console.log('login failed for ' + JSON.stringify(req.body.user));
  // ok: javascript-log-injection
  console.log(`user ${Number(req.params.id)}`);
  // ok: javascript-log-injection
  console.log('started');
});
