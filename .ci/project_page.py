"""What a package index shows of the project: its addresses, and the README with links that work there.

No file of the repository names its address. The workflow of a release knows it and sets ``TAICHI_AOT_PROJECT_URL``.
"""

from __future__ import annotations

import os
import re

VARIABLE = "TAICHI_AOT_PROJECT_URL"

PICTURE = re.compile(r"!\[([^]]*)\]\((?!https?:)([^)\s]+)\)")
LINK = re.compile(r"(?<!!)\[([^]]*)\]\((?!https?:|#)([^)\s]+)\)")
CODE = re.compile(r"(^```.*?^```$)", re.DOTALL | re.MULTILINE)


def project_address() -> str:
    """Return the address of the repository, empty in builds that do not know it."""
    return os.environ.get(VARIABLE, "").rstrip("/")


def release_tag(version: str) -> str:
    """Return the tag of a version, whose local part (``+without.library``) belongs to the build."""
    return f"v{version.partition('+')[0]}"


def project_urls(address: str, tag: str) -> dict[str, str]:
    """Return the addresses on the page of a release, none without that of the repository."""
    if not address:
        return {}
    return {
        "Source": address,
        "Documentation": f"{address}/tree/{tag}/docs",
        "Changelog": f"{address}/blob/{tag}/CHANGELOG.md",
        "Issues": f"{address}/issues",
    }


def long_description(readme: str, address: str, tag: str) -> str:
    """Return the README with links to the files of a release.

    Without an address, pictures are left out, and links become their texts.
    """
    if address:
        picture, link = rf"![\1]({address}/raw/{tag}/\2)", rf"[\1]({address}/blob/{tag}/\2)"
    else:
        picture, link = "", r"\1"
    parts = CODE.split(readme)  # every second part is code
    parts[::2] = [re.sub(r"\n{3,}", "\n\n", LINK.sub(link, PICTURE.sub(picture, part))) for part in parts[::2]]
    return "".join(parts)
