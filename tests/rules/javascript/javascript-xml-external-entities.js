const libxml = require('libxmljs2');
// ruleid: javascript-xml-external-entities
const doc = libxml.parseXml(body, { noent: true, nonet: true });
// ruleid: javascript-xml-external-entities
const other = libxml.parseXmlString(body, { dtdload: true });

// ok: javascript-xml-external-entities
const safe = libxml.parseXml(body);
// ok: javascript-xml-external-entities
const off = libxml.parseXml(body, { noent: false, noblanks: true });
