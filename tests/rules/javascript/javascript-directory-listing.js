const serveIndex = require('serve-index');
// ruleid: javascript-directory-listing
app.use('/ftp', serveIndex('ftp', { icons: true }));
// ruleid: javascript-directory-listing
app.use(serveIndex(ROOT));

// ok: javascript-directory-listing
app.use('/ftp', express.static('ftp'));
// ok: javascript-directory-listing
const middleware = serveIndex(ROOT);
