const yaml = require('js-yaml');
// ruleid: javascript-yaml-unsafe-schema
const settings = yaml.load(text, { schema: yaml.DEFAULT_FULL_SCHEMA });
// ruleid: javascript-yaml-unsafe-schema
const schema = yaml.DEFAULT_SCHEMA.extend(require('js-yaml-js-types').all);

// ok: javascript-yaml-unsafe-schema
const plain = yaml.load(text);
// ok: javascript-yaml-unsafe-schema
const json = yaml.load(text, { schema: yaml.JSON_SCHEMA });
