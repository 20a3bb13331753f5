"""Reports as JSON match their schema, which has and describes all of their keys.

    schema.py TARRY DOCS"""

import copy
import json
import os
import re
import sys

from schemas import closed
from traces import TRACES, report_of, run_with, skip

if not run_with("jsonschema"):
    skip("no Python here has jsonschema")
import jsonschema  # noqa: E402

TARRY, DOCS = sys.argv[1:]


def properties_of(schema):
    if isinstance(schema, dict):
        yield from schema.get("properties", {})
        for value in schema.values():
            yield from properties_of(value)
    elif isinstance(schema, list):
        for value in schema:
            yield from properties_of(value)


# Where records of src/output/report/fields.c are in a report.
RECORDS = {
    "efficiency_fields": "efficiency", "run_fields": "summary", "run_sum_fields": "summary", "run_edge_fields": "summary",
    "rank_time_fields": "summary.ranks", "rank_fields": "summary.ranks", "phase_fields": "summary.phases",
    "iteration_fields": "summary.iteration", "iteration_group_fields": "summary.iterations", "iteration_outlier_fields": "iteration_outlier", "collective_fields": "summary.collective_sizes", "traffic_fields": "summary.matrix",
    "profile_fields": "summary.functions", "local_fields": "summary.functions", "action_fields": "action",
    "cost_fields": "finding.by_rank", "partner_fields": "partner_in_full", "cause_fields": "cause", "metric_fields": "metric",
    "path_fields": "critical_path", "reason_fields": "trust.reasons",
}
TYPES = {"SECONDS": "seconds", "COUNT": "integer", "COUNT32": "integer", "REAL": "number", "BOOL": "boolean", "TEXT": "string"}


def record_of(schema, path):
    """The schema of the objects at a path below the definitions."""
    first, *keys = path.split(".")
    found = schema["definitions"][first]
    for key in keys:
        found = found["properties"][key]
        found = found.get("items", found)
    return found["oneOf"][1] if "oneOf" in found else found


def type_of(schema, value):
    name = value.get("$ref", "").rpartition("/")[2]
    return name if name == "seconds" else schema["definitions"][name]["type"] if name else value["type"]


def check_fields(schema, source, described):
    """Each field that is declared is in the schema with its type, and the table of report-format.md has its meaning."""
    rows = []
    for table, body in re.findall(r"const struct json_field (\w+)\[\] = \{(.*?)\{0\}", source, re.DOTALL):
        record = record_of(schema, RECORDS[table])
        for name, kind, meaning in re.findall(r'JSON_FIELD\(\w+, "(\w+)", (\w+), \w+,\s*"([^"]*)"\)', body):
            assert name in record["required"], f"report.schema.json: {RECORDS[table]} does not require {name}"
            found = type_of(schema, record["properties"][name])
            allowed = (TYPES[kind], "number" if kind == "SECONDS" else None)
            assert found in allowed, f"report.schema.json: {RECORDS[table]}.{name} is {found}, not {TYPES[kind]}"
            rows.append(f"| `{RECORDS[table]}` | `{name}` | {TYPES[kind]} | {meaning} |\n")
    assert len(rows) == source.count("JSON_FIELD("), f"{len(rows)} of {source.count('JSON_FIELD(')} fields of fields.c were understood"
    assert "".join(rows) in described, "report-format.md should list these fields:\n" + "".join(rows)


def broken(report):
    """Each is the report with one error."""
    def change(where, key, value):
        made = copy.deepcopy(report)
        place = made
        for step in where:
            place = place[step]
        if value is None:
            del place[key]
        else:
            place[key] = value
        return made
    first = ("findings", 0)
    for key in ("pattern", "severity", "confidence", "occurrences", "total_s", "share", "processes", "file", "line", "function",
                "partner", "advice", "nodes", "threads", "path", "histogram", "worst"):
        yield change(first, key, None)
    yield change((), "metrics", None)
    yield change((), "trust", None)
    yield change(("trust",), "verdict", "some")
    yield change(first, "severity", "grave")
    yield change(first, "occurrences", 0)
    yield change(first, "line", "42")
    yield change(("summary", "efficiency"), "parallel", 1.5)
    yield change(("summary", "matrix", 0), "bytes", -1)
    yield change(("metrics", "late-sender"), "total_s", "2.5")


def check_whatif():
    with open(os.path.join(DOCS, "whatif.schema.json"), encoding="utf-8") as file:
        schema = json.load(file)
    with open(os.path.join(DOCS, "whatif.md"), encoding="utf-8") as file:
        described = set(re.findall(r"`([a-z_]+)`", file.read()))
    unknown = sorted(set(properties_of(schema)) - described)
    assert not unknown, f"whatif.md does not describe {unknown}"
    jsonschema.Draft7Validator.check_schema(schema)
    validator = jsonschema.Draft7Validator(closed(schema))
    for name, lines in TRACES.items():
        errors = [f"{list(error.path)}: {error.message}" for error in validator.iter_errors(report_of(TARRY, lines(), command="whatif"))]
        assert not errors, (name, errors)


def main():
    check_whatif()
    with open(os.path.join(DOCS, "report.schema.json"), encoding="utf-8") as file:
        schema = json.load(file)
    with open(os.path.join(DOCS, "report-format.md"), encoding="utf-8") as file:
        described = {word for name in re.findall(r"`([a-z_.]+)`", file.read()) for word in name.split(".")}
    with open(os.path.join(DOCS, "report-format.md"), encoding="utf-8") as file, \
            open(os.path.join(DOCS, os.pardir, "src", "output", "report", "fields.c"), encoding="utf-8") as source:
        check_fields(schema, source.read(), file.read())
    jsonschema.Draft7Validator.check_schema(schema)
    validator = jsonschema.Draft7Validator(closed(schema))
    for name, lines in TRACES.items():
        for command in ("report", "analyze"):
            for options in ([], ["--all"], ["--lang", "ru"], ["--no-shipped"]):
                report = report_of(TARRY, lines(), *options, command=command)
                errors = [f"{list(error.path)}: {error.message}" for error in validator.iter_errors(report)]
                assert not errors, (name, command, options, errors)
    report = report_of(TARRY, TRACES["plain"]())
    wrong = list(broken(report))
    accepted = [number for number, made in enumerate(wrong) if validator.is_valid(made)]
    assert not accepted, f"the schema accepts what is wrong: {accepted}"
    with open(os.path.join(DOCS, os.pardir, "src", "output", "report", "trust.c"), encoding="utf-8") as file:
        reasons = re.findall(r'{"([a-z-]+)", TRUST_', file.read())
    with open(os.path.join(DOCS, "report-format.md"), encoding="utf-8") as file:
        listed = re.findall(r"^\| `([a-z-]+)` \|.*\| (?:true|false) \|$", file.read(), re.MULTILINE)
    assert reasons and reasons == listed, f"report-format.md lists the reasons {listed}, and there are {reasons}"
    unknown = sorted(set(properties_of(schema)) - described)
    assert not unknown, f"report-format.md does not describe {unknown}"
    print(f"{len(TRACES)} traces meet the schema, {len(wrong)} wrong reports do not")


main()
