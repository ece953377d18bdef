const express = require('express');
// ruleid: javascript-static-root-exposed
app.use(express.static(__dirname));
// ruleid: javascript-static-root-exposed
app.use('/files', express.static('.'));

// ok: javascript-static-root-exposed
app.use(express.static('public'));
// ok: javascript-static-root-exposed
app.use(express.static(path.join(__dirname, 'public')));
