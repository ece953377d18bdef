// ruleid: javascript-helmet-protection-disabled
app.use(helmet({ contentSecurityPolicy: false }));
// ruleid: javascript-helmet-protection-disabled
app.use(helmet({ hsts: false, noSniff: true }));

// ok: javascript-helmet-protection-disabled
app.use(helmet());
// ok: javascript-helmet-protection-disabled
app.use(helmet({ contentSecurityPolicy: { directives: { defaultSrc: ["'self'"] } } }));
// ok: javascript-helmet-protection-disabled
app.use(helmet({ crossOriginEmbedderPolicy: false }));
