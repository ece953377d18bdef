// ruleid: javascript-jwt-expiry-ignored
jwt.verify(token, key, { algorithms: ['RS256'], ignoreExpiration: true });
// ruleid: javascript-jwt-expiry-ignored
passport.use(new JwtStrategy({ secretOrKey: key, ignoreExpiration: true }, check));

// ok: javascript-jwt-expiry-ignored
jwt.verify(token, key, { algorithms: ['RS256'] });
// ok: javascript-jwt-expiry-ignored
passport.use(new JwtStrategy({ secretOrKey: key, ignoreExpiration: false }, check));
