/* What the theme leaves out for keyboards and screen readers. */
"use strict";

document.addEventListener("DOMContentLoaded", () => {
  const all = (selector) => document.querySelectorAll(selector);
  all("p.caption[role=heading]").forEach((caption) => caption.setAttribute("aria-level", "2"));
  all(".sidebar-drawer").forEach((drawer) => drawer.setAttribute("aria-label", "Pages"));
  all(".toc-drawer").forEach((drawer) => drawer.setAttribute("aria-label", "Sections of this page"));
  // Sphinx writes the lines of a long signature as definitions without a term.
  all("dt.sig dl").forEach((lines) => {
    const term = document.createElement("dt");
    term.className = "visually-hidden";
    term.textContent = "parameters";
    lines.prepend(term);
  });
  all("th").forEach((cell) => {
    if (!cell.textContent.trim()) cell.replaceWith(document.createElement("td"));
  });
  // Names in tables may break between their words.
  all("table.docutils code .pre").forEach((text) => {
    text.replaceChildren(...text.textContent.split(/(?<=\w[._(/]|\w::)(?=\w)/).flatMap((part, i) => (i ? [document.createElement("wbr"), part] : [part])));
  });
  // What scrolls sideways must be reachable by keyboard.
  const focus = () =>
    all("pre").forEach((box) => {
      if (box.scrollWidth > box.clientWidth) box.tabIndex = 0;
    });
  focus();
  addEventListener("resize", focus);
  if (!document.querySelector("h1")) {
    const title = document.createElement("h1");
    title.textContent = "Search";
    document.querySelector("#search-results")?.before(title);
  }
});
