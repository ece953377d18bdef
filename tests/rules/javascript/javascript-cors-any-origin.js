// ruleid: javascript-cors-any-origin
app.use(cors({ origin: '*' }));

app.use((req, res, next) => {
  // ruleid: javascript-cors-any-origin
  res.setHeader('Access-Control-Allow-Origin', '*');
  // ok: javascript-cors-any-origin
  res.setHeader('Access-Control-Allow-Origin', 'https://app.example.org');
  next();
});
// ok: javascript-cors-any-origin
app.use(cors({ origin: ['https://app.example.org'] }));
