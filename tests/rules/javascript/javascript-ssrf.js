const axios = require('axios');

app.get('/proxy', async (req, res) => {
  // ruleid: javascript-ssrf
  const reply = await axios.get(req.query.url);
  // ruleid: javascript-ssrf
  const other = await fetch(`https://${req.query.host}/status`);
  // ruleid: javascript-ssrf
  await axios({ method: 'get', url: req.query.url });
});

export async function POST(request) {
  const { imageUrl } = await request.json();
  // ruleid: javascript-ssrf
  return fetch(imageUrl);
}

export async function handler(event) {
  const { target } = event.queryStringParameters;
  // ruleid: javascript-ssrf
  await axios.get(`${target}/health`);
  // ruleid: javascript-ssrf
  return https.get(target);
}

app.get('/safe', async (req, res) => {
  // ok: javascript-ssrf
  await axios.get('https://api.example.org/users/' + req.query.id);
  // ok: javascript-ssrf
  await fetch(`https://api.example.org/users/${req.query.id}`);
  // ok: javascript-ssrf
  await fetch(`${API_URL}/users/${req.query.id}`);
  // ok: javascript-ssrf
  await fetch(`${process.env.API}/users/${req.query.id}`);
  // ok: javascript-ssrf
  await axios.post('https://api.example.org/hook', req.body);
  // ok: javascript-ssrf
  await axios({ url: 'https://api.example.org/', params: req.query });
  const detail = `${apiBase}/users/${req.query.id}`;
  // ok: javascript-ssrf
  await fetch(detail);
  const url = req.query.url;
  if (!ALLOWED.has(url)) return res.sendStatus(400);
  // ok: javascript-ssrf
  await fetch(url);
});
