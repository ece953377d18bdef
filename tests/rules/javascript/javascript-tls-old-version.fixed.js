// ruleid: javascript-tls-old-version
const server = https.createServer({ key, cert, minVersion: 'TLSv1.2' }, app);
// ruleid: javascript-tls-old-version
const socket = tls.connect({ port: 443, minVersion: 'TLSv1.2' });

// ok: javascript-tls-old-version
const good = tls.connect({ port: 443, minVersion: 'TLSv1.2' });
// ok: javascript-tls-old-version
const best = tls.connect({ port: 443, minVersion: 'TLSv1.3' });
