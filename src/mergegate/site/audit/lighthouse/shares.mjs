// What single requests add to the largest paint, to blocking, to shifts and to the first paint.

import {address, itemsOf, number, words} from './rows.mjs';

const SHARES = 200;
const BLOCKS_FROM_MS = 50;

/** Addresses and amounts; milliseconds as observed for the paints, as judged for blocking. */
export function shares(lhr, artifacts) {
  const lcp = [...largestPaint(lhr, artifacts)];
  return [...lcp, ...blocking(lhr), ...shifts(lhr, artifacts), ...firstPaint(lhr)]
    .map(one => ({element: '', ...one}))
    .filter(one => one.amount > 0 && (URL.canParse(one.url) || one.element))
    .slice(0, SHARES)
    .map(one => ({...one, url: address(one.url), element: words(one.element)}));
}

/** The page's own answer, what blocked rendering, and the image that was painted. */
function* largestPaint(lhr, artifacts) {
  const [parts] = itemsOf(lhr, 'lcp-breakdown-insight');
  const took = Object.fromEntries((parts?.items ?? []).map(one => [one.subpart, one.duration]));
  yield {key: 'lcp', url: lhr.mainDocumentUrl, amount: number(took.timeToFirstByte)};
  yield* waits('lcp', lhr);
  if (took.resourceLoadDuration === undefined) return;
  const amount = number(took.resourceLoadDelay) + number(took.resourceLoadDuration);
  yield {key: 'lcp', url: paintedImage(artifacts), amount};
}

function* firstPaint(lhr) {
  yield {key: 'fcp', url: lhr.mainDocumentUrl, amount: number(serverResponse(lhr))};
  yield* waits('fcp', lhr);
}

function serverResponse(lhr) {
  return lhr.audits['document-latency-insight']?.details?.debugData?.serverResponseTime;
}

function* waits(key, lhr) {
  for (const {url, wastedMs} of itemsOf(lhr, 'render-blocking-insight')) {
    yield {key, url, amount: number(wastedMs)};
  }
}

/** Tasks block between the first paint and the moment from which the page is interactive. */
function* blocking(lhr) {
  const from = number(lhr.audits['first-contentful-paint']?.numericValue);
  const until = number(lhr.audits.interactive?.numericValue, Infinity);
  for (const {url, startTime, duration} of itemsOf(lhr, 'long-tasks')) {
    const inside = Math.min(startTime + duration, until) - Math.max(startTime, from);
    yield {key: 'tbt', url, amount: inside - BLOCKS_FROM_MS};
  }
}

/** A shift is shared by its causes alike; one without a known request is that of what moved. */
function* shifts(lhr, artifacts) {
  for (const {node, score, subItems} of itemsOf(lhr, 'layout-shifts')) {
    const causes = (subItems?.items ?? [])
      .map(({extra}) => cause(extra, artifacts)).filter(Boolean);
    for (const url of causes) yield {key: 'cls', url, amount: number(score) / causes.length};
    if (!causes.length) {
      yield {key: 'cls', url: '', element: node?.selector, amount: number(score)};
    }
  }
}

function cause(extra, artifacts) {
  if (extra?.type === 'url') return extra.value;
  const image = artifacts.ImageElements?.find(
    one => extra?.path !== undefined && one.node?.devtoolsNodePath === extra.path);
  return image?.src;
}

function paintedImage({Trace}) {
  const painted = Trace.traceEvents.filter(({name}) => name === 'LargestImagePaint::Candidate');
  const last = painted.reduce((one, other) => (other.ts > (one?.ts ?? 0) ? other : one), null);
  return last?.args.data?.imageUrl ?? '';
}
