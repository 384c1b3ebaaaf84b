/* Show the place that PLACES has for a query before what Sphinx finds, and an excerpt of every place. Deferred, so Sphinx's scripts have run, and its search not. */
"use strict";

{
  const stemmer = new Stemmer();
  const stems = (text) =>
    splitQuery(text.toLowerCase()).filter((word) => !stopwords.has(word)).map((word) => stemmer.stemWord(word));
  const find = (query) => {
    const asked = stems(query);
    return PLACES.map((each) => ({ ...each, stems: stems(each.words) }))
      .filter((each) => 2 * each.stems.length >= asked.length && each.stems.every((stem) => asked.includes(stem)))
      .sort((a, b) => a.stems.length - b.stems.length)
      .pop();
  };
  const textAt = (page, anchor) => {
    const place = (anchor && page.getElementById(anchor.slice(1))) || page.querySelector("[role=main]");
    let text = place;
    while (text.matches("dt") && text.nextElementSibling) text = text.nextElementSibling; // what a name or term is
    return text.textContent.trim() || place.textContent.trim();
  };
  Search.htmlToText = (html, anchor) => {
    const page = new DOMParser().parseFromString(html, "text/html");
    page.querySelectorAll(".headerlink, .column, script, style").forEach((node) => node.remove());
    return textAt(page, anchor);
  };
  const perform = Search._performSearch;
  Search._performSearch = (query, ...rest) => {
    // With a description, as names have, Sphinx shows no excerpt.
    const results = perform(query, ...rest).map(([page, title, anchor, _description, ...others]) => [page, title, anchor, null, ...others]);
    const found = find(query);
    if (!found) return results;
    const [page, anchor] = found.place.split("#");
    const name = page.replace(/\.html$/, "");
    return [...results, [name, found.title, anchor ? `#${anchor}` : "", null, 100, "", "title"]]; // the last is shown first
  };
}
