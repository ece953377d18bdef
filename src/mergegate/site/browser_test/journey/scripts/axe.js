// Rules of axe that the page breaks: `only` those, where there are any, else all but `without`.
// `most` bounds the elements told of each: those that fewest tables of `milder` have, by rule and by
// a pattern of the reason, so that what is left out is no worse than what is told.
async (tags, more, only, without, milder, most) => {
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
  const tables = (rule, { summary }) =>
    milder.filter((one) => rule in one && new RegExp(one[rule]).test(summary.trim())).length;
  const worst = (rule, nodes) =>
    nodes
      .map((one) => [tables(rule, one), one])
      .sort(([one], [other]) => one - other)
      .slice(0, most)
      .map(([, one]) => one);
  return found.violations.map((one) => ({
    rule: one.id,
    impact: one.impact,
    help: one.help,
    helpUrl: one.helpUrl,
    tags: one.tags,
    count: one.nodes.length,
    nodes: worst(one.id, one.nodes.map(node)),
  }));
}
