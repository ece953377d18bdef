// What opens a protected site, for requests of one page to one origin alone.

/** Nothing is intercepted without headers: an interception delays each request. */
export async function present(page, origin, {headers, cookies}) {
  if (!headers.length && !cookies.length) return;
  const session = await page.createCDPSession();
  await Promise.all(cookies.map(cookie => keep(session, origin, cookie)));
  if (!headers.length) return;
  session.on('Fetch.requestPaused', event => pass(session, origin, headers, event));
  // A colon and a slash cannot be in a host: no other origin begins like this.
  await session.send('Fetch.enable', {patterns: [{urlPattern: `${literal(origin)}/*`}]});
}

/** Without a domain it goes to this host alone, and over TLS alone where the page came so. */
async function keep(session, origin, [name, value]) {
  const {success} = await session.send('Network.setCookie', {
    name, value, url: `${origin}/`, path: '/', secure: origin.startsWith('https:'),
    httpOnly: true, sameSite: 'Lax',
  });
  if (!success) throw Object.assign(new Error('refused'), {code: 'COOKIE_REFUSED'});
}

function pass(session, origin, extra, {requestId, request}) {
  const own = new URL(request.url).origin === origin;
  const answer = own ? {requestId, headers: merged(request.headers, extra)} : {requestId};
  // The page may be gone before it is told.
  session.send('Fetch.continueRequest', answer).catch(() => {});
}

/** DevTools does not carry these headers over a redirect: the next hop is intercepted anew. */
function merged(given, extra) {
  const replaced = new Set(extra.map(([name]) => name.toLowerCase()));
  const kept = Object.entries(given).filter(([name]) => !replaced.has(name.toLowerCase()));
  return [...kept, ...extra].map(([name, value]) => ({name, value}));
}

function literal(text) {
  return text.replace(/[*?\\]/g, '\\$&');
}
