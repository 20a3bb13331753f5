"""`tarry view FOLDER`: which files are listed, and what the server answers about whole, damaged, empty and missing ones.

    view_folder.py BIN"""

import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import urllib.error
import urllib.request

TARRY = os.path.join(os.path.abspath(sys.argv[1]), "tarry")
SKIPPED, SECONDS = 77, 120
TRACE = """tarry trace 1
process world=1 rank=0 size=1 run=1
property program "/home/user/<b>heat</b>"
clock monotonic 1000000000 tick=0 ns=1700000000000000000
thread 0
0 1000000 MPI_Init
51000000 52000000 MPI_Finalize
"""


def tarry(*words, cwd):
    return subprocess.run([TARRY, *words], cwd=cwd, capture_output=True, text=True, check=False)


def make(folder):
    """Files of each kind, and others that are not listed."""
    def write(name, text):
        with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
            file.write(text)

    write("heat.txt", TRACE)
    assert tarry("assemble", "-o", "n4.tarry", "heat.txt", cwd=folder).returncode == 0
    assert tarry("assemble", "-o", "n16.tarry", "heat.txt", cwd=folder).returncode == 0
    assert tarry("report", "--json", "old.json", "n4.tarry", cwd=folder).returncode == 0
    assert tarry("history", "add", "--commit", "v1", "--machine", "here", "runs.db", "n4.tarry", cwd=folder).returncode == 0
    with open(os.path.join(folder, "old.json"), encoding="utf-8") as file:
        write("cut.json", file.read()[:3000])
    write("empty.tarry", "")
    write("text.tarry", "This is not a trace.\n")
    write("other.json", '{"name": 1}')
    write("other.db", "no database")
    os.symlink("nowhere", os.path.join(folder, "gone.tarry"))


LISTED = [("cut.json", "report"), ("empty.tarry", "trace"), ("gone.tarry", "trace"), ("n4.tarry", "trace"), ("n16.tarry", "trace"), ("old.json", "report"),
          ("runs.db", "history"), ("text.tarry", "trace")]
NUMBER = {name: number for number, (name, _) in enumerate(LISTED)}
SAID = {"empty.tarry": "'empty.tarry' is empty", "gone.tarry": "cannot open 'gone.tarry'", "text.tarry": "'text.tarry' is not a trace"}
# Questions that have no answer.
REFUSED = ("run", "run?files=", "run?files=99", "run?files=-1", "run?files=x", "run?files=3,4", "run?files=6", "report?files=5", "trends?files=3", "diff?files=3",
           "scaling?files=3", "window?from=0&to=1", "../../etc/passwd", "run?files=3x", "run?files=99999999999999999999")


def ask(address, question):
    try:
        with urllib.request.urlopen(address + question, timeout=SECONDS) as answer:
            return answer.read().decode(), answer.headers["Content-Type"]
    except urllib.error.HTTPError as error:
        return error.code, None


def problems_of(address):
    page, _ = ask(address, "")
    found = json.loads(re.search(r'id="folder">(.*?)</script>', page, re.DOTALL)[1])
    if [(file["name"], file["kind"]) for file in found["files"]] != LISTED:
        yield f"listed: {found['files']}"
    for name, words in SAID.items():
        answer = json.loads(ask(address, f"run?files={NUMBER[name]}")[0])
        if answer["result"] is not None or not answer["said"].startswith(words):
            yield f"{name}: {answer}"
    answer = json.loads(ask(address, f"run?files={NUMBER['n4.tarry']}")[0])
    if answer["said"] is not None or answer["result"]["run"]["program"] != "b>":
        yield f"n4.tarry: {answer['said']}"
    if json.loads(json.loads(ask(address, f"run?files={NUMBER['old.json']}")[0])["text"])["run"] != answer["result"]["run"]:
        yield "the report of a trace differs from the one that was written before"
    if not json.loads(ask(address, f"run?files={NUMBER['cut.json']}")[0])["text"].startswith("{"):
        yield "a damaged report is not passed on"
    for question in (f"report?files={NUMBER['n4.tarry']}", f"diff?files={NUMBER['n4.tarry']},{NUMBER['n16.tarry']}", f"history?files={NUMBER['runs.db']}"):
        text, kind = ask(address, question)
        if not str(text).startswith("<!DOCTYPE html>") or kind != "text/html; charset=utf-8":
            yield f"{question}: {kind}: {str(text)[:200]}"
    text, kind = ask(address, f"report?files={NUMBER['gone.tarry']}")
    if not kind.startswith("text/plain") or "cannot open" not in text:
        yield f"the report of a missing trace: {kind}: {text}"
    if json.loads(ask(address, f"trends?files={NUMBER['runs.db']}")[0])["result"]["series"][0]["runs"][0]["commit"] != "v1":
        yield "the commit is not known"
    if ask(address, f"scaling?files={NUMBER['n4.tarry']},{NUMBER['n16.tarry']}")[1] != "application/json":
        yield "scaling is not answered"
    for question in REFUSED:
        if ask(address, question)[0] != 404:
            yield f"{question}: answered"


def main():
    with tempfile.TemporaryDirectory() as folder:
        bare = tarry("view", folder, cwd=folder)
        make(folder)
        server = subprocess.Popen([TARRY, "view", "."], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        address = server.stdout.readline().strip()
        if not address:
            print("skipped:", server.communicate()[1])
            sys.exit(SKIPPED)
        problems = list(problems_of(address))
        if f"<title>{os.path.realpath(folder)}" not in ask(address, "")[0]:
            problems.append("the page of the current folder does not begin with its path")
        if bare.returncode != 1 or "no trace, report or history is in folder" not in bare.stderr:
            problems.append(f"an empty folder: {bare.returncode}: {bare.stderr}")
        server.send_signal(signal.SIGTERM)
        errors = server.communicate(timeout=SECONDS)[1]
        if server.returncode:
            problems.append(f"the server ends with {server.returncode}: {errors}")
    print("\n".join(problems) or "every file of the folder has an answer")
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main()
