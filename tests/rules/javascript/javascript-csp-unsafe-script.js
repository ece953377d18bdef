app.use(
  helmet.contentSecurityPolicy({
    // ruleid: javascript-csp-unsafe-script
    directives: { defaultSrc: ["'self'"], scriptSrc: ["'self'", "'unsafe-inline'"] },
  }),
);
// ruleid: javascript-csp-unsafe-script
const directives = { 'script-src': ["'unsafe-eval'"] };

// ok: javascript-csp-unsafe-script
const strict = { scriptSrc: ["'self'", "'nonce-abc'"] };
// ok: javascript-csp-unsafe-script
const styles = { styleSrc: ["'self'", "'unsafe-inline'"] };
