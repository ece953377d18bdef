const jwt = require('jsonwebtoken');
// ruleid: javascript-jwt-hardcoded-secret
const token = jwt.sign({ id: 1 }, 'not-a-real-secret', { expiresIn: '1h' });
const KEY = 'another-example-value';
// ruleid: javascript-jwt-hardcoded-secret
jwt.verify(token, KEY);

// ok: javascript-jwt-hardcoded-secret
jwt.sign({ id: 1 }, process.env.JWT_SECRET);
// ok: javascript-jwt-hardcoded-secret
jwt.verify(token, publicKey, { algorithms: ['RS256'] });
