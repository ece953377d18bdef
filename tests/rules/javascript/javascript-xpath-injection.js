const xpath = require('xpath');
app.get('/user', (req, res) => {
  // ruleid: javascript-xpath-injection
  const nodes = xpath.select("//user[name='" + req.query.name + "']", doc);
  // ruleid: javascript-xpath-injection
  const one = xpath.select1(`//user[@id='${req.query.id}']`, doc);
});

app.get('/safe', (req, res) => {
  // ok: javascript-xpath-injection
  const nodes = xpath.select('//user[name=$name]', doc);
  // ok: javascript-xpath-injection
  const one = xpath.select1(`//user[@id='${Number(req.query.id)}']`, doc);
});
