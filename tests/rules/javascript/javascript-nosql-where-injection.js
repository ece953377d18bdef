app.get('/cars', (req, res) => {
  // ruleid: javascript-nosql-where-injection
  db.collection('cars').find({ $where: `this.owner == '${req.query.owner}'` });
  const limit = req.params.limit;
  // ruleid: javascript-nosql-where-injection
  Car.find().$where('this.price < ' + limit);
});

app.get('/safe', (req, res) => {
  // ok: javascript-nosql-where-injection
  db.collection('cars').find({ $where: 'this.price < this.limit' });
  // ok: javascript-nosql-where-injection
  db.collection('cars').find({ $where: `this.price < ${Number(req.query.limit)}` });
  // ok: javascript-nosql-where-injection
  db.collection('cars').find({ owner: String(req.query.owner) });
});
