#!/usr/bin/env python3
"""Findings as JSON match their schema, which has all of their keys; SARIF has the same content.

    formats.py BIN DOCS"""

import copy
import json
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "report"))
from schemas import closed  # noqa: E402
from traces import run_with, skip  # noqa: E402

if not run_with("jsonschema"):
    skip("no Python here has jsonschema")
import jsonschema  # noqa: E402
import waits  # noqa: E402
from logs import FINISHED, TRUNCATED, Run, leak, log_bytes, negative, sarif_of  # noqa: E402

problems = []


def expect(condition, what):
    if not condition:
        problems.append(what)


def is_valid(schema, value):
    return jsonschema.Draft202012Validator(schema).is_valid(value)


def check_json(run, schema):
    (run.folder / "known").write_text("end.abort nowhere\n")
    told = run.json("--suppress", "known")
    for error in jsonschema.Draft202012Validator(schema).iter_errors(told):
        problems.append(f"{list(error.path)}: {error.message}")
    for key in ("id", "class", "severity", "ranks", "calls", "message", "why", "fix", "times", "values"):
        broken = copy.deepcopy(told)
        del broken["findings"][0][key]
        expect(not is_valid(schema, broken), f"the schema does without '{key}'")
    for key in ("function", "file", "line", "rank", "arguments", "stack"):
        broken = copy.deepcopy(told)
        del broken["findings"][0]["calls"][0][key]
        expect(not is_valid(schema, broken), f"the schema does without '{key}' of calls")
    return told


def check_waits(schema):
    """Deadlocks and hangs."""
    for log in (waits.ring(3), waits.sends(), waits.knot(), waits.finished(), waits.one_sided(), waits.mismatch(), waits.bystanders(), waits.hang(), waits.potential()):
        run = Run()
        run.write(0, log_bytes(log.replace("at app.c", f"at {run.folder}/app.c") + waits.members(4) + "end\n"))
        told = run.json()
        for error in jsonschema.Draft202012Validator(schema).iter_errors(told):
            problems.append(f"{list(error.path)}: {error.message}")
        check_sarif(told, sarif_of(run))
        found = told["findings"][0]
        expect(len(found["waits"]) == log.count("\nwait "), "all waits")
        expect(all(wait[end] < len(found["calls"]) for wait in found["waits"] for end in ("from", "to")), "waits name calls")
        if found["id"] == "deadlock.hang":
            expect(found["late"] == [3] and [state["ranks"] for state in found["states"]] == [[3], [6], [0, 1, 2, 4, 5, 7]], f"states: {found}")
            expect("behind" not in found, "nothing is behind a hang")
        else:
            expect("states" not in found and "late" not in found, "states are for hangs")
        for key in ("from", "to", "one_of", "why") if found["waits"] else ():
            broken = copy.deepcopy(told)
            del broken["findings"][0]["waits"][0][key]
            expect(not is_valid(schema, broken), f"the schema does without '{key}' of waits")
    run = Run(waits.sends() + waits.members(4) + "end\n")
    found = run.json()["findings"][0]
    expect([state["ranks"] for state in found["behind"]] == [list(range(2, 64))], f"behind: {found['behind']}")
    expect({call["role"] for call in found["calls"]} == {"waits", "behind"}, "roles")
    texts = [place["message"]["text"] for place in sarif_of(run)["runs"][0]["results"][0]["relatedLocations"]]
    expect(texts == ["rank 1: MPI_Send, waits until rank 0 receives the message", "ranks 2-63: MPI_Barrier, waits for these"], f"related locations have the roles: {texts}")
    first = sarif_of(run)["runs"][0]["results"][0]["locations"][0]["message"]["text"]
    expect(first == "rank 0: MPI_Send, waits until rank 1 receives the message", f"locations: {first}")


def check_roles(schema):
    """Every role that a call can have in a finding."""
    header = (pathlib.Path(sys.argv[2]).parent / "src/check/protocol/finding.h").read_text()
    roles = set(re.findall(r'#define NOTE_\w+ (?:\\\n\s*)?"(\w+)"', header)) | {"here"}
    expect(len(roles) > 12 and set(schema["$defs"]["role"]["enum"]) == roles, f"roles of the schema: {roles ^ set(schema['$defs']['role']['enum'])}")


def check_sarif(told, sarif):
    expect(sarif["version"] == "2.1.0" and len(sarif["runs"]) == 1, "one run of SARIF 2.1.0")
    run = sarif["runs"][0]
    rules = run["tool"]["driver"]["rules"]
    expect(len({rule["id"] for rule in rules}) == len(rules), "each rule once")
    expect(len(run["results"]) == len(told["findings"]), "a result for each finding")
    for result, finding in zip(run["results"], told["findings"]):
        first = result["locations"][0]["physicalLocation"]
        expect(rules[result["ruleIndex"]]["id"] == result["ruleId"] == finding["id"], "rules are named by place and id")
        expect(result["level"] == finding["severity"] and result["occurrenceCount"] == finding["times"], "severity and times")
        expect(finding["why"].split(" (")[0] in result["message"]["text"], "the message says why")
        expect(first["artifactLocation"] == {"uri": "app.c", "uriBaseId": "SRCROOT"}, f"a path below the root: {first}")
        expect(first["region"]["startLine"] == finding.get("states", finding["calls"])[0]["line"], "the line")
    prints = [json.dumps(result["partialFingerprints"]) for result in run["results"]]
    expect(len(set(prints)) == len(prints), "fingerprints differ")
    expect(run["invocations"][0]["executionSuccessful"] == told["trust"]["complete"], "trust")


def main():
    schema = closed(json.loads((pathlib.Path(sys.argv[2]) / "findings.schema.json").read_text()))
    for log in (TRUNCATED + leak(0) + leak(1) + negative(3) + negative(3, line=7) + FINISHED + "end\n", negative(2) + FINISHED):
        run = Run()
        run.write(0, log_bytes(log.replace("at app.c", f"at {run.folder}/app.c")))
        check_sarif(check_json(run, schema), sarif_of(run))
    check_waits(schema)
    check_roles(schema)
    print("\n".join(problems) or "JSON and SARIF are as they should be")
    sys.exit(bool(problems))


main()
