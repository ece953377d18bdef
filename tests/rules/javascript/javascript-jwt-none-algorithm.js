const jwt = require('jsonwebtoken');
// ruleid: javascript-jwt-none-algorithm
jwt.verify(token, key, { algorithms: ['RS256', 'none'] });
// ruleid: javascript-jwt-none-algorithm
const open = jwt.sign({ user: 1 }, '', { algorithm: 'none' });

// ok: javascript-jwt-none-algorithm
jwt.verify(token, key, { algorithms: ['RS256'] });
// ok: javascript-jwt-none-algorithm
const signed = jwt.sign({ user: 1 }, key, { algorithm: 'HS256' });
