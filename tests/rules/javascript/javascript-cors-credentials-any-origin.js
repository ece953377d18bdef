// ruleid: javascript-cors-credentials-any-origin
app.use(cors({ origin: true, credentials: true }));

app.use((req, res, next) => {
  // ruleid: javascript-cors-credentials-any-origin
  res.header('Access-Control-Allow-Origin', req.headers.origin);
  res.header('Access-Control-Allow-Credentials', 'true');
  next();
});

// ok: javascript-cors-credentials-any-origin
app.use(cors({ origin: 'https://app.example.org', credentials: true }));
// ok: javascript-cors-credentials-any-origin
app.use(cors({ origin: true }));
app.use((req, res, next) => {
  // ok: javascript-cors-credentials-any-origin
  res.header('Access-Control-Allow-Origin', 'https://app.example.org');
  res.header('Access-Control-Allow-Credentials', 'true');
});
