// Rules of axe that the page breaks: `only` those, where there are any, else all but `without`.
// `most` bounds the elements told of each.
async (tags, more, only, without, most) => {
  const rules = {};
  for (const rule of more) rules[rule] = { enabled: true };
  for (const rule of without) rules[rule] = { enabled: false };
  const found = await axe.run(document, {
    ...(only.length
      ? { runOnly: { type: "rule", values: only } }
      : { runOnly: { type: "tag", values: tags }, rules }),
    resultTypes: ["violations"],
    iframes: false, // those of others are theirs to mend, and answer when they like
    elementRef: true,
    preload: false, // it would ask other origins for their style sheets, in the page's name
  });
  const { cut, described } = mergegate;
  const node = (one) => ({
    element: one.element ? described(one.element) : { selector: "", snippet: "", label: "" },
    summary: cut(one.failureSummary, 300),
  });
  return found.violations.map((one) => ({
    rule: one.id,
    impact: one.impact,
    help: one.help,
    helpUrl: one.helpUrl,
    tags: one.tags,
    count: one.nodes.length,
    nodes: one.nodes.slice(0, most).map(node),
  }));
}
