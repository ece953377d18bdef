app.get('/page/:name', (req, res) => {
  // ruleid: javascript-view-name-injection
  res.render(req.params.name);
  // ruleid: javascript-view-name-injection
  res.render('pages/' + req.params.name, { title: 'Page' });
});

app.get('/safe', (req, res) => {
  const views = { home: 'home', about: 'about' };
  // ok: javascript-view-name-injection
  res.render(views[req.params.name]);
  // ok: javascript-view-name-injection
  res.render('page', { name: req.params.name });
});
