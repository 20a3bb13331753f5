"""Reports as JSON match their schema, which has and describes all of their keys.

    schema.py TARRY DOCS [--repair]

Fields are declared in src/output/report (fields.c, finding_fields.def). --repair adds new ones to report.schema.json and writes the tables of report-format.md."""

import collections
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

TARRY, DOCS = sys.argv[1:3]
REPAIR = sys.argv[3:] == ["--repair"]
SOURCE = os.path.join(DOCS, os.pardir, "src", "output", "report")


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
    "efficiency_fields": "efficiency", "hybrid_fields": "hybrid", "counted_fields": "counters", "communication_fields": "communication", "run_fields": "summary", "run_sum_fields": "summary", "run_edge_fields": "summary",
    "rank_time_fields": "summary.ranks", "rank_fields": "summary.ranks", "phase_fields": "summary.phases",
    "iteration_fields": "summary.iteration", "iteration_group_fields": "summary.iterations", "iteration_outlier_fields": "iteration_outlier", "collective_fields": "summary.collective_sizes", "traffic_fields": "summary.matrix",
    "profile_fields": "summary.functions", "local_fields": "summary.functions", "action_fields": "action",
    "cost_fields": "finding.by_rank", "partner_fields": "partner_in_full", "cause_fields": "cause", "metric_fields": "metric",
    "path_fields": "critical_path", "reason_fields": "trust.reasons", "file_fields": "summary.files", "transfer_fields": "file_transfers",
    "mpi_file_fields": "mpi_file_calls",
}
TYPES = {"SECONDS": "seconds", "COUNT": "integer", "COUNT32": "integer", "REAL": "number", "EXACT": "number", "BOOL": "boolean", "TEXT": "string"}
# A new property; existing ones may say more.
PROPERTIES = {"seconds": {"$ref": "#/definitions/seconds"}, "integer": {"type": "integer", "minimum": 0}, "string": {"type": ["string", "null"]}}
LINE = 150
Field = collections.namedtuple("Field", "record name type meaning")


def read(*path):
    with open(os.path.join(*path), encoding="utf-8") as file:
        return file.read()


def declared_fields():
    """Fields of findings first."""
    source, findings = read(SOURCE, "fields.c"), read(SOURCE, "finding_fields.def")
    rows = re.findall(r'^FIELD\((\w+), (\w+), .+?, (?:NULL|"[^"]*"),\s+"([^"]*)"\)$', findings, re.DOTALL | re.MULTILINE)
    assert len(rows) == len(re.findall(r"^FIELD\(", findings, re.MULTILINE)), "a row of finding_fields.def is not understood"
    fields = [Field("finding", name, TYPES[kind], meaning) for name, kind, meaning in rows]
    for table, body in re.findall(r"const struct json_field (\w+)\[\] = \{(.*?)\{0\}", source, re.DOTALL):
        for name, kind, meaning in re.findall(r'JSON_FIELD\(\w+, "(\w+)", (\w+), [\w.]+,\s*"([^"]*)"\)', body):
            fields.append(Field(RECORDS[table], name, TYPES[kind], meaning))
    found, count = len(fields) - len(rows), source.count('JSON_FIELD(') - source.count("JSON_FIELD(finding_value")
    assert found == count, f"{found} of {count} fields of fields.c were understood"
    return fields


def record_of(schema, path):
    """The schema of the objects at a path below the definitions."""
    first, *keys = path.split(".")
    found = schema["definitions"][first]
    for key in keys:
        found = found["properties"][key]
        found = found.get("items", found)
    return found["oneOf"][1] if "oneOf" in found else found


def types_of(schema, value):
    """Without null."""
    if "oneOf" in value:
        return {name for one in value["oneOf"] for name in types_of(schema, one)}
    if "enum" in value:
        return {"string"}
    name = value.get("$ref", "").rpartition("/")[2]
    kinds = "seconds" if name == "seconds" else schema["definitions"][name]["type"] if name else value["type"]
    return {kinds} - {"null"} if isinstance(kinds, str) else set(kinds) - {"null"}


def with_fields(schema, fields):
    """The schema with all fields."""
    schema = copy.deepcopy(schema)
    for field in fields:
        record = record_of(schema, field.record)
        record["properties"].setdefault(field.name, PROPERTIES.get(field.type, {"type": field.type}))
        record["required"] = sorted({*record["required"], field.name})
        found = types_of(schema, record["properties"][field.name])
        assert found <= {field.type, "number" if field.type == "seconds" else field.type}, f"report.schema.json: {field.record}.{field.name} is {found}, not {field.type}"
    return schema


def as_text(value, indent=""):
    """JSON, on one line where there is room."""
    line = json.dumps(value, ensure_ascii=False)
    if not isinstance(value, (dict, list)) or len(indent + line) <= LINE or (isinstance(value, list) and not any(isinstance(one, (dict, list)) for one in value)):
        return line
    deeper = indent + "  "
    if isinstance(value, list):
        return "[\n" + ",\n".join(deeper + as_text(one, deeper) for one in value) + "\n" + indent + "]"
    return "{\n" + ",\n".join(f"{deeper}{json.dumps(key)}: {as_text(one, deeper)}" for key, one in value.items()) + "\n" + indent + "}"


def with_table(text, head, rows):
    """The text with these rows in the table of this head."""
    begin = text.index(head) + len(head)
    begin = text.index("\n", begin) + 1
    end = text.index("\n\n", begin) + 1
    return text[:begin] + "".join(rows) + text[end:]


def check_fields():
    """Each declared field is in the schema with its type, and the tables of report-format.md have its meaning. Returns the schema."""
    fields, schema, described = declared_fields(), json.loads(read(DOCS, "report.schema.json")), read(DOCS, "report-format.md")
    wanted = with_fields(schema, fields)
    tables = with_table(described, "| key | type | meaning |\n", [f"| `{field.name}` | {field.type} | {field.meaning} |\n" for field in fields if field.record == "finding"])
    tables = with_table(tables, "| record | field | type | meaning |\n",
                        [f"| `{field.record}` | `{field.name}` | {field.type} | {field.meaning} |\n" for field in fields if field.record != "finding"])
    if REPAIR:
        for name, text in (("report.schema.json", as_text(wanted) + "\n"), ("report-format.md", tables)):
            with open(os.path.join(DOCS, name), "w", encoding="utf-8") as file:
                file.write(text)
        sys.exit()
    advice = "run 'schema.py TARRY DOCS --repair'"
    assert schema == wanted, f"report.schema.json lacks fields: {advice}"
    assert described == tables, f"report-format.md has other fields than the program: {advice}"
    return schema


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
    schema = check_fields()
    check_whatif()
    described = {word for name in re.findall(r"`([a-z_.]+)`", read(DOCS, "report-format.md")) for word in name.split(".")}
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
    reasons = re.findall(r'{"([a-z-]+)", TRUST_', read(SOURCE, "trust.c"))
    listed = re.findall(r"^\| `([a-z-]+)` \|.*\| (?:true|false) \|$", read(DOCS, "report-format.md"), re.MULTILINE)
    assert reasons and reasons == listed, f"report-format.md lists the reasons {listed}, and there are {reasons}"
    unknown = sorted(set(properties_of(schema)) - described)
    assert not unknown, f"report-format.md does not describe {unknown}"
    print(f"{len(TRACES)} traces meet the schema, {len(wrong)} wrong reports do not")


main()
