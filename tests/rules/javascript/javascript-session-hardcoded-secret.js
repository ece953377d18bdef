const session = require('express-session');
// ruleid: javascript-session-hardcoded-secret
app.use(session({ secret: 'example only', resave: false }));
// ruleid: javascript-session-hardcoded-secret
app.use(cookieSession({ name: 's', keys: ['example one', 'example two'] }));

// ok: javascript-session-hardcoded-secret
app.use(session({ secret: process.env.SESSION_SECRET, resave: false }));
// ok: javascript-session-hardcoded-secret
app.use(cookieParser());
