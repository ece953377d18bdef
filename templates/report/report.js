(() => {
  "use strict";
  const root = document.documentElement;
  const byId = (id) => document.getElementById(id);
  const all = (selector) => Array.from(document.querySelectorAll(selector));
  root.classList.add("scripted");

  const theme = byId("theme");
  const isDark = () =>
    (root.dataset.theme || (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light")) === "dark";
  const showTheme = () => { theme.textContent = isDark() ? "Light" : "Dark"; };
  try {
    const kept = localStorage.getItem("mergegate-theme");
    if (kept === "dark" || kept === "light") root.dataset.theme = kept;
  } catch { /* storage may be forbidden; the system's theme serves */ }
  showTheme();
  theme.addEventListener("click", () => {
    root.dataset.theme = isDark() ? "light" : "dark";
    showTheme();
    try { localStorage.setItem("mergegate-theme", root.dataset.theme); } catch { /* as above */ }
  });

  document.addEventListener("click", async (event) => {
    const button = event.target.closest("[data-copy]");
    if (!button) return;
    const said = button.textContent;
    button.textContent = (await copied(button.dataset.copy)) ? "Copied" : "Not copied";
    setTimeout(() => { button.textContent = said; }, 1500);
  });
  async function copied(text) {
    try {
      await navigator.clipboard.writeText(text);
      return true;
    } catch {
      const area = document.createElement("textarea");
      area.value = text;
      document.body.append(area);
      area.select();
      const done = document.execCommand("copy");
      area.remove();
      return done;
    }
  }

  const form = byId("filters");
  if (form) {
    const index = JSON.parse(byId("index").textContent);
    const cards = all(".finding");
    const rows = all(".row").map((row) => ({ row, cards: Array.from(row.querySelectorAll(".finding")) }));
    const rowOf = new Map(rows.flatMap((one) => one.cards.map((card) => [card, one])));
    const titles = new Map(all("#groups > .group").map((group) => [
      index[group.querySelector(".finding").dataset.number].origin, group.dataset.title,
    ]));
    const groups = byId("groups");
    const chips = all("[data-severity]");
    const selects = all("[data-filter]");
    const search = byId("search");
    const grouping = byId("group");
    const withFix = byId("with-fix");
    const expand = byId("expand");
    const shown = byId("shown");
    const number = new Intl.NumberFormat("en");

    const filters = () => {
      const levels = new Set(chips.filter((c) => c.ariaPressed === "true").map((c) => c.dataset.severity));
      const wanted = selects.filter((s) => s.value).map((s) => [s.dataset.filter, s.value]);
      const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
      const active = levels.size < chips.length || wanted.length > 0 || words.length > 0 || withFix.checked;
      const fits = (one) =>
        levels.has(one.severity) &&
        wanted.every(([name, value]) => one[name] === value) &&
        (!withFix.checked || one.fix) &&
        words.every((word) => one.text.includes(word));
      return { active, fits };
    };

    const apply = () => {
      const { active, fits } = filters();
      let count = 0;
      for (const group of groups.children) {
        let here = 0;
        for (const card of group.querySelectorAll(".finding")) {
          card.hidden = !fits(index[card.dataset.number]);
          if (!card.hidden) here += 1;
        }
        for (const row of group.querySelectorAll(":scope > .row")) {
          row.hidden = !row.querySelector(".finding:not([hidden])");
        }
        const units = group.querySelectorAll(":scope > :is(.row, .finding):not([hidden])").length;
        group.hidden = here === 0;
        const grouped = units < here ? ` in ${number.format(units)} ${units === 1 ? "row" : "rows"}` : "";
        group.querySelector(":scope > summary .hint").textContent = number.format(here) + grouped;
        if (active && here) group.open = true;
        count += here;
      }
      const total = number.format(cards.length);
      shown.textContent = count === cards.length ? `${total} findings` : `${number.format(count)} of ${total} findings`;
    };

    // By file a row's places go their own ways; else they stay together.
    const regroup = () => {
      const key = grouping.value;
      const made = new Map();
      if (key !== "file") {
        for (const one of rows) one.row.querySelector(".members").replaceChildren(...one.cards);
      }
      for (const card of cards) {
        const member = key === "file" ? card : rowOf.get(card)?.row ?? card;
        const lead = key === "file" ? card : rowOf.get(card)?.cards[0] ?? card;
        const name = index[lead.dataset.number][key];
        if (!made.has(name)) made.set(name, new Set());
        made.get(name).add(member);
      }
      const order = Array.from(made.keys());
      if (key === "file" || key === "rule") order.sort((a, b) => made.get(b).size - made.get(a).size);
      groups.replaceChildren(...order.flatMap((name) => sections(name, key, [...made.get(name)])));
      apply();
    };
    const most = Number(groups.dataset.most);
    const sections = (name, key, members) => {
      if (members.length <= most) return [section(name, key, members)];
      const first = section(name, key, members.slice(0, most), `: the first ${most}`);
      const more = `: ${number.format(members.length - most)} more`;
      const rest = section(name, key, members.slice(most), more);
      rest.classList.add("rest");
      rest.open = false;
      return [first, rest];
    };
    const section = (name, key, members, part = "") => {
      const group = document.createElement("details");
      group.className = "group";
      const isQuiet = (key === "severity" && name === "info") || (key === "origin" && name && name !== "new");
      group.open = !isQuiet || members.some((one) => one.querySelector(".sure"));
      const summary = document.createElement("summary");
      const title = document.createElement("h3");
      const named = key === "origin" ? titles.get(name) : "";
      title.textContent = (named || (key === "severity" ? name[0].toUpperCase() + name.slice(1) : name)) + part;
      const count = document.createElement("span");
      count.className = "hint";
      summary.append(title, " ", count);
      group.append(summary, ...members);
      return group;
    };

    let waiting;
    search.addEventListener("input", () => { clearTimeout(waiting); waiting = setTimeout(apply, 120); });
    for (const chip of chips) {
      chip.addEventListener("click", () => {
        chip.ariaPressed = chip.ariaPressed === "true" ? "false" : "true";
        apply();
      });
    }
    form.addEventListener("change", (event) => (event.target === grouping ? regroup() : apply()));
    form.addEventListener("submit", (event) => event.preventDefault());
    form.addEventListener("reset", () => {
      for (const chip of chips) chip.ariaPressed = "true";
      setTimeout(regroup);
    });
    expand.addEventListener("click", () => {
      const open = expand.textContent === "Expand all";
      for (const { row } of rows) row.open = open;
      for (const card of cards) if (!card.hidden) card.open = open;
      expand.textContent = open ? "Collapse all" : "Expand all";
    });
    document.addEventListener("keydown", (event) => {
      const typing = /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName);
      if (event.key === "/" && !typing && !event.ctrlKey && !event.metaKey) {
        event.preventDefault();
        byId("sieve").open = true;
        search.focus();
      }
    });
    apply();
  }

  const follow = () => {
    const id = decodeURIComponent(location.hash.slice(1));
    const card = id.startsWith("f-") && byId(id);
    if (!card) return;
    for (let one = card; one && one.id !== "groups"; one = one.parentElement) {
      one.hidden = false;
      if (one.tagName === "DETAILS") one.open = true;
    }
    card.scrollIntoView({ block: "start" });
    card.querySelector("summary").focus({ preventScroll: true });
  };
  addEventListener("hashchange", follow);
  follow();

  let closed = [];
  addEventListener("beforeprint", () => {
    closed = all("details:not([open], .rest, .rest *)");
    for (const one of closed) one.open = true;
  });
  addEventListener("afterprint", () => { for (const one of closed) one.open = false; });
})();
