const fileUpload = require('express-fileupload');
// ruleid: javascript-upload-parse-nested
app.use(fileUpload({ parseNested: true }));
// ruleid: javascript-upload-parse-nested
app.use(fileUpload({ createParentPath: true, parseNested: true }));

// ok: javascript-upload-parse-nested
app.use(fileUpload({ parseNested: false }));
// ok: javascript-upload-parse-nested
app.use(fileUpload());
