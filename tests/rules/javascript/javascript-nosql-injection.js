const User = require('./models/user');

app.post('/login', async (req, res) => {
  // ruleid: javascript-nosql-injection
  const user = await User.findOne({ name: req.body.name, password: req.body.password });
  res.json(user);
});

app.get('/items', async (req, res) => {
  // ruleid: javascript-nosql-injection
  res.json(await db.collection('items').find(req.query).toArray());
});

app.post('/remove', async (req, res) => {
  const { token } = req.body;
  // ruleid: javascript-nosql-injection
  await Token.deleteMany({ token });
});

app.post('/safe', async (req, res) => {
  // ok: javascript-nosql-injection
  await User.findOne({ name: String(req.body.name) });
  // ok: javascript-nosql-injection
  await User.findOne({ name: { $eq: req.body.name } });
  // ok: javascript-nosql-injection
  await User.findOne({ where: { name: req.body.name } });
  // ok: javascript-nosql-injection
  await User.findOne({ _id: new ObjectId(req.body.id) });
  const { name } = req.body;
  if (typeof name !== 'string') return res.sendStatus(400);
  // ok: javascript-nosql-injection
  await User.findOne({ name });
  // ok: javascript-nosql-injection
  const item = items.find((entry) => entry.id === req.body.id);
});
