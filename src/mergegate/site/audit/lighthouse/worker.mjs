// Lighthouse, kept warm: one line of JSON in, one load of a page, one line of JSON out.
//
// Its argument is the folder of the npm packages. It opens no connection but the one to the browser
// that a request names, reports errors to nobody, and says nothing of a page but in its answers.

import {createInterface} from 'node:readline';
import {join} from 'node:path';
import {pathToFileURL} from 'node:url';

import {present} from './credentials.mjs';
import {mainHeaders} from './headers.mjs';
import {within} from './patience.mjs';
import {probed, wellFormed} from './probe.mjs';
import {reduced} from './reduce.mjs';

const answers = process.stdout.write.bind(process.stdout);
// A package that prints must not be taken for an answer.
process.stdout.write = process.stderr.write.bind(process.stderr);
// A page that dies leaves promises behind that nobody waits for; they must not end the next run.
process.on('unhandledRejection', error => console.error(`left behind: ${error?.code ?? 'error'}`));

const packages = process.argv[2];
const packaged = (name, file) => import(pathToFileURL(join(packages, name, file)).href);
const {default: lighthouse, desktopConfig} = await packaged('lighthouse', 'core/index.js');
const {nonSimulatedSettingsOverrides} = await packaged('lighthouse', 'core/config/constants.js');
const {pageFunctions} = await packaged('lighthouse', 'core/lib/page-functions.js');
const {default: puppeteer} = await packaged(
  'puppeteer-core', 'lib/puppeteer/puppeteer-core.js');
const {IntlMessageFormat: messages} = await packaged('intl-messageformat', 'index.js');

const CATEGORIES = ['performance', 'accessibility', 'best-practices', 'seo'];
const LATE = 'LATE';
const GONE = {error: told({code: 'BROWSER_GONE'})};
const FAREWELL_MS = 5000;
const QUIET_MS = 2500;

// Lighthouse waits 5.25 s for quiet when it throttles itself; with 2.5 s its scores were the same,
// with 1 s it gave none.
for (const pause of Object.keys(nonSimulatedSettingsOverrides)) {
  nonSimulatedSettingsOverrides[pause] = QUIET_MS;
}

// Lighthouse would first measure how fast the machine is, which takes a second of its time; what
// comes of it is a warning that its command line alone gives.
pageFunctions.computeBenchmarkIndex = () => 0;

// Lighthouse makes each of its sentences anew, some thousands a run: it spent half of its time on
// asking which language `en-US` is, and on reading the same templates again.
messages.resolveLocale = remembered(messages.resolveLocale);
messages.__parse = remembered(messages.__parse);

/** The same answer to the same text; what else is given goes with it. */
function remembered(asked) {
  const known = new Map();
  return (text, ...more) => {
    if (!known.has(text)) known.set(text, asked(text, ...more));
    return known.get(text);
  };
}

const input = createInterface({input: process.stdin});
for await (const line of input) {
  answers(`${wellFormed(JSON.stringify(await answered(JSON.parse(line))))}\n`);
}

async function answered(request) {
  try {
    return await inBrowser(request);
  } catch (error) {
    return {error: told(error)};
  }
}

async function inBrowser(request) {
  const where = {browserWSEndpoint: request.endpoint, defaultViewport: null};
  const browser = await puppeteer.connect(where).catch(() => null);
  if (!browser) return GONE;
  // Lighthouse goes on waiting for one that answers no more.
  const gone = new Promise(done => browser.once('disconnected', () => done(GONE)));
  const failed = error => (browser.connected ? {error: told(error)} : GONE);
  try {
    return await Promise.race([gone, inContext(browser, request).catch(failed)]);
  } finally {
    await browser.disconnect();
  }
}

/** Cookies, storage and cache of one run, which end with it. */
async function inContext(browser, request) {
  const context = await browser.createBrowserContext();
  try {
    // Lighthouse cannot be stopped: without its page it fails, and nobody asks this worker again.
    const loaded = run(context, request);
    return await within(request.timeoutMs, loaded) ?? {error: told({code: LATE})};
  } finally {
    // The browser may be gone, or stuck.
    await within(FAREWELL_MS, context.close().catch(() => {}));
  }
}

async function run(context, request) {
  const page = await context.newPage();
  await present(page, new URL(request.url).origin, request.credentials);
  const result = await lighthouse(request.url, flags(request), config(request), page);
  const {lhr, artifacts} = result;
  if (lhr.runtimeError) return {error: unloaded(lhr.runtimeError, artifacts)};
  return {
    result: reduced(lhr, artifacts),
    headers: mainHeaders(artifacts),
    probed: request.probe ? await probed(page, request.probe) : null,
  };
}

function flags(request) {
  return {
    onlyCategories: CATEGORIES,
    disableFullPageScreenshot: true,
    throttlingMethod: request.throttling,
    maxWaitForLoad: request.patienceMs,
    logLevel: 'silent',
  };
}

function config(request) {
  return request.device === 'desktop' ? desktopConfig : undefined;
}

/** The browser's own word for what went wrong, where Lighthouse has none. */
function unloaded(runtimeError, {PageLoadError, DevtoolsLogError, DevtoolsLog}) {
  const error = told(PageLoadError ?? runtimeError);
  const failed = (DevtoolsLogError ?? DevtoolsLog)?.find(({method, params}) =>
    method === 'Network.loadingFailed' && params.type === 'Document');
  return {...error, reason: error.reason || String(failed?.params.errorText ?? '')};
}

/** Properties are those that Lighthouse puts into its own sentences. */
function told(error) {
  return {
    code: String(error?.code ?? error?.name ?? ''),
    status: String(error?.statusCode ?? ''),
    reason: String(
      error?.errorDetails ?? error?.securityMessages ?? error?.mimeType ?? '').slice(0, 200),
  };
}
