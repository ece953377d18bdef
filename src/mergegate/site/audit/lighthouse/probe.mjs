// A question to a hostile page, whose answer is bounded in time and length.

import {within} from './patience.mjs';

const PROBE_MS = 5000;
const PROBED_CHARACTERS = 4_000_000;

/** What the function says in the page as it stands; null when it fails, hangs or says too much. */
export async function probed(page, {source, argument}, patienceMs = PROBE_MS) {
  const session = await page.createCDPSession();
  const answer = await within(patienceMs, session.send('Runtime.evaluate', {
    expression: `(${source})(${JSON.stringify(argument)})`,
    awaitPromise: true,
    returnByValue: true,
    timeout: patienceMs,
  }).catch(() => null));
  const said = answer?.exceptionDetails ? undefined : JSON.stringify(answer?.result?.value);
  return said?.length <= PROBED_CHARACTERS ? wellFormed(said) : null;
}

/** JSON.stringify writes half a surrogate pair as an escape, which is no text to its reader. */
export function wellFormed(json) {
  return json.replace(/(?<!\\)((?:\\\\)*)\\ud[89a-f][0-9a-f]{2}/g, '$1\ufffd');
}
