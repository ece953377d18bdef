// ruleid: javascript-tls-host-check-disabled
const agent = new https.Agent({ checkServerIdentity: () => undefined });
// ruleid: javascript-tls-host-check-disabled
tls.connect({ host: 'example.org', port: 443, checkServerIdentity: () => {} });

// ok: javascript-tls-host-check-disabled
const pinned = new https.Agent({ checkServerIdentity: (host, cert) => comparePin(cert) });
// ok: javascript-tls-host-check-disabled
const plain = new https.Agent({ keepAlive: true });
