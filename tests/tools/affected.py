#!/usr/bin/env python3
"""Prints which tests a change can affect: a filter of nextest, then the words of other steps of `tests/run`.

    affected.py REV METADATA PLACES

REV is the commit to compare with, METADATA the output of `cargo metadata`, PLACES a list of the files with places of planted bugs.
"""

import json
import os
import re
import subprocess
import sys

# Every test depends on these.
EVERYTHING = re.compile(r"(Cargo\.(toml|lock)|clippy\.toml|\.cargo/.*|\.config/.*|tests/(run|programs)|tests/tools/affected\.py)$")
# Files outside crates, or with tests of their own: the first pattern that matches decides.
OTHERS = [
    (re.compile(r"(loadtest/rivals|fuzz|\.github|\.ci|tests/baselines)/"), "none()"),
    (re.compile(r"server/package/"), "test(/^packages::/)"),
    (re.compile(r"docs/clients/"), "binary(kit) | binary(meta)"),
    (re.compile(r"docs/|[^/]*\.md$|.*\.md$"), "binary(meta) | binary(kit) | test(document) | package(tilewire-protocol)"),
    (re.compile(r"tests/web/"), "binary(page)"),
    (re.compile(r"tests/tools/"), "rdeps(tilewire-harness)"),
    (re.compile(r"tests/corpora/"), "binary(meta)"),
    (re.compile(r"tests/fixtures/"), "binary(system)"),
]
# The page in a browser shows what these do.
BROWSER = re.compile(r"(server/(web|api|gateway|src/(api|connection|page|wire))|protocol|tests/web|tests/tools)/")
BROWSER_TESTS = "(binary(page) & test(/^browser::/))"
# The load test, and what it is made of.
LOADTEST = re.compile(r"(loadtest/(?!rivals/)|client-cli/client/|tests/(oracle|services|harness)/|tests/cluster-up$)")
# The simulation must find planted bugs.
PLANTED = re.compile(r"(rules|tests/simulation)/")


def lines(*command):
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout.splitlines()


def main():
    rev, metadata, places = sys.argv[1:]
    changed = lines("git", "diff", "--name-only", rev) + lines("git", "ls-files", "--others", "--exclude-standard")
    with open(metadata, encoding="utf-8") as file:
        metadata = json.load(file)
    members = set(metadata["workspace_members"])
    root = metadata["workspace_root"]
    crates = {
        os.path.relpath(os.path.dirname(package["manifest_path"]), root) + "/": package["name"]
        for package in metadata["packages"]
        if package["id"] in members
    }
    with open(places, encoding="utf-8") as file:
        places = set(file.read().split())

    def tests_of(path):
        for pattern, tests in OTHERS:
            if pattern.match(path):
                return tests
        folders = [folder for folder in crates if path.startswith(folder)]
        if not folders:
            return "binary(meta)"
        return f"rdeps({crates[max(folders, key=len)]})"

    filters = {tests_of(path) for path in changed}
    # The tests of the tree itself take seconds.
    chosen = " | ".join(sorted(filters | {"binary(meta)"}))
    if any(EVERYTHING.match(path) for path in changed):
        chosen = "all()"
    elif not any(BROWSER.match(path) for path in changed):
        chosen = f"({chosen}) - {BROWSER_TESTS}"
    print(chosen)
    if any(LOADTEST.match(path) for path in changed):
        print("loadtest")
    if any(PLANTED.match(path) or path in places for path in changed):
        print("planted")


if __name__ == "__main__":
    main()
