"""Pages as a real browser shows them: pages.py TARRY GENERATE BENCH_PAGE MODULES [--all]. MODULES is a folder that `npm` may fill. Without --all,
each commit (tests/turns.py) tests every view of a third of the pages at one width, and half of what can be clicked. With --all, views are also compared with
pictures.json; --write-pictures writes it again.

Skipped without a browser, without node, or without a source for their libraries."""

import contextlib
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import urllib.error
import urllib.request

import traces

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))

import turns  # noqa: E402

HERE = os.path.dirname(os.path.abspath(__file__))
SIZE_MOST = 5 << 20
# Of the largest run: both are more than a page has room for.
CALLS, CALLS_IN_TURN = 10_000_000, 1_000_000


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


def status_of(address, method="GET"):
    try:
        with urllib.request.urlopen(urllib.request.Request(address, method=method), timeout=120) as answer:
            return answer.status
    except urllib.error.HTTPError as error:
        return error.code


def only_with_token(address):
    """The page and its windows are served only with the token."""
    host = address[:address.index("/", 8)]
    token = address[len(host) + 1:-1]
    for path, method, expected in [(f"/{token}/", "GET", 200), (f"/{token}/window?from=0&to=0.001", "GET", 200), ("/", "GET", 404), (f"/{token}", "GET", 404),
                                   (f"/{token[:-1]}x/", "GET", 404), (f"/{token}/../../etc/passwd", "GET", 404), (f"/{token}/", "POST", 404),
                                   (f"/{token}/window?from=2&to=1", "GET", 404), (f"/{token}/window?from=x&to=nan", "GET", 404), (f"/{token}/window", "GET", 404),
                                   (f"/{token}/window?from=-1e300&to=1e300", "GET", 404)]:
        found = status_of(host + path, method)
        assert found == expected, f"{method} {path}: {found}, not {expected}"


@contextlib.contextmanager
def served(tarry, trace):
    """The address at which tarry view serves a trace; None if it was built without."""
    with subprocess.Popen([tarry, "view", trace], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as server:
        address = server.stdout.readline().strip()
        try:
            yield address or None
        finally:
            server.send_signal(signal.SIGINT)
            errors = server.stderr.read()
            assert server.wait() == 0 or not address, errors
            port = address.split(":")[-1].split("/")[0]
            assert not address or re.search(rf"ssh -L {port}:127\.0\.0\.1:{port} \S+$", errors, re.MULTILINE), errors


def find_browser():
    browser = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    if not browser or not shutil.which("node") or not shutil.which("npm"):
        skip("chromium, node or npm is not installed")
    return browser


def main(turn, tarry, generate, bench_page, modules):
    browser = find_browser()
    install(modules)
    with tempfile.TemporaryDirectory() as folder:
        pages = traces.make(tarry, generate, folder, CALLS if turn == "all" else CALLS_IN_TURN) | traces.make_benchmarks(bench_page, folder)
        for name, path in pages.items():
            assert os.path.getsize(path) <= SIZE_MOST, f"{name}: a page of {os.path.getsize(path)} bytes"
        trace = os.path.join(folder, "long.tarry")
        subprocess.run([generate, "halo", trace, "--ranks", "8", "--calls", "200000"], check=True, stdout=subprocess.DEVNULL)
        with served(tarry, trace) as address, served(tarry, traces.make_folder(tarry, folder)) as runs:
            if address:
                only_with_token(address)
                pages |= {"served": address, "folder": runs}
            listed = os.path.join(folder, "pages.json")
            with open(listed, "w", encoding="utf-8") as file:
                json.dump(pages, file)
            writes = ["write"] if "--write-pictures" in sys.argv[5:] else []
            return subprocess.run(["node", os.path.join(HERE, "look.mjs"), browser, listed, turn, *writes], cwd=modules, check=False).returncode


if __name__ == "__main__":
    sys.exit(main("all" if {"--all", "--write-pictures"} & set(sys.argv[5:]) else str(turns.turn()), *(os.path.abspath(path) for path in sys.argv[1:5])))
