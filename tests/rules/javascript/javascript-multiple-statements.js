const mysql = require('mysql2');
// ruleid: javascript-multiple-statements
const a = mysql.createConnection({ host: 'db.example.org', multipleStatements: true });
// ruleid: javascript-multiple-statements
const b = mysql.createPool({ uri: process.env.DB, multipleStatements: true });

// ok: javascript-multiple-statements
const c = mysql.createPool({ uri: process.env.DB, multipleStatements: false });
// ok: javascript-multiple-statements
const d = mysql.createPool({ uri: process.env.DB });
