const http = require('http');
const fs = require('fs');

http.createServer((req, res) => {
  // ruleid: javascript-raw-url-path-traversal
  fs.readFile('.' + req.url, (err, data) => res.end(data));
  const file = path.join(__dirname, 'public', req.url);
  // ruleid: javascript-raw-url-path-traversal
  fs.createReadStream(file).pipe(res);
});

http.createServer((req, res) => {
  const file = path.resolve(ROOT, '.' + req.url);
  if (!file.startsWith(ROOT)) return res.end();
  // ok: javascript-raw-url-path-traversal
  fs.createReadStream(file).pipe(res);
  // ok: javascript-raw-url-path-traversal
  fs.readFile(path.join(ROOT, path.basename(req.url)), done);
  // ok: javascript-raw-url-path-traversal
  fs.readFile('index.html', done);
});
