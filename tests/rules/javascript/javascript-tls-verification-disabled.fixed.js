const https = require('https');
// ruleid: javascript-tls-verification-disabled
const agent = new https.Agent({ keepAlive: true, rejectUnauthorized: true });
const pool = new Pool({
  host: 'db.example.org',
  ssl: {
    // ruleid: javascript-tls-verification-disabled
    rejectUnauthorized: true,
  },
});

// ok: javascript-tls-verification-disabled
const good = new https.Agent({ rejectUnauthorized: true });
// ok: javascript-tls-verification-disabled
const configured = new https.Agent({ rejectUnauthorized: options.strict });
// ok: javascript-tls-verification-disabled
const server = https.createServer({ requestCert: true, rejectUnauthorized: false }, app);
