"""Pages as a real browser shows them: pages.py TARRY GENERATE MODULES, the last being a folder that `npm` may fill.

Skipped where there is no browser, no node or nothing to install their libraries from."""

import json
import os
import shutil
import subprocess
import sys
import tempfile

import traces

HERE = os.path.dirname(os.path.abspath(__file__))
SIZE_MOST = 5 << 20


def skip(why):
    print(f"skipped: {why}")
    sys.exit(77)


def install(folder):
    """The libraries of package-lock.json, once for a build folder."""
    os.makedirs(folder, exist_ok=True)
    for name in ("package.json", "package-lock.json"):
        shutil.copy(os.path.join(HERE, name), folder)
    if os.path.exists(os.path.join(folder, "node_modules", "playwright-core")):
        return
    ended = subprocess.run(["npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund"], cwd=folder, capture_output=True, text=True, check=False)
    if ended.returncode:
        skip("npm cannot install playwright-core: " + ended.stderr.strip().splitlines()[-1] if ended.stderr.strip() else "npm failed")


def main(tarry, generate, modules):
    browser = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    if not browser or not shutil.which("node") or not shutil.which("npm"):
        skip("chromium, node or npm is not installed")
    install(modules)
    with tempfile.TemporaryDirectory() as folder:
        pages = traces.make(tarry, generate, folder)
        for name, path in pages.items():
            assert os.path.getsize(path) <= SIZE_MOST, f"{name}: a page of {os.path.getsize(path)} bytes"
        listed = os.path.join(folder, "pages.json")
        with open(listed, "w", encoding="utf-8") as file:
            json.dump(pages, file)
        return subprocess.run(["node", os.path.join(HERE, "look.mjs"), browser, listed], cwd=modules, check=False).returncode


sys.exit(main(*(os.path.abspath(path) for path in sys.argv[1:4])))
