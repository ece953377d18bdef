app.post('/login', (req, res) => {
  // ruleid: javascript-cookie-flags-missing
  res.cookie('session', id);
  // ruleid: javascript-cookie-flags-missing
  res.cookie('authToken', token);
  // ok: javascript-cookie-flags-missing
  res.cookie('session', id, { httpOnly: true, secure: true });
  // ok: javascript-cookie-flags-missing
  res.cookie('theme', 'dark');
});
