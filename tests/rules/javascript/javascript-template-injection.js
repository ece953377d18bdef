const ejs = require('ejs');
const pug = require('pug');

app.post('/preview', (req, res) => {
  // ruleid: javascript-template-injection
  res.send(ejs.render(req.body.template, { user: req.user }));
  const source = 'h1 Hello ' + req.body.name;
  // ruleid: javascript-template-injection
  res.send(pug.compile(source)());
});

app.post('/safe', (req, res) => {
  // ok: javascript-template-injection
  res.send(ejs.render('<p><%= name %></p>', { name: req.body.name }));
  // ok: javascript-template-injection
  res.render('profile', { name: req.body.name });
  // ok: javascript-template-injection
  res.send(pug.compile('h1= name')({ name: req.body.name }));
});
