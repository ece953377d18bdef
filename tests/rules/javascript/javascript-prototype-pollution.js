app.post('/settings', (req, res) => {
  const { section, name, value } = req.body;
  // ruleid: javascript-prototype-pollution
  settings[section][name] = value;
  // ruleid: javascript-prototype-pollution
  settings[req.query.user].theme = value;
});

app.post('/safe', (req, res) => {
  // ok: javascript-prototype-pollution
  settings.theme[req.body.name] = req.body.value;
  // ok: javascript-prototype-pollution
  settings['theme']['dark'] = req.body.value;
  // ok: javascript-prototype-pollution
  store.set(req.body.section, req.body.value);
  const section = req.body.section;
  if (!SECTIONS.includes(section)) return res.sendStatus(400);
  // ok: javascript-prototype-pollution
  settings[section][1] = req.body.value;
});
