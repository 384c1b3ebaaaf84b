"""The metadata of a package have links that work outside of the repository."""

import re
from pathlib import Path

import pytest
from helpers.headers import project_page

ROOT = Path(__file__).parent.parent
ADDRESS = "https://host.example/owner/name"
README = (ROOT / "README.md").read_text(encoding="utf-8")


def targets(text):
    return re.findall(r"\]\((\S+?)\)", text)


def test_release_links_to_files_of_its_tag(monkeypatch):
    monkeypatch.setenv(project_page.VARIABLE, f"{ADDRESS}/")
    address, tag = project_page.project_address(), project_page.release_tag("1.2.3+without.library")
    text = project_page.long_description(README, address, tag)
    found = {target.partition("#")[0] for target in targets(text) if target.startswith(ADDRESS)}
    files = {target.removeprefix(f"{ADDRESS}/blob/v1.2.3/").removeprefix(f"{ADDRESS}/raw/v1.2.3/") for target in found}
    assert "LICENSE" in files
    assert [file for file in files if not (ROOT / file).exists()] == []
    assert [target for target in targets(text) if not target.startswith(("https://", "#"))] == []
    assert set(project_page.project_urls(address, tag)) >= {"Source", "Documentation", "Issues"}
    assert all(url.startswith(ADDRESS) for url in project_page.project_urls(address, tag).values())


def test_build_without_an_address_has_no_broken_links(monkeypatch):
    monkeypatch.delenv(project_page.VARIABLE, raising=False)
    assert project_page.project_address() == ""
    text = project_page.long_description(README, "", "v1.2.3")
    assert [target for target in targets(text) if not target.startswith(("https://", "#"))] == []
    assert project_page.project_urls("", "v1.2.3") == {}


@pytest.mark.parametrize(
    ("text", "linked", "plain"),
    [
        ("[`run`](a.md#b), [c](https://d)", "[`run`](URL/blob/v1/a.md#b), [c](https://d)", "`run`, [c](https://d)"),
        ("a\n\n![two\nlines](a.gif)\n\nb", "a\n\n![two\nlines](URL/raw/v1/a.gif)\n\nb", "a\n\nb"),
        ("```python\nx[0](y)\n\n\n\n[a](b)\n```\n[c](#d)", None, None),
    ],
    ids=["links", "picture", "code"],
)
def test_links_in_prose_change(text, linked, plain):
    assert project_page.long_description(text, "URL", "v1") == (linked or text)
    assert project_page.long_description(text, "", "v1") == (plain or text)
