"""Arguments of MPI functions for rules: the trace has the values that the program reports, and none of them without the
rules.

    arguments.py --mpi mpich --mpicc mpicc.mpich --launcher mpiexec.mpich --cc cc --bin build/bin --work DIR CASE"""

import fnmatch
import os
import sys

import traced
from traced import check

HERE = os.path.dirname(os.path.abspath(__file__))


def read_said(path):
    """A list for each function: its calls, each {argument: value}."""
    calls = {}
    with open(path, encoding="utf-8") as file:
        for line in file:
            words = line.rstrip("\n").split("|")
            calls.setdefault(words[0], []).append(dict(zip(words[1::2], words[2::2])))
    return calls


def wanted(said):
    """{function: arguments} that any process reports."""
    found = {}
    for calls in said:
        for function, several in calls.items():
            for call in several:
                found.setdefault(function, {}).update(dict.fromkeys(call))
    return found


def write_rules(path, functions):
    with open(path, "w", encoding="utf-8") as file:
        for function, arguments in functions.items():
            parameters = ", ".join(f"p{i} = {argument}" for i, argument in enumerate(arguments))
            file.write(f"declare event e_{function} for {function} parameters( {parameters} );\n")


# Arguments that every trace has, by the fields of other names.
FIELDS = {"dest": "peer", "tag": "tag", "rank": "target", "count": "count"}


def value_of(event, argument):
    """As text; '-': the call has none."""
    params = traced.values(event)
    if argument in params:
        return str(params[argument])
    fields = dict(event.fields)
    return fields.get(FIELDS.get(argument, ""), "-")


def compare(said, process):
    for function, calls in said.items():
        events = traced.of(process, function)
        check(len(events) >= len(calls), f"rank {process.rank}: {len(events)} calls of {function}, not {len(calls)}")
        for number, (event, call) in enumerate(zip(events, calls)):
            for argument, value in call.items():
                found = value_of(event, argument)
                check(fnmatch.fnmatchcase(found, value) and (value == "-") == (found == "-"),
                      f"rank {process.rank}: {argument} of call {number} of {function} is {found}, not {value}")


def said_by_all(bench):
    return [read_said(os.path.join(bench.work, f"said-{rank}.txt")) for rank in range(traced.RANKS)]


def has_params(process):
    return any(key == "param" for thread in process.threads for event in thread for key, _ in event.fields)


def build(bench, case):
    """The program in C, or in Fortran as it uses this face of MPI."""
    if case == "arguments":
        bench.compile(bench.options.mpicc, "-w", "-o", "program", os.path.join(HERE, "arguments.c"))
        return
    result = bench.run(bench.options.fc, f"-D{case}", "-g", "-w", "-fallow-argument-mismatch", "-o", "program",
                       os.path.join(HERE, "arguments.F90"))
    check(result.returncode == 0, result.stderr)


def main():
    options = traced.parse_options(help="arguments, or FACE of arguments.F90")
    bench = traced.Bench(options)
    build(bench, options.case)
    plain, _ = bench.record(None, "./program", "word")
    check(not any(map(has_params, plain)), "arguments are recorded that no rule asked for")
    write_rules(os.path.join(bench.work, "all.rules"), wanted(said_by_all(bench)))
    for by in ("run", "exec"):
        processes, _ = bench.record("all.rules", "./program", "word", by=by)
        for process, said in zip(processes, said_by_all(bench)):
            compare(said, process)
    missing = bench.run(bench.tarry, "dump", "--no-source", "trace")
    check("property argument" in missing.stdout, "the trace does not tell what was asked for")


if __name__ == "__main__":
    sys.exit(main())
