const Handlebars = require('handlebars');
// ruleid: javascript-template-escaping-disabled
const page = Handlebars.compile(source, { noEscape: true });
// ruleid: javascript-template-escaping-disabled
nunjucks.configure('views', { autoescape: false, express: app });

// ok: javascript-template-escaping-disabled
const safe = Handlebars.compile(source);
// ok: javascript-template-escaping-disabled
nunjucks.configure('views', { autoescape: true, express: app });
