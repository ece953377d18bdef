const serialize = require('node-serialize');
const cryo = require('cryo');

app.post('/restore', (req, res) => {
  // ruleid: javascript-unsafe-deserialization
  const state = serialize.unserialize(req.body.state);
  const cookie = Buffer.from(req.cookies.profile, 'base64').toString();
  // ruleid: javascript-unsafe-deserialization
  const profile = serialize.unserialize(cookie);
  // ruleid: javascript-unsafe-deserialization
  res.json(cryo.parse(req.body.text));
});

app.post('/safe', (req, res) => {
  // ok: javascript-unsafe-deserialization
  const state = JSON.parse(req.body.state);
  // ok: javascript-unsafe-deserialization
  const own = serialize.unserialize(fs.readFileSync('state.txt', 'utf8'));
});
