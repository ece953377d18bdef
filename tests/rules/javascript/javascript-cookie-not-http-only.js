// ruleid: javascript-cookie-not-http-only
app.use(session({ secret: process.env.SECRET, cookie: { httpOnly: false } }));

app.post('/login', (req, res) => {
  // ruleid: javascript-cookie-not-http-only
  res.cookie('session', id, { httpOnly: false, secure: true });
  // ok: javascript-cookie-not-http-only
  res.cookie('session', id, { httpOnly: true, secure: true });
  // ok: javascript-cookie-not-http-only
  res.cookie('XSRF-TOKEN', token, { httpOnly: false, secure: true });
  // ok: javascript-cookie-not-http-only
  res.cookie('theme', 'dark', { httpOnly: false });
});
