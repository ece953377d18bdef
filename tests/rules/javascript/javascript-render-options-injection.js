app.get('/search', (req, res) => {
  // ruleid: javascript-render-options-injection
  res.render('search', req.query);
});

app.post('/profile', (req, res) => {
  // ruleid: javascript-render-options-injection
  res.render('profile', { title: 'Profile', ...req.body });
});

app.get('/safe', (req, res) => {
  // ok: javascript-render-options-injection
  res.render('search', { q: req.query.q });
  // ok: javascript-render-options-injection
  res.render('search', { query: req.query });
});
