const jwt = require('jsonwebtoken');

function auth(req, res, next) {
  // ruleid: javascript-jwt-not-verified
  req.user = jwt.decode(req.headers.authorization.split(' ')[1]);
  next();
}

app.get('/me', (req, res) => {
  const token = req.cookies.token;
  // ruleid: javascript-jwt-not-verified
  res.json(jwt.decode(token));
});

function safe(req, res, next) {
  // ok: javascript-jwt-not-verified
  const header = jwt.decode(req.headers.authorization, { complete: true }).header;
  // ok: javascript-jwt-not-verified
  req.user = jwt.verify(req.headers.authorization, keys[header.kid]);
  next();
}

function show(stored) {
  // ok: javascript-jwt-not-verified
  return jwt.decode(stored).name;
}
