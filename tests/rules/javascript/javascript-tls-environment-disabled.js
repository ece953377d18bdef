// ruleid: javascript-tls-environment-disabled
process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0';
// ruleid: javascript-tls-environment-disabled
process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = 0;

// ok: javascript-tls-environment-disabled
process.env.NODE_TLS_REJECT_UNAUTHORIZED = '1';
// ok: javascript-tls-environment-disabled
delete process.env.NODE_TLS_REJECT_UNAUTHORIZED;
