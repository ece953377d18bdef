function admin(req, res, next) {
  // ruleid: javascript-secret-timing
  if (req.headers['x-api-key'] !== process.env.API_KEY) return res.sendStatus(401);
  next();
}

export async function GET(request) {
  // ruleid: javascript-secret-timing
  if (request.headers.get('authorization') !== `Bearer ${process.env.CRON_SECRET}`) return denied();
}

function safe(req, res) {
  // ok: javascript-secret-timing
  if (!same(req.headers['x-api-key'], process.env.API_KEY)) return res.sendStatus(401);
  // ok: javascript-secret-timing
  if (req.headers['x-region'] !== process.env.REGION) return res.sendStatus(404);
}
