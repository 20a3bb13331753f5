"""Tarry's traces and reports as tables.

    import tarry
    run = tarry.open("run.tarry")
    print(run.findings())

Tables are data frames of pandas if it is installed, otherwise lists of dictionaries. docs/python.md describes the columns.
"""

import csv
import io
import json
import os
import shutil
import subprocess
import sys
import warnings

try:
    import pandas
except ImportError:
    pandas = None

__all__ = ["Error", "Run", "open", "extrap"]

_INTEGERS = {"rank", "thread", "line", "tag", "bytes", "sent", "received", "polls", "busy_ns"}
_NUMBERED_WORDS = {"peer", "root"}  # a rank, or a word such as "any"


class Error(Exception):
    """Tarry could not do what was asked; the text is its message."""


def program():
    """The command: $TARRY, that of the installation of this file, or that of PATH."""
    # Without ".." in it: in a build, the folder is a link.
    prefix = os.path.normpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", ".."))
    own = os.path.join(prefix, "bin", "tarry")
    for path in (os.environ.get("TARRY"), own, shutil.which("tarry")):
        if path and os.access(path, os.X_OK):
            return path
    raise Error("the command 'tarry' is neither in PATH nor named by TARRY")


def _output_of(*arguments):
    """What the command prints. A damaged trace gives output and a message, which becomes a warning."""
    done = subprocess.run([program(), *arguments], capture_output=True, check=False)
    message = done.stderr.decode(errors="replace").strip()
    if not done.stdout:
        raise Error(message or "'tarry %s' printed nothing" % " ".join(arguments))
    if done.returncode:
        warnings.warn(message, stacklevel=4)
    return done.stdout.decode(errors="replace")


def _is_integer(column):
    return column in _INTEGERS or column.rsplit("_", 1)[-1] in ("rank", "thread", "ns", "line")


def _rank_or_word(cell):
    return int(cell) if cell.lstrip("-").isdigit() else cell or None


def _cell(column, cell):
    if _is_integer(column):
        return int(cell) if cell else None
    return _rank_or_word(cell) if column in _NUMBERED_WORDS else cell


def _table_of_csv(text, frames):
    if not frames:
        rows = csv.DictReader(io.StringIO(text, newline=""))
        return [{column: _cell(column, cell) for column, cell in row.items()} for row in rows]
    columns = text.split("\n", 1)[0].split(",")
    integers = [column for column in columns if _is_integer(column)]
    words = [column for column in columns if column in _NUMBERED_WORDS]
    others = [column for column in columns if column not in integers and column not in words]
    return pandas.read_csv(io.StringIO(text), keep_default_na=False, na_values={column: [""] for column in integers},
                           dtype={**dict.fromkeys(integers, "Int64"), **dict.fromkeys(others, str)},
                           converters=dict.fromkeys(words, _rank_or_word))


class Run:
    """A trace, or a report that `tarry report --json` wrote. Reports have neither calls nor messages."""

    def __init__(self, path, frames=None):
        self.path = os.fspath(path)
        self.frames = pandas is not None if frames is None else frames
        self._report = None
        if self.frames and pandas is None:
            raise Error("pandas is not installed")
        if not os.path.exists(self.path):
            raise Error("'%s' does not exist" % self.path)

    def _is_report(self):
        if not os.path.isfile(self.path):
            return False
        with io.open(self.path, "rb") as file:
            return file.read(1) == b"{"

    @property
    def report(self):
        """The whole report, as docs/report-format.md describes it."""
        if self._report is None and self._is_report():
            with io.open(self.path, encoding="utf-8") as file:
                self._report = json.load(file)
        elif self._report is None:
            self._report = json.loads(_output_of("report", "--all", "--json", "-", self.path))
        return self._report

    def _frame(self, rows):
        return pandas.DataFrame(rows) if self.frames else rows

    def _export(self, table, ranks, calls, start, end):
        if self._is_report():
            raise Error("'%s' is a report, which has no single calls: open the trace" % self.path)
        given = {"--ranks": ranks, "--calls": calls, "--from": start, "--to": end}
        options = [word for option, value in given.items() if value is not None for word in (option, str(value))]
        return _table_of_csv(_output_of("export", table, "-", *options, self.path), self.frames)

    def calls(self, ranks=None, calls=None, start=None, end=None):
        """A row for each call. ranks="0-3,8", calls="p2p" or "MPI_Send,MPI_Recv", start="1.5s", end="2s"."""
        return self._export("--csv", ranks, calls, start, end)

    def messages(self, ranks=None, calls=None, start=None, end=None):
        """A row for each received message that selected calls sent or received."""
        return self._export("--messages", ranks, calls, start, end)

    def findings(self):
        """A row for each finding, the most expensive first; also insignificant ones, unless a report omits them."""
        return self._frame(self.report["findings"])

    def iterations(self):
        """A row for each group of consecutive iterations; none if no iteration is recognised."""
        return self.summary("iterations")

    def summary(self, table):
        """A table of the summary by its name in the report, such as ranks, phases, functions, call_paths, matrix."""
        tables = {name for name, rows in (self.report["summary"] or {}).items() if isinstance(rows, list)}
        if table not in tables:
            raise Error("no table '%s': the summary has %s" % (table, ", ".join(sorted(tables)) or "none"))
        return self._frame(self.report["summary"][table])


def open(path, frames=None):  # pylint: disable=redefined-builtin
    """Opens a trace or a report. frames=False: lists of dictionaries, even with pandas."""
    return Run(path, frames)


# Extra-P

_METRICS = (("time", "total_s"), ("calls", "calls"), ("bytes", "bytes"))


def _region(row):
    """Callers and call of a row of call_paths, the outermost first."""
    callers = [caller.get("function") or "?" for caller in reversed(row["path"])]
    return "->".join(part.replace("->", ">").replace("\n", " ") for part in
                     [*callers, row["place"] or "?", row["call"]])


def _regions(report):
    """Figures by region, as means of a rank."""
    ranks, summary = report["run"]["processes"] or 1, report["summary"]
    found = {"computing": {"time": summary["computing_s"] / ranks, "calls": 1, "bytes": 0}}
    for row in summary["call_paths"]:
        region = found.setdefault(_region(row), dict.fromkeys([name for name, _ in _METRICS], 0))
        for name, key in _METRICS:
            region[name] += row[key] / ranks
    return found


def extrap(runs, path, parameter="ranks", values=None):
    """Writes runs of different sizes for Extra-P, as its text format. The parameter is the number of ranks, or else `values` has its value for each run.
    Runs with the same value are repetitions. A call path that a run never took has 0 there."""
    runs = [run if isinstance(run, Run) else Run(run) for run in runs]
    values = values or [run.report["run"]["processes"] for run in runs]
    if len(values) != len(runs):
        raise Error("%d values for %d runs" % (len(values), len(runs)))
    points = sorted(set(values))
    figures = [(value, _regions(run.report)) for value, run in zip(values, runs)]
    regions = list(dict.fromkeys(region for _, found in figures for region in found))
    lines = ["PARAMETER %s" % parameter, "POINTS %s" % " ".join("%g" % point for point in points)]
    for metric, _ in _METRICS:
        lines.append("METRIC %s" % metric)
        for region in regions:
            lines.append("REGION %s" % region)
            for point in points:
                data = [found.get(region, {}).get(metric, 0) for value, found in figures if value == point]
                lines.append("DATA %s" % " ".join("%.9f" % value for value in data))
    with io.open(path, "w", encoding="utf-8") as file:
        file.write("\n".join(lines) + "\n")


if __name__ == "__main__":
    if len(sys.argv) < 4 or sys.argv[1] != "extrap":
        sys.exit("usage: python3 -m tarry extrap FILE TRACE...")
    try:
        extrap(sys.argv[3:], sys.argv[2])
    except Error as error:
        sys.exit("tarry: %s" % error)
