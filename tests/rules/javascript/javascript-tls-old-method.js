// ruleid: javascript-tls-old-method
const a = https.createServer({ key, cert, secureProtocol: 'TLSv1_method' }, app);
// ruleid: javascript-tls-old-method
const b = tls.connect({ port: 443, secureProtocol: 'SSLv3_client_method' });

// ok: javascript-tls-old-method
const c = tls.connect({ port: 443, secureProtocol: 'TLSv1_2_method' });
// ok: javascript-tls-old-method
const d = tls.connect({ port: 443 });
