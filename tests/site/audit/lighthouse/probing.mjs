// Probes, one after the other, to one page of a running browser; what each of them said.

import {pathToFileURL} from 'node:url';

const [endpoint, puppeteerFile, probeFile, patienceMs, ...sources] = process.argv.slice(2);
const {default: puppeteer} = await import(pathToFileURL(puppeteerFile).href);
const {probed} = await import(pathToFileURL(probeFile).href);

const browser = await puppeteer.connect({browserWSEndpoint: endpoint, defaultViewport: null});
const context = await browser.createBrowserContext();
const page = await context.newPage();
const said = [];
for (const source of sources) {
  said.push(await probed(page, {source, argument: null}, Number(patienceMs)));
}
console.log(JSON.stringify(said));
await context.close();
await browser.disconnect();
