app.post('/users', async (req, res) => {
  // ruleid: javascript-mass-assignment
  const user = await User.create(req.body);
  // ruleid: javascript-mass-assignment
  await User.findByIdAndUpdate(req.params.id, req.body);
  // ruleid: javascript-mass-assignment
  const other = new User({ active: true, ...req.body });
});

app.post('/safe', async (req, res) => {
  // ok: javascript-mass-assignment
  const user = await User.create({ name: req.body.name });
  // ok: javascript-mass-assignment
  const dto = new CreateUserDto(req.body);
  // ok: javascript-mass-assignment
  await User.create(pick(req.body, ['name', 'mail']));
});
