/* Asks how far the scan is, and opens the report when it is over. */
(() => {
  "use strict";
  const FIRST_S = 2, GROWTH = 1.25, SLOWEST_S = 10, UNSEEN_S = 30, MOST_TROUBLED_S = 60;
  const PATIENCE_MS = 10000;
  const LAST_MS = 12 * 3600 * 1000;
  const live = document.getElementById("live");
  const said = document.getElementById("said");
  const trouble = document.getElementById("trouble");
  const [, subject] = document.title.split(/: (.*)/s);
  const opened = Date.now();
  let wait_s = FIRST_S;
  let timer;

  /* The text of a live region is set only when it changes: each setting is read aloud. */
  const say = (where, text) => { if (where.textContent !== text) where.textContent = text; };
  const troubled = (text) => {
    live.classList.toggle("troubled", text !== "");
    say(trouble, text);
  };

  const ago = (seconds) => {
    const minutes = Math.floor(seconds / 60), hours = Math.floor(seconds / 3600);
    if (hours) return `${hours} h ${minutes % 60} min`;
    return minutes ? `${minutes} min ${seconds % 60} s` : `${seconds} s`;
  };
  const passed = () => Math.floor((Date.now() - opened) / 1000);
  const tick = () => {
    for (const clock of document.querySelectorAll("[data-seconds]")) {
      clock.textContent = ago(Number(clock.dataset.seconds) + passed());
    }
  };
  setInterval(tick, 1000);

  const later = () => {
    clearTimeout(timer);
    if (Date.now() - opened > LAST_MS) {
      troubled("This page no longer looks by itself. Load it again to see how far the scan is.");
      return;
    }
    /* In the background it goes on, seldom: the title of its tab tells when the scan is over. */
    timer = setTimeout(look, 1000 * (document.hidden ? Math.max(wait_s, UNSEEN_S) : wait_s));
  };

  const show = (told) => {
    troubled("");
    wait_s = Math.min(wait_s * GROWTH, SLOWEST_S);
    if (told.state === live.dataset.state) return;
    wait_s = FIRST_S;
    live.dataset.state = told.state;
    say(document.getElementById("what"), told.title);
    say(said, told.said);
    document.title = `${told.title}: ${subject}`;
    begin(told.begunSeconds);
  };

  const begin = (seconds) => {
    const begun = document.getElementById("begun");
    begun.hidden = seconds === null;
    begun.querySelector("[data-seconds]").dataset.seconds = seconds - passed();
    tick();
  };

  const look = async () => {
    try {
      const answer = await fetch(location.href, {
        headers: { Accept: "application/json" },
        cache: "no-store",
        redirect: "error",
        signal: AbortSignal.timeout(PATIENCE_MS),
      });
      const told = answer.ok ? await answer.json() : null;
      if (told?.state === "over" || answer.status === 403) {
        location.reload();
        return;
      }
      if (!told) throw new Error(`status ${answer.status}`);
      show(told);
    } catch {
      troubled("The host does not answer at the moment. This page keeps asking; the scan is not lost.");
      wait_s = Math.min(wait_s * 2, MOST_TROUBLED_S);
    }
    later();
  };

  document.addEventListener("visibilitychange", () => {
    if (document.hidden) return;
    clearTimeout(timer);
    look();
  });
  later();
})();
