/* Show the place that PLACES has for a query before what Sphinx finds. Deferred, so Sphinx's scripts have run, and its search not. */
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
  const perform = Search._performSearch;
  Search._performSearch = (query, ...rest) => {
    const results = perform(query, ...rest);
    const found = find(query);
    if (!found) return results;
    const [page, anchor] = found.place.split("#");
    const name = page.replace(/\.html$/, "");
    return [...results, [name, found.title, anchor ? `#${anchor}` : "", null, 100, "", "title"]]; // the last is shown first
  };
}
