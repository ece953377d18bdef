// ruleid: javascript-trust-all-proxies
app.set('trust proxy', true);
// ruleid: javascript-trust-all-proxies
app.enable('trust proxy');

// ok: javascript-trust-all-proxies
app.set('trust proxy', 1);
// ok: javascript-trust-all-proxies
app.set('trust proxy', 'loopback');
