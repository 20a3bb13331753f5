"""What 'tarry scaling' and 'tarry history show' write as JSON meets its schema, which knows all keys; the documents describe them, and tables and columns of databases.

    runs_schema.py TARRY DOCS"""

import json
import os
import re
import sqlite3
import subprocess
import sys
import tempfile
import warnings

from schemas import closed
from traces import run_with, skip

if not run_with("jsonschema"):
    skip("no Python here has jsonschema")
import jsonschema  # noqa: E402

TARRY, DOCS = sys.argv[1:]
INTERNAL = {"id"}


def lines(ranks, number):
    for rank in range(ranks):
        members = "" if rank else f" members=1:0-{ranks - 1}"
        yield f"process world=1 rank={rank} size={ranks} run={number}\nclock monotonic 1000 tick=0 ns=0\nproperty program \"heat\""
        yield f'comm 0x1 kind=intra rank={rank} size={ranks} remote=0{members} "MPI_COMM_WORLD"\nthread 0\n0 10 MPI_Init'
        for step in range(6):
            yield f"{100 * step + 20 + 5 * rank} {100 * step + 90} MPI_Barrier comm=0x1"
        yield "700 710 MPI_Finalize"


def document(name):
    with open(os.path.join(DOCS, name), encoding="utf-8") as file:
        return re.sub(r"```.*?```", "", file.read(), flags=re.DOTALL)


def words_of(text):
    return set(re.findall(r"`([a-z_]+)`", text))


def keys_of(value):
    if isinstance(value, dict):
        yield from value
        for item in value.values():
            yield from keys_of(item)
    elif isinstance(value, list):
        for item in value:
            yield from keys_of(item)


warnings.simplefilter("ignore", DeprecationWarning)  # later versions have another way to resolve references


def check(answer, schema, *documents):
    # One file refers to the other: for the test it is put in its place.
    text = json.dumps(closed(json.loads(document(schema))))
    jsonschema.Draft7Validator.check_schema(json.loads(text))
    scaling = json.loads(document("scaling.schema.json"))
    resolver = jsonschema.RefResolver("", json.loads(text), store={"scaling.schema.json": closed(scaling)})
    errors = [f"{list(error.path)}: {error.message}" for error in jsonschema.Draft7Validator(json.loads(text), resolver=resolver).iter_errors(answer)]
    assert not errors, errors
    unknown = set(keys_of(answer)) - set.union(*(words_of(document(name)) for name in documents))
    assert not unknown, f"{documents} do not describe {unknown}"


def columns_of(path):
    with sqlite3.connect(path) as database:
        for (table,) in database.execute("SELECT name FROM sqlite_schema WHERE type = 'table'").fetchall():
            for row in database.execute(f"PRAGMA table_info({table})"):
                yield table, row[1]


def check_columns(path, *documents):
    described = set.union(*(set(re.findall(r"[a-z_]+", " ".join(re.findall(r"`([^`]+)`", document(name))))) for name in documents))
    missing = {(table, column) for table, column in columns_of(path) if table not in described or column not in described | INTERNAL}
    assert not missing, f"{documents} do not describe {missing}"


def main():
    with tempfile.TemporaryDirectory() as folder:
        traces = []
        for number, ranks in enumerate((2, 4, 2, 2, 2, 2, 2), 1):
            trace = os.path.join(folder, f"{number}.tarry")
            subprocess.run([TARRY, "assemble", "-o", trace, "-"], input="\n".join(lines(ranks, number)) + "\n", text=True, check=True)
            traces.append(trace)
            subprocess.run([TARRY, "history", "add", "--commit", f"c{number // 3}", os.path.join(folder, "runs.db"), trace], check=True, stderr=subprocess.DEVNULL)
        history, report = os.path.join(folder, "runs.db"), os.path.join(folder, "report.db")
        subprocess.run([TARRY, "report", "--sqlite", report, traces[0]], check=True, stdout=subprocess.DEVNULL)
        read = lambda *words: json.loads(subprocess.run([TARRY, *words], check=True, capture_output=True, text=True).stdout)  # noqa: E731
        check(read("scaling", "--json", "-", *traces[:2]), "scaling.schema.json", "efficiency.md")
        check(read("history", "show", "--json", "-", history), "history.schema.json", "history.md", "efficiency.md")
        check_columns(history, "history.md")
        check_columns(report, "history.md", "report-format.md")


main()
