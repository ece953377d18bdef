const fs = require('fs');
const path = require('path');
import { createReadStream } from 'node:fs';

app.get('/file', (req, res) => {
  // ruleid: javascript-path-traversal
  res.sendFile(path.join(__dirname, 'files', req.query.name));
  const target = './uploads/' + req.params.id;
  // ruleid: javascript-path-traversal
  fs.readFile(target, (err, data) => res.end(data));
});

router.get('/raw', async (ctx) => {
  // ruleid: javascript-path-traversal
  ctx.body = createReadStream(`${ROOT}/${ctx.query.file}`);
});

export async function GET(request) {
  const { searchParams } = new URL(request.url);
  // ruleid: javascript-path-traversal
  return new Response(await fs.promises.readFile('docs/' + searchParams.get('page')));
}

app.get('/safe', (req, res) => {
  // ok: javascript-path-traversal
  res.sendFile(req.params.name, { root: FILES });
  // ok: javascript-path-traversal
  fs.readFile(path.join(FILES, path.basename(req.query.name)), done);
  const full = path.resolve(FILES, req.query.name);
  if (!full.startsWith(FILES + path.sep)) return res.sendStatus(403);
  // ok: javascript-path-traversal
  fs.readFile(full, done);
  // ok: javascript-path-traversal
  fs.writeFile('report.json', JSON.stringify(req.body), done);
});
