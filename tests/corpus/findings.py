"""Findings in a correct program: each is justified in justified.txt, otherwise the rules are wrong. The findings are the same for the trace
as an OTF2 archive.

On a busy machine processes have no CPU most of the time, also in MPI_Init, which they then leave at different times: findings below a
fraction of that time may result from it and are ignored. Negligible findings are also ignored: most programs run for less than a second,
part of which is the loading of libraries."""

import json
import os
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path += [os.path.join(HERE, "..", "knowledge"), os.path.join(HERE, "..", "report")]

from possible import impossible  # noqa: E402
from tries import without_processor_s  # noqa: E402

NOISE_LEFT = 0.2
LEAST_SHARE = 0.03


def justified():
    """(program, pattern, line) of allowed findings."""
    with open(os.path.join(HERE, "justified.txt"), encoding="utf-8") as file:
        rows = [line.split("|") for line in file if line.strip() and not line.startswith("#")]
    return {(program.strip(), pattern.strip(), int(line)) for program, pattern, line, reason in rows if reason.strip()}


def command(*line):
    return subprocess.run(line, capture_output=True, text=True, check=True).stdout


def report_of(tarry, trace):
    return json.loads(command(tarry, "analyze", "--all", "--json", "-", trace))


def unjustified(tarry, trace, source):
    page = json.loads(command(tarry, "info", "--json", trace))
    noise = 1e9 * without_processor_s(tarry, trace) / page["threads_time_ns"]
    allowed = justified()
    wrong = []
    for finding in report_of(tarry, trace)["findings"]:
        key = (os.path.basename(source), finding["pattern"], finding["line"])
        if finding["share"] >= max(LEAST_SHARE, NOISE_LEFT * noise) and key not in allowed:
            wrong.append(f"{finding['pattern']} at {os.path.basename(finding['file'] or '?')}:{finding['line']}, "
                         f"{finding['total_s']} s, {100 * finding['share']:.1f} % (without a processor {100 * noise:.0f} %): "
                         f"{finding['advice']}")
    return wrong


def impossible_statements(tarry, trace):
    return [f"the report says what cannot be: {wrong}" for wrong in impossible(json.loads(command(tarry, "report", "--all", "--json", "-", trace)))]


def differences(tarry, trace, work):
    report, archive = report_of(tarry, trace), os.path.join(work, "archive")
    command(tarry, "export", "--force", "--otf2", archive, trace)
    other = report_of(tarry, os.path.join(archive, "traces.otf2"))
    return [f"{name} of the trace as an OTF2 archive differ: {report[name]} {other[name]}"
            for name in ("findings", "metrics") if report[name] != other[name]]
