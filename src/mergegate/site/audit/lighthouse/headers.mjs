// The response headers of the page itself, out of the log that Lighthouse kept.

const HEADERS = 100;
const CHARACTERS = 4000;

/** Pairs of a name in small letters and a value; a cookie keeps its name and loses its value. */
export function mainHeaders(artifacts) {
  const address = withoutFragment(artifacts.URL.mainDocumentUrl ?? '');
  const log = artifacts.DevtoolsLog ?? [];
  const received = log.find(({method, params}) => method === 'Network.responseReceived'
    && params.type === 'Document' && withoutFragment(params.response.url) === address);
  if (!received) return [];
  // The extra event alone holds cookies; one comes for each redirect, the page's own last.
  const raw = log.findLast(({method, params}) => method === 'Network.responseReceivedExtraInfo'
    && params.requestId === received.params.requestId);
  return pairs(raw?.params.headers ?? received.params.response.headers);
}

function pairs(headers) {
  return Object.entries(headers)
    .flatMap(([name, values]) => values.split('\n').map(value => [name.toLowerCase(), value]))
    .slice(0, HEADERS)
    .map(([name, value]) => [name.slice(0, 200), shown(name, value).slice(0, CHARACTERS)]);
}

function shown(name, value) {
  return name === 'set-cookie' ? value.replace(/=[^;]*/, '=') : value;
}

function withoutFragment(url) {
  return url.split('#', 1)[0];
}
