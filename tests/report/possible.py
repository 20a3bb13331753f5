"""Statements that are impossible in any report: more than the whole of something, a time below 0, a message faster than
memory.

    wrong = impossible(report)             of the JSON
    wrong = impossible_text(text)          of the text"""

import re

# Parts have six digits in JSON, and are rounded one by one.
ROUNDING = 1e-5
MEMORY_BYTES_PER_S, MESSAGE_S = 200e9, 50e-9
UNITS = {"byte": 1, "bytes": 1, "KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30, "TiB": 1 << 40,
         "s": 1, "ms": 1e-3, "us": 1e-6, "µs": 1e-6, "ns": 1e-9, "min": 60, "h": 3600}
PARTS = ("share", "saves_share", "lost_share", "part", "parallel", "load_balance", "communication")
SEVERITIES = ("low", "medium", "high")
PERCENT = re.compile(r"(\d+(?:\.\d+)?) ?%")
TRANSFER = re.compile(r"([\d.]+) (bytes?|[KMGT]iB) (?:from|to) rank .*?takes about ([\d.]+) (\w+)", re.DOTALL)


def walk(value, path=""):
    """All (path, key, value) of what has a key."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield f"{path}.{key}", key, inner
            yield from walk(inner, f"{path}.{key}")
    elif isinstance(value, list):
        for number, inner in enumerate(value):
            yield from walk(inner, f"{path}[{number}]")


def plain_numbers(report):
    for path, key, value in walk(report):
        if not isinstance(value, (int, float)) or isinstance(value, bool):
            continue
        if key.endswith("_s") and value < 0:
            yield f"{path} is {value} s"
        if key in PARTS and not 0 <= value <= 1 + ROUNDING:
            yield f"{path} is {value} of the whole"


def at_most(what, parts, whole):
    total = sum(parts)
    if total > whole * (1 + ROUNDING):
        yield f"{what}: {total} of {whole}"


def of_findings(report):
    for number, finding in enumerate(report["findings"], 1):
        name, total = f"finding {number} ({finding['pattern']})", finding["total_s"]
        yield from at_most(f"{name}, longest", [finding["max_s"]], total)
        yield from at_most(f"{name}, ranks", [row["total_s"] for row in finding["by_rank"]], total)
        yield from at_most(f"{name}, partners", [row["total_s"] for row in finding["partners"]], total)
        yield from at_most(f"{name}, causes", [row["total_s"] for row in finding["causes"]], total)
        yield from at_most(f"{name}, phases", [row["part"] for row in finding["phases"]], 1)
        yield from too_fast(name, finding["advice"])
        yield from at_most(f"{name}, savings", [finding["saves_s"] or 0], report["run"]["length_s"])
        if finding["remedy"] not in ("remove", "serve", "parallel") and not finding["pattern"].startswith("run."):
            yield from at_most(f"{name}, savings of a wait", [finding["saves_s"] or 0], total)
        cause = finding["explained_by"] and report["findings"][finding["explained_by"] - 1]
        if cause and cause["predictable"] and finding["predictable"]:
            yield from at_most(f"{name}, savings of its cause", [finding["saves_s"]], cause["saves_s"])
        if cause:
            yield from at_most(f"{name}, time lost by its cause", [finding["lost_s"]], cause["lost_s"])
            if finding["predictable"] and not cause["predictable"]:
                yield f"{name} has savings, but its cause has none"
            if SEVERITIES.index(finding["severity"]) > SEVERITIES.index(cause["severity"]):
                yield f"{name} is {finding['severity']}, but its cause is {cause['severity']}"
    # Origins are about waits that other findings charge.
    yield from at_most("all findings", [finding["total_s"] for finding in report["findings"] if not finding["pattern"].startswith("run.")], report["run"]["time_s"])


def of_path(report):
    path = report["critical_path"]
    if path:
        length = path["to_s"] - path["from_s"]
        yield from at_most("critical path", [path[key] for key in ("computing_s", "communication_s", "noise_s")], length)
        yield from at_most("critical path, ranks", [row["share"] for row in path["ranks"]], 1)
        yield from at_most("critical path, places", [row["share"] for row in path["places"]], 1)
        for place in path["places"]:
            yield from at_most(f"critical path, {place['text']}", [place["excess_s"] or 0], place["total_s"])


def of_summary(report):
    run, summary = report["run"], report["summary"]
    yield from at_most("without a processor", [run["without_processor_s"]], run["time_s"])
    yield from at_most("length", [run["length_s"]], run["elapsed_s"])
    if not summary:
        return
    yield from at_most("time", [summary[key] for key in ("computing_s", "communication_s", "tool_s", "unrecorded_s")], run["time_s"])
    yield from at_most("functions", [row["share"] for row in summary["functions"]], 1)
    yield from at_most("call paths", [row["share"] for row in summary["call_paths"]], 1)
    for rank in summary["ranks"]:
        name = f"rank {rank['rank']}"
        yield from at_most(name, [rank["computing_s"], rank["communication_s"]], rank["length_s"])
        yield from at_most(f"{name}, waiting", [rank["waiting_s"]], rank["communication_s"])
    for phase in summary["phases"]:
        yield from at_most(f"phase {phase['path']}", [phase["computing_s"], phase["communication_s"]], phase["time_s"])


def too_fast(name, text):
    for bytes_, bytes_unit, time, unit in TRANSFER.findall(text):
        seconds = float(time) * UNITS[unit]
        if 1.01 * seconds < MESSAGE_S + float(bytes_) * UNITS[bytes_unit] / MEMORY_BYTES_PER_S:
            yield f"{name}: {bytes_} {bytes_unit} in {time} {unit}"


def impossible(report):
    """A sentence for each impossible value."""
    return [*plain_numbers(report), *of_findings(report), *of_path(report), *of_summary(report)]


def impossible_text(text):
    lines = text.splitlines()
    return [f"more than all: {line}" for line in lines if any(float(part) > 100 for part in PERCENT.findall(line))] + \
           [f"below 0: {line}" for line in lines if re.search(r"(?<![\w.-])-\d+(\.\d+)? ?(%|s|ms|us|ns|h|min)\b", line)]
