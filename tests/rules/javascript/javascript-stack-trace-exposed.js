app.use((err, req, res, next) => {
  // ruleid: javascript-stack-trace-exposed
  res.status(500).send(err.stack);
});

app.use((err, req, res, next) => {
  // ruleid: javascript-stack-trace-exposed
  res.json({ message: err.message, stack: err.stack });
});

app.use((err, req, res, next) => {
  // ok: javascript-stack-trace-exposed
  console.error(err.stack);
  // ok: javascript-stack-trace-exposed
  res.status(500).send('Internal error');
  if (process.env.NODE_ENV !== 'production') {
    // ok: javascript-stack-trace-exposed
    res.send(err.stack);
  }
});
