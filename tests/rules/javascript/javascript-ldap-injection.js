app.post('/login', (req, res) => {
  // ruleid: javascript-ldap-injection
  const filter = `(uid=${req.body.user})`;
  client.search(BASE, { filter }, done);
  // ruleid: javascript-ldap-injection
  client.search(BASE, { filter: '(&(objectClass=person)(mail=' + req.body.mail + '))' }, done);
});

app.post('/safe', (req, res) => {
  // ok: javascript-ldap-injection
  const filter = `(uid=${escapeFilter(req.body.user)})`;
  // ok: javascript-ldap-injection
  const equality = new EqualityFilter({ attribute: 'uid', value: req.body.user });
  // ok: javascript-ldap-injection
  const text = `(see ${req.body.user})`;
});
