// Lighthouse's result, cut down to what the fact keeps; every text and list is bounded here.

import {shares} from './shares.mjs';
import {address, count, figure, itemsOf, number, optional, rowsOf, words} from './rows.mjs';

const AUDITS = 400;
const ROWS = 40;
const ELEMENTS = 1_000; // how bad a breach of axe's rules is depends on each of its elements
const REQUESTS = 3000;
const FRAMES = 12;
const FRAME_CHARACTERS = 200_000;
const VENDORS = 300;
const HOSTS = 20;
const WARNINGS = 20;
const LONG_TASK_US = 5_000;
const ENOUGH_TASKS = 3;

export function reduced(lhr, artifacts) {
  const requests = itemsOf(lhr, 'network-requests').slice(0, REQUESTS);
  return {
    version: lhr.lighthouseVersion,
    browser: words(lhr.userAgent, 300),
    finalUrl: address(lhr.finalDisplayedUrl ?? lhr.mainDocumentUrl),
    categories: Object.values(lhr.categories).map(category),
    audits: Object.values(lhr.audits).slice(0, AUDITS).map(audit),
    metrics: metrics(lhr),
    entities: (lhr.entities ?? []).filter(one => !one.isFirstParty).slice(0, VENDORS).map(entity),
    mainThread: itemsOf(lhr, 'third-parties-insight').slice(0, VENDORS).map(
      one => ({entity: words(one.entity, 200), ms: number(one.mainThreadTime)})),
    requests: requests.map(request),
    shares: shares(lhr, artifacts),
    frames: itemsOf(lhr, 'screenshot-thumbnails').slice(0, FRAMES)
      .filter(one => one.data.length <= FRAME_CHARACTERS)
      .map(one => ({atMs: count(one.timing), image: one.data})),
    waited: waited(artifacts),
    warnings: lhr.runWarnings.slice(0, WARNINGS).map(one => words(one, 1000)),
  };
}

/**
 * The part of a long task's time, 0–1, in which the page had no processor; 0 of fewer than three.
 * The median: a task that waits by itself, as a synchronous request does, is one of many.
 */
export function waited({Trace: {traceEvents}}) {
  const main = new Set(traceEvents
    .filter(({name, args}) => name === 'thread_name' && args?.name === 'CrRendererMain')
    .map(({pid, tid}) => `${pid} ${tid}`));
  const parts = traceEvents
    .filter(({name, pid, tid, dur, tdur}) =>
      name === 'RunTask' && dur >= LONG_TASK_US && tdur >= 0 && main.has(`${pid} ${tid}`))
    .map(({dur, tdur}) => Math.min(1, Math.max(0, 1 - tdur / dur)))
    .sort((one, other) => one - other);
  return parts.length < ENOUGH_TASKS ? 0 : parts[Math.floor(parts.length / 2)];
}

function category({id, score, auditRefs}) {
  return {id, score, refs: auditRefs.map(({id: audit, weight}) => ({id: audit, weight}))};
}

export function audit(one) {
  const rows = one.details ? [...rowsOf(one.details)] : [];
  return {
    id: one.id,
    title: words(one.title, 500),
    description: words(one.description, 2000),
    mode: one.scoreDisplayMode,
    score: one.score,
    displayValue: words(one.displayValue, 300),
    explanation: words(one.explanation, 300),
    savings: one.metricSavings ?? {},
    wastedBytes: count(one.details?.overallSavingsBytes ?? wasted(rows)),
    rows: rows.length,
    details: rows.slice(0, rows[0]?.element ? ELEMENTS : ROWS),
    error: words(one.errorMessage, 500),
  };
}

function wasted(rows) {
  return rows.reduce((sum, row) => sum + (row.wastedBytes ?? 0), 0);
}

/** Null where Lighthouse could not measure: whoever reads it must not take that for nothing. */
function metrics(lhr) {
  const value = id => figure(lhr.audits[id]?.numericValue);
  const summary = Object.fromEntries(
    itemsOf(lhr, 'resource-summary').map(item => [item.resourceType, item]));
  return {
    lcp: value('largest-contentful-paint'),
    tbt: value('total-blocking-time'),
    cls: value('cumulative-layout-shift'),
    fcp: value('first-contentful-paint'),
    transferBytes: optional(summary.total?.transferSize),
    scriptBytes: optional(summary.script?.transferSize),
    requestCount: optional(summary.total?.requestCount),
  };
}

function entity(one) {
  return {
    name: words(one.name, 200),
    category: words(one.category, 100),
    homepage: address(one.homepage),
    hosts: [...new Set(one.origins.map(hostOf))].slice(0, HOSTS),
  };
}

function hostOf(origin) {
  return URL.canParse(origin) ? new URL(origin).hostname.slice(0, 300) : '';
}

function request(one) {
  return {
    url: address(one.url),
    kind: words(one.resourceType, 40).toLowerCase(),
    status: number(one.statusCode, -1),
    startMs: number(one.networkRequestTime),
    endMs: number(one.networkEndTime),
    transferBytes: count(one.transferSize),
    resourceBytes: count(one.resourceSize),
    priority: words(one.priority, 40),
    protocol: words(one.protocol, 40),
    entity: words(one.entity, 200),
  };
}
