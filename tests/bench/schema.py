"""The output of jobs and comparisons matches its schema, which contains and describes all keys."""

import copy
import json
import os
import re
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.append(os.path.join(HERE, "..", "report"))

from schemas import closed  # noqa: E402
from traces import run_with, skip  # noqa: E402

if not run_with("jsonschema"):
    skip("no Python here has jsonschema")
import jsonschema  # noqa: E402

import bench_job  # noqa: E402

DATA = os.path.join(HERE, "data")
DOCS = os.path.join(HERE, "..", "..", "docs")


def load(*path):
    with open(os.path.join(*path), encoding="utf-8") as file:
        return json.load(file)


SCHEMA = load(DOCS, "bench.schema.json")
VALIDATORS = {name: jsonschema.Draft7Validator({**closed(SCHEMA), "oneOf": [{"$ref": f"#/definitions/{name}"}]})
              for name in ("results", "comparison")}


def errors_of(name, made):
    return [f"{list(error.path)}: {error.message}" for error in VALIDATORS[name].iter_errors(made)]


def is_sound(job):
    """The schema is valid, and every key in it is described."""
    del job
    jsonschema.Draft7Validator.check_schema(SCHEMA)
    with open(os.path.join(DOCS, "bench-results.md"), encoding="utf-8") as file:
        described = set(re.findall(r"[`\"]([a-z0-9_]+)[`\"]", file.read()))
    keys = {key for part in SCHEMA["definitions"].values() for key in part.get("properties", {})}
    assert keys <= described, f"bench-results.md does not describe {sorted(keys - described)}"


def jobs_meet_it(job):
    """With and without times of processes, and with a point without a valid run."""
    for arguments in (["--per-process", "barrier"], ["--plant", "late:1", "--max-runs", "8", "barrier"],
                      ["--first-call", "--sizes", "8", "bcast"]):
        errors = errors_of("results", job.measure(2, *arguments))
        assert not errors, errors[:5]


def memory_meets_it(job):
    """And the results of memory measurements."""
    made = job.measure(2, "--memory")
    assert made["memory"] and not errors_of("results", made), errors_of("results", made)
    path = os.path.join(job.work, "results.json")
    tarry = os.path.join(os.path.dirname(job.program), "tarry")
    done = subprocess.run([tarry, "bench", "compare", "--json", "-", path, path], capture_output=True, text=True, check=True)
    compared = json.loads(done.stdout)
    assert compared["memory"]["steps"] and not errors_of("comparison", compared), errors_of("comparison", compared)
    del made["memory"][0]["step"]
    assert errors_of("results", made)


def comparisons_meet_it(job):
    """And the files that are compared."""
    paths = [os.path.join(DATA, name) for name in ("before.json", "after.json")]
    tarry = os.path.join(os.path.dirname(job.program), "tarry")
    done = subprocess.run([tarry, "bench", "compare", "--json", "-", *paths], capture_output=True, text=True, check=False)
    assert done.returncode == 3, done
    for name, made in [("comparison", json.loads(done.stdout)), *(("results", load(path)) for path in paths)]:
        assert not errors_of(name, made), errors_of(name, made)


def what_is_wrong_does_not(job):
    """Missing keys, impossible values."""
    del job
    good = load(DATA, "before.json")
    for key in good["points"][0]:
        made = copy.deepcopy(good)
        del made["points"][0][key]
        assert errors_of("results", made), f"it accepts a point without '{key}'"
    for key, value in (("ranks", 0), ("bytes", -1), ("mean_s", -1), ("mean_s", "1"), ("marks", ["odd"]), ("times_s", [-1]),
                       ("operation", ""), ("overlap", 1.5), ("root", -1)):
        made = copy.deepcopy(good)
        made["points"][0][key] = value
        assert errors_of("results", made), f"it accepts {value!r} as '{key}'"


bench_job.run_all([is_sound, jobs_meet_it, memory_meets_it, comparisons_meet_it, what_is_wrong_does_not])
