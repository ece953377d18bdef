// ruleid: javascript-cookie-not-secure
app.use(session({ secret: process.env.SECRET, cookie: { secure: false, maxAge: 60000 } }));
// ruleid: javascript-cookie-not-secure
res.cookie('sid', id, { httpOnly: true, secure: false });

// ok: javascript-cookie-not-secure
app.use(session({ secret: process.env.SECRET, cookie: { secure: 'auto' } }));
// ok: javascript-cookie-not-secure
res.cookie('sid', id, { httpOnly: true, secure: production });
