// The tables, lists and trees of audits as flat rows, and bounds for single values.

const URL_CHARACTERS = 2000;
const TEXT_CHARACTERS = 500;
const DEPTH = 30;
const ROWS_AT_MOST = 20_000;
// They have a place of their own in a row.
const NOT_WORDS = new Set([
  'url', 'node', 'entity', 'wastedBytes', 'wastedMs', 'totalBytes', 'source', 'sourceLocation',
  'transferSize', 'resourceSize',
]);

export const words = (value, limit = TEXT_CHARACTERS) =>
  (value === undefined || value === null ? '' : String(value)).slice(0, limit);
export const address = value => words(value, URL_CHARACTERS);
export const optional = value => (Number.isFinite(value) ? value : null);
/** To a millionth: what stands further behind is what adding floats left, as in 140.0000000000001. */
export const figure = value => (Number.isFinite(value) ? Math.round(value * 1e6) / 1e6 : null);
export const number = (value, otherwise = 0) => (Number.isFinite(value) ? value : otherwise);
export const count = value => Math.max(0, Math.round(number(value)));

/** An audit's own items, as Lighthouse shapes them; none when it has none. */
export function itemsOf(lhr, id) {
  const items = lhr.audits[id]?.details?.items;
  return Array.isArray(items) ? items : [];
}

/** Each row of an audit's details, in Lighthouse's order. */
export function* rowsOf(details, depth = 0) {
  if (depth > DEPTH) return;
  if (details.type === 'table' || details.type === 'opportunity') yield* table(details);
  else if (details.type === 'list') yield* list(details, depth);
  else if (details.type === 'list-section') yield* section(details, depth);
  else if (details.type === 'checklist') yield* checklist(details);
  else if (details.type === 'network-tree') yield* chains(details.chains, depth);
  else if (details.type === 'node') yield row({element: element(details)});
}

function* list({items}, depth) {
  for (const item of items) yield* rowsOf(item, depth + 1);
}

function* section(details, depth) {
  if (details.value && typeof details.value === 'object') yield* rowsOf(details.value, depth + 1);
}

function* table({items, headings}) {
  for (const item of items.slice(0, ROWS_AT_MOST)) yield tableRow(item, headings ?? []);
}

/** What is not yet as it should be. */
function* checklist({items}) {
  for (const item of Object.values(items)) {
    if (!item.value) yield row({text: words(item.label)});
  }
}

function* chains(children, depth) {
  if (depth > DEPTH) return;
  for (const link of Object.values(children ?? {})) {
    yield row({url: address(link.url), totalBytes: whole(link.transferSize)});
    yield* chains(link.children, depth + 1);
  }
}

function tableRow(item, headings) {
  const place = placeOf(item);
  return row({
    url: address(place?.url ?? urlOf(item)),
    // Lighthouse counts from 0, people from 1.
    line: place ? whole(place.line + 1) : null,
    column: place ? whole(place.column + 1) : null,
    element: item.node?.type === 'node' ? element(item.node) : null,
    text: textOf(item, headings),
    wastedMs: optional(item.wastedMs),
    wastedBytes: whole(item.wastedBytes),
    totalBytes: whole(item.totalBytes ?? item.transferSize),
    vendor: words(item.entity?.text ?? item.entity, 200),
  });
}

function row(known) {
  return {
    url: '', line: null, column: null, element: null, text: '',
    wastedMs: null, wastedBytes: null, totalBytes: null, vendor: '', ...known,
  };
}

function placeOf(item) {
  return [item.source, item.sourceLocation, item.location, ...nested(item)]
    .find(value => value?.type === 'source-location');
}

function urlOf(item) {
  const named = Object.entries(item).find(([name, value]) => isAddress(name, value));
  return typeof named?.[1] === 'object' ? named[1].value ?? named[1].url : named?.[1];
}

function isAddress(name, value) {
  if (typeof value === 'string') return name === 'url' || name === 'href' || name.endsWith('Url');
  return value?.type === 'url' || (name === 'url' && value?.type === 'link');
}

function textOf(item, headings) {
  const told = headings
    .filter(({key, valueType}) => key && !NOT_WORDS.has(key) && valueType !== 'url')
    .map(({key, valueType}) => plain(item[key], valueType));
  const why = [item.node?.explanation, ...nested(item).map(value => plain(value, 'text'))];
  return words([...told, ...why].filter(Boolean).join(' · '));
}

/** The values of the rows beneath a row: causes, relations, sources. */
function nested(item) {
  return (item.subItems?.items ?? []).slice(0, 5).flatMap(sub => Object.values(sub));
}

function plain(value, valueType) {
  if (typeof value === 'string') return value;
  if (typeof value === 'number') return shownNumber(value, valueType);
  const holdsValue = value?.type === 'code' || value?.type === 'numeric';
  return holdsValue ? words(value.value) : value?.text ?? '';
}

function shownNumber(value, valueType) {
  if (valueType === 'ms' || valueType === 'timespanMs') return `${Math.round(value)} ms`;
  if (valueType === 'bytes') return `${Math.round(value)} B`;
  return valueType === 'numeric' ? String(Math.round(value * 1000) / 1000) : '';
}

function element(node) {
  return {
    selector: words(node.selector), snippet: words(node.snippet), label: words(node.nodeLabel, 200),
  };
}

function whole(value) {
  return Number.isFinite(value) && value >= 0 ? Math.round(value) : null;
}
