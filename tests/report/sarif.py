"""Reports as SARIF 2.1.0: every object has the properties that the standard requires and no others, according to the object model
generated from the standard's schema; our own rules, written from the standard, check the rest.

    sarif.py TARRY"""

import re
import sys
import urllib.parse

from traces import AWKWARD, TRACES, report_of, run_with

TARRY = sys.argv[1]

# Which object belongs where: by class, property and the class of its value, in a list or not.
PARTS = {
    "SarifLog": {"runs": ["Run"]},
    "Run": {"tool": "Tool", "invocations": ["Invocation"], "results": ["Result"], "originalUriBaseIds": {"": "ArtifactLocation"}},
    "Tool": {"driver": "ToolComponent"},
    "ToolComponent": {"rules": ["ReportingDescriptor"]},
    "ReportingDescriptor": {"shortDescription": "MultiformatMessageString", "fullDescription": "MultiformatMessageString",
                            "properties": "PropertyBag"},
    "Invocation": {"toolExecutionNotifications": ["Notification"]},
    "Notification": {"message": "Message"},
    "Result": {"message": "Message", "locations": ["Location"], "relatedLocations": ["Location"], "codeFlows": ["CodeFlow"],
               "properties": "PropertyBag"},
    "Location": {"physicalLocation": "PhysicalLocation", "logicalLocations": ["LogicalLocation"], "message": "Message"},
    "PhysicalLocation": {"artifactLocation": "ArtifactLocation", "region": "Region"},
    "CodeFlow": {"threadFlows": ["ThreadFlow"]},
    "ThreadFlow": {"locations": ["ThreadFlowLocation"]},
    "ThreadFlowLocation": {"location": "Location", "properties": "PropertyBag"},
}
LEVELS = {"high": "error", "medium": "warning", "low": "note"}
URI = re.compile(r"(?:[A-Za-z0-9\-._~/:]|%[0-9A-F]{2})*")


def check_object(model, value, kind, where):
    """Faults in an object and those inside of it."""
    if kind == "PropertyBag":
        return
    properties = {attribute.metadata["schema_property_name"]: attribute.default for attribute in getattr(model, kind).__attrs_attrs__}
    for key in value:
        if key not in properties:
            yield f"{where}: a {kind} has no '{key}'"
    for key, default in properties.items():
        if default is model.NOTHING and key not in value:
            yield f"{where}: a {kind} needs '{key}'"
    for key, part in PARTS.get(kind, {}).items():
        if key in value:
            yield from check_part(model, value[key], part, f"{where}/{key}")


def check_part(model, value, part, where):
    if isinstance(part, list):
        for number, item in enumerate(value):
            yield from check_object(model, item, part[0], f"{where}/{number}")
    elif isinstance(part, dict):
        for key, item in value.items():
            yield from check_object(model, item, part[""], f"{where}/{key}")
    else:
        yield from check_object(model, value, part, where)


def locations_of(result):
    yield from result["locations"]
    yield from result["relatedLocations"]
    for flow in result.get("codeFlows", []):
        for thread in flow["threadFlows"]:
            assert thread["locations"], "a flow without steps"
            yield from (step["location"] for step in thread["locations"])


def check_location(location, bases):
    physical = location.get("physicalLocation")
    assert physical or location["logicalLocations"], location
    assert all(logical["name"] for logical in location["logicalLocations"]), location
    if not physical:
        return
    artifact = physical["artifactLocation"]
    assert URI.fullmatch(artifact["uri"]) and artifact["uri"], artifact
    is_absolute = artifact["uri"].startswith("file:///")
    assert is_absolute != ("uriBaseId" in artifact), artifact
    assert artifact.get("uriBaseId", "SRCROOT") in bases, artifact
    assert physical["region"]["startLine"] >= 1, physical


def check_message(message):
    """Braces and brackets mean something else unless they are escaped."""
    plain = re.sub(r"\\\\|\\\[|\\\]|\{\{|\}\}", "", message["text"])
    assert plain and not re.search(r"[\[\]{}\\]", plain), message


def check_steps(result):
    orders = sorted(step["executionOrder"] for flow in result.get("codeFlows", []) for thread in flow["threadFlows"]
                    for step in thread["locations"])
    assert orders == list(range(1, len(orders) + 1)), orders
    for flow in result.get("codeFlows", []):
        for thread in flow["threadFlows"]:
            starts = [step["properties"]["start_s"] for step in thread["locations"]]
            assert starts == sorted(starts), thread


def check_result(result, finding, run):
    assert run["tool"]["driver"]["rules"][result["ruleIndex"]]["id"] == result["ruleId"] == finding["pattern"]
    assert result["level"] == LEVELS[finding["severity"]], result
    first = finding["saves_share"] if finding["predictable"] else finding["share"]
    assert abs(result["rank"] - 100 * first) < 1e-3 and 0 <= result["rank"] <= 100, result
    assert result["occurrenceCount"] == finding["occurrences"] >= 1, result
    related = len(finding["partners"]) + sum(cause["to"] is not None for cause in finding["causes"])
    assert [location["id"] for location in result["relatedLocations"]] == list(range(1, related + 1)), result
    named = any(word in result["message"]["text"] for word in ("Cause: ", "Причина: "))
    assert named == (finding["causes"] != []), result
    assert finding["name"] in result["message"]["text"], result
    check_message(result["message"])
    for location in locations_of(result):
        check_location(location, run["originalUriBaseIds"])
    check_steps(result)


def check_log(log, report):
    assert log["version"] == "2.1.0" and log["$schema"].endswith("sarif-schema-2.1.0.json"), log
    run, = log["runs"]
    ids = [rule["id"] for rule in run["tool"]["driver"]["rules"]]
    assert len(ids) == len(set(ids)), ids
    assert len(run["results"]) == len(report["findings"])
    for result, finding in zip(run["results"], report["findings"]):
        check_result(result, finding, run)
    notes = [notification["message"]["text"] for notification in run["invocations"][0]["toolExecutionNotifications"]]
    assert len(notes) == len(report["notes"]), notes
    prints = [tuple(result["partialFingerprints"].values()) for result in run["results"]]
    assert len(prints) == len(set(prints)), prints


def log_of(lines, *options):
    return report_of(TARRY, lines, *options, form="sarif")


def prints_of(lines):
    return [result["partialFingerprints"] for result in log_of(lines)["runs"][0]["results"]]


def check_names():
    """A viewer that decodes the names finds the files."""
    log = log_of(TRACES["awkward"]())
    names = {urllib.parse.unquote_to_bytes(result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"])
             for result in log["runs"][0]["results"]}
    assert names == {name if not name.startswith(b"/") else b"file://" + name for name in AWKWARD}, names


def check_fingerprints():
    """They are stable if lines are added above, and only then."""
    before = prints_of(TRACES["plain"]())
    assert prints_of(line.replace("+0x2", "+0x3") for line in TRACES["plain"]()) == before
    assert prints_of(line.replace("halo.c", "hello.c") for line in TRACES["plain"]()) != before


def check_model():
    """All of it against the object model; and what is planted is noticed."""
    import attr
    import sarif_om as model
    model.NOTHING = attr.NOTHING
    for name, lines in TRACES.items():
        faults = list(check_object(model, log_of(lines()), "SarifLog", name))
        assert not faults, faults
    log = log_of(TRACES["plain"]())
    log["runs"][0]["results"][0]["severity"] = "high"
    del log["runs"][0]["results"][0]["message"]
    del log["runs"][0]["invocations"][0]["executionSuccessful"]
    faults = list(check_object(model, log, "SarifLog", "planted"))
    assert len(faults) == 3, faults


def main():
    has_model = run_with("sarif_om")
    for lines in TRACES.values():
        for options in ([], ["--all"], ["--lang", "ru"]):
            check_log(log_of(lines(), *options), report_of(TARRY, lines(), *options))
    check_names()
    check_fingerprints()
    print(f"{len(TRACES)} reports are sound")
    if has_model:
        check_model()
        print("and have the properties that the standard knows")


main()
