"""Functions outside MPI that rules trace: their events in the trace, and that the program does not notice. One case per
invocation.

    traced.py --mpi mpich --mpicc mpicc.mpich --launcher mpiexec.mpich --cc cc --bin build/bin --work DIR CASE"""

import argparse
import glob
import json
import os
import re
import shutil
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.join(HERE, "..", "..")
sys.path.insert(0, os.path.join(ROOT, "tests", "mpi"))
import dumped  # noqa: E402

ON_ONE_MACHINE = os.path.join(ROOT, "scripts", "mpirun-here")
SECONDS = 200
RANKS = 3


def check(condition, what):
    if not condition:
        sys.exit(f"FAILED: {what}")


def line_of(source, text):
    with open(source, encoding="utf-8") as file:
        return next(number for number, line in enumerate(file, 1) if text in line)


def values(event):
    """The named parameters of a traced call."""
    found, name = {}, None
    for key, value in event.fields:
        if key == "param":
            name = value.strip('"')
        elif key in ("value", "text", "real"):
            found[name] = int(value) if key == "value" else float(value) if key == "real" else value.strip('"')
    return found


def with_rules(rules):
    return ["--rules", rules] if rules else []


class Bench:
    """A folder with the programs, and how they are run."""

    def __init__(self, options):
        self.options = options
        self.work = os.path.abspath(options.work)
        self.tarry = os.path.join(os.path.abspath(options.bin), "tarry")
        shutil.rmtree(self.work, ignore_errors=True)
        os.makedirs(self.work)
        self.environment = dict(os.environ, OMPI_MCA_mpi_yield_when_idle="1",
                                XDG_CACHE_HOME=os.path.join(self.work, "cache"), TMPDIR=self.work)

    def compile(self, compiler, *words):
        result = subprocess.run([compiler, "-std=gnu11", "-O1", "-g", "-Wall", "-Wextra", *words], cwd=self.work,
                                capture_output=True, text=True, check=False)
        check(result.returncode == 0, f"{words} does not compile:\n{result.stderr}")

    def run(self, *line, **variables):
        return subprocess.run([ON_ONE_MACHINE, *line], cwd=self.work, env={**self.environment, **variables}, text=True,
                              timeout=SECONDS, capture_output=True, stdin=subprocess.DEVNULL, check=False)

    def launch(self, *program, ranks=RANKS):
        return [self.options.launcher, "-n", str(ranks), *program]

    def record(self, rules, *program, by="run", options=(), ranks=RANKS, **variables):
        """The processes of the trace, and what Tarry said."""
        words = ["-o", "trace", *with_rules(rules), *options]
        if by == "run":
            result = self.run(self.tarry, "run", "--replace", *words, "--", *self.launch(*program, ranks=ranks), **variables)
        else:
            result = self.run(*self.launch(self.tarry, "exec", *words, *program, ranks=ranks), **variables)
        check(result.returncode == 0, f"{program} ended with {result.returncode}:\n{result.stdout}{result.stderr}")
        return self.read("trace"), result

    def read(self, trace):
        dump = self.run(self.tarry, "dump", trace)
        check(dump.returncode == 0, dump.stderr)
        processes = dumped.read_dump(dump.stdout)
        return sorted(processes, key=lambda process: process.rank)

    def analyze(self, rules, trace="trace"):
        result = self.run(self.tarry, "analyze", "--all", "--json", "-", *with_rules(rules), trace)
        check(result.returncode == 0, result.stderr)
        return json.loads(result.stdout)

    def findings(self, rules, pattern):
        return [finding for finding in self.analyze(rules)["findings"] if finding["pattern"] == pattern]


def names(process, thread=0):
    return [event.function for event in process.threads[thread]]


def of(process, function, thread=0):
    return [event for event in process.threads[thread] if event.function == function]


def example(name):
    return os.path.join(ROOT, "examples", name)


def test_rules(bench, rules):
    """The tests that an example's rules carry."""
    result = bench.run(bench.tarry, "rules", "test", rules)
    check(result.returncode == 0 and "2 tests, 0 failed" in result.stdout, result.stdout + result.stderr)


def build_slow_io(bench):
    bench.compile(bench.options.mpicc, "-o", "slow_io", os.path.join(example("slow-io"), "slow_io.c"), "-lpthread")


def slow_io(bench):
    """The writes are in the right place, with the written bytes and their line."""
    build_slow_io(bench)
    rules, source = (os.path.join(example("slow-io"), f"slow_io.{suffix}") for suffix in ("rules", "c"))
    test_rules(bench, rules)
    processes, result = bench.record(rules, "./slow_io")
    check("never saw" not in result.stderr, result.stderr)
    check(len(processes) == RANKS, "a process is missing")
    check(not of(processes[0], "write"), "rank 0 writes nothing")
    middle = [name for name in names(processes[1]) if name in ("MPI_Recv", "write", "MPI_Send")]
    check(middle == ["MPI_Recv", "write", "MPI_Send"] * 4, middle)
    for event in of(processes[1], "write"):
        check(values(event)["asked"] == 1 << 18 and values(event)["written"] == 1 << 18, event.text)
        check((event.file, event.line) == ("slow_io.c", line_of(source, "write(disk->in")), event.text)
    (found,) = bench.findings(rules, "write-before-send")
    check(found["call"] == "write" and found["line"] == line_of(source, "write(disk->in"), found["place"])
    check(found["processes"] == [1] and found["occurrences"] == 4, found)
    check("256 KiB took" in found["advice"], found["advice"])
    processes, _ = bench.record(rules, "./slow_io", "later")
    check(not bench.findings(rules, "write-before-send"), "a write that nobody waits for was found")
    middle = [name for name in names(processes[1]) if name in ("MPI_Recv", "write", "MPI_Send")]
    check(middle == ["MPI_Recv", "MPI_Send", "write"] * 4, middle)
    check(process_property(processes[1], "traced") == ["write"], "the trace does not say what was traced")


def process_property(process, key):
    return [value.strip('"') for value in process.properties.get(key, [])]


def build_own_library(bench):
    folder = example("own-library")
    bench.compile(bench.options.cc, "-fPIC", "-shared", "-o", "libsolver.so", os.path.join(folder, "solver.c"))
    bench.compile(bench.options.mpicc, "-o", "jacobi", os.path.join(folder, "jacobi.c"), "-L.", "-lsolver",
                  "-Wl,-rpath," + bench.work)


def own_library(bench):
    """A library of the user, under `tarry run`, `tarry exec` and with only the functions that rules need."""
    build_own_library(bench)
    rules = os.path.join(example("own-library"), "solver.rules")
    test_rules(bench, rules)
    every, _ = bench.record(rules, "./jacobi")
    for process in every:
        relaxed = [values(event) for event in of(process, "solver_relax")]
        cells = 30000 if process.rank == 1 else 2000
        check([v["level"] for v in relaxed] == list(range(5)), relaxed)
        check(all(v["cells"] == cells and v["error"] == 1 / (v["level"] + 1) for v in relaxed), relaxed)
        met = [name for name in names(process) if name in ("solver_relax", "MPI_Allreduce")]
        check(met == ["solver_relax", "MPI_Allreduce"] * 5, met)
    (found,) = bench.findings(rules, "uneven-relaxation")
    check(found["call"] == "solver_relax" and found["processes"] == [1] and 0 < found["occurrences"] <= 5, found)
    check(found["advice"].startswith("30000 cells took"), found["advice"])
    bench.record(rules, "./jacobi", "even")
    check(not bench.findings(rules, "uneven-relaxation"), "even work was found uneven")
    by_exec, _ = bench.record(rules, "./jacobi", by="exec")
    check([names(process) for process in by_exec] == [names(process) for process in every], "exec records something else")


def functions_in(processes):
    return {event.function for process in processes for thread in process.threads for event in thread}


TIMES = re.compile(r"(?: delay_before=(\d+) delay_inside=(\d+))?(?: blocked_before=(\d+))?$")


def times_of(line):
    """Microseconds: ready without a processor before the call and in it, and blocked before it."""
    return [int(us or 0) for us in TIMES.search(line).groups()]


def with_times(line, ready, blocked):
    """The line of a call whose thread had no processor, and was blocked, for so many more microseconds before it."""
    before, inside, blocked_before = times_of(line)
    before, blocked_before = before + ready, blocked_before + blocked
    delay = f" delay_before={before} delay_inside={inside}" if before + inside else ""
    return TIMES.sub("", line, count=1) + delay + (f" blocked_before={blocked_before}" if blocked_before else "")


def without(text, functions):
    """The text of a trace as if these functions had not been recorded: the next call has the time without a processor during
    them."""
    lines, ready, blocked = [], 0, 0
    for line in text.splitlines():
        if not line[0].isdigit():
            lines.append(line)
            if line.startswith(("process", "thread")):
                ready = blocked = 0
        elif line.split()[2] in functions:
            before, inside, blocked_before = times_of(line)
            ready, blocked = ready + before + inside, blocked + blocked_before
        else:
            lines.append(with_times(line, ready, blocked))
            ready = blocked = 0
    return lines


def first_difference(one, other, path=""):
    """Where two values of JSON differ first, as a path and both values; None if nowhere."""
    if isinstance(one, dict) and isinstance(other, dict) and one.keys() == other.keys():
        pairs = ((f"{path}.{key}", one[key], other[key]) for key in one)
    elif isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        pairs = ((f"{path}[{at}]", *both) for at, both in enumerate(zip(one, other)))
    else:
        return None if one == other else f"{path}: {one} and {other}"
    return next((found for pair in pairs if (found := first_difference(pair[1], pair[2], pair[0]))), None)


def compare_minimal(bench, rules, *program):
    """The same run, with all functions and with only those that --minimal records: the same findings, to the
    nanosecond."""
    fewer, _ = bench.record(rules, *program, options=["--minimal"])
    every, _ = bench.record(rules, *program)
    dropped = functions_in(every) - functions_in(fewer)
    check(functions_in(fewer) < functions_in(every) and "MPI_Comm_rank" in dropped, f"--minimal left out {dropped}")
    (selection,) = process_property(fewer[0], "selection")
    lines = without(bench.run(bench.tarry, "dump", "--no-source", "trace").stdout, dropped)
    lines = [text for line in lines for text in
             ([line, f'property selection "{selection}"'] if line.startswith("process ") else [line])]
    with open(os.path.join(bench.work, "fewer.txt"), "w", encoding="utf-8") as file:
        file.write("\n".join(lines) + "\n")
    result = bench.run(bench.tarry, "assemble", "-o", "fewer.tarry", "fewer.txt")
    check(result.returncode == 0, result.stderr)
    whole, part = bench.analyze(rules), bench.analyze(rules, "fewer")
    check(whole["findings"], "nothing is found at all")
    for key in ("findings", "metrics"):
        differs = first_difference(whole[key], part[key], key)
        check(not differs, f"with fewer functions {program} gives something else: {differs}")


def minimal(bench):
    build_own_library(bench)
    bench.compile(bench.options.mpicc, "-Wno-stringop-overflow", "-o", "heat", os.path.join(example("heat"), "heat.c"), "-lm")
    compare_minimal(bench, os.path.join(example("own-library"), "solver.rules"), "./jacobi")
    compare_minimal(bench, None, "./heat", "20")


def build_strange(bench):
    cc, mpicc = bench.options.cc, bench.options.mpicc
    own = "-Wl,-rpath," + bench.work
    bench.compile(cc, "-fPIC", "-shared", "-o", "libhidden.so", os.path.join(HERE, "strange_hidden.c"))
    bench.compile(cc, "-fPIC", "-shared", "-o", "libplugin.so", os.path.join(HERE, "strange_plugin.c"), "-L.", "-lhidden", own)
    bench.compile(mpicc, "-fPIC", "-shared", "-o", "libstrange.so", os.path.join(HERE, "strange_library.c"))
    bench.compile(mpicc, "-Wno-clobbered", "-o", "strange", os.path.join(HERE, "strange.c"), "-L.", "-lstrange", "-lpthread",
                  "-ldl", own)


def strange(bench):
    """Signals, jumps, threads, children, plugins: the program is unchanged, and everything visible is in the trace."""
    build_strange(bench)
    program = ["./strange", os.path.join(bench.work, "libplugin.so")]
    plain = bench.run(*bench.launch(*program, ranks=1))
    check(plain.returncode == 0 and "plugin: 104" in plain.stdout, plain.stdout + plain.stderr)
    (process,), traced = bench.record(os.path.join(HERE, "strange.rules"), *program, ranks=1)
    check(plain.stdout == traced.stdout, f"{plain.stdout}became\n{traced.stdout}")
    main = names(process)
    at = main.index("outer")
    check(main[at - 2:at + 1] == ["MPI_Barrier", "inner", "outer"], main[:at + 1])
    outer, barrier = process.threads[0][at], process.threads[0][at - 2]
    check(outer.start <= barrier.start and barrier.end <= outer.end, "what it calls lies inside of it")
    check(values(outer) == {"n": 10, "twice": 20, "got": 21}, outer.text)
    greetings = [values(event) for event in of(process, "greet")]
    check(greetings == [{"name": "world", "said": "hello"}, {}], greetings)
    check(not of(process, "call_back"), "a call that was left by a jump has no end")
    check([values(event) for event in of(process, "hidden_work")] == [{"n": 4, "got": 104}], "the plugin's library")
    inner = [values(event) for event in of(process, "inner")]
    check(len(inner) > 1000 and {"n": 5, "half": 2.5, "is_large": 0, "got": 10} in inner, inner[:5])
    check(not any(v["n"] in (1, 2, 3000) and v["is_large"] for v in inner), "the child's call is in the trace")
    threads = [[values(event)["n"] for event in of(process, "inner", thread)] for thread in range(1, len(process.threads))]
    check(threads == [[1000] * 10], threads)
    said = traced.stderr
    check("event 'never_called' never saw a call of 'unused': between MPI_Init and MPI_Finalize" in said, said)
    check("event 'in_program' never saw a call of 'own_function': no library of the program has it" in said, said)
    check(said.count("never saw") == 4 and "'call_back'" in said and "'tick'" in said, said)
    check(not of(process, "tick"), "the handler's stack is too small to be recorded from")


def without_compiler(bench):
    """Wrappers cannot be built: MPI is still recorded, and one message says so."""
    build_own_library(bench)
    rules = os.path.join(example("own-library"), "solver.rules")
    processes, result = bench.record(rules, "./jacobi", CC="/nowhere/cc")
    check(len(of(processes[0], "MPI_Allreduce")) == 5 and not of(processes[0], "solver_relax"), names(processes[0]))
    check("only those of MPI: the variable CC names '/nowhere/cc', which cannot be run" in result.stderr, result.stderr)
    os.remove(os.path.join(bench.work, "trace.tarry"))
    wrong = os.path.join(bench.work, "wrong.rules")
    with open(wrong, "w", encoding="ascii") as file:
        file.write('declare event bad for "void *malloc(size_t n)" parameters( n = n in );\n')
    result = bench.run(bench.tarry, "run", "--rules", wrong, "--", "touch", "started")
    check(result.returncode == 1 and "'malloc' cannot be traced: the linker and the recorder allocate" in result.stderr, result.stderr)
    check(not os.path.exists(os.path.join(bench.work, "started")), "the program was started in spite of wrong rules")


def portable(bench):
    """Code for one kind of machine compiles for the other too, and with another compiler."""
    build_strange(bench)
    bench.record(os.path.join(HERE, "strange.rules"), "./strange", os.path.join(bench.work, "libplugin.so"), ranks=1)
    (source,) = glob.glob(os.path.join(bench.work, "cache", "tarry", "tarry-rules-*.c"))
    compilers = list(filter(shutil.which, ("x86_64-linux-gnu-gcc", "aarch64-linux-gnu-gcc", "clang")))
    for compiler in compilers:
        result = subprocess.run([compiler, "-std=gnu11", "-D_GNU_SOURCE", "-O2", "-fPIC", "-shared", "-w", "-o",
                                 os.path.join(bench.work, "other.so"), source], capture_output=True, text=True, check=False)
        check(result.returncode == 0, f"{compiler}: {result.stderr}")
    if not compilers:
        print("skipped: no other compiler is here")
        sys.exit(77)


CASES = {function.__name__: function for function in (slow_io, own_library, minimal, strange, without_compiler, portable)}


def parse_options(**case):
    """`case`: how argparse is to read the last word."""
    parser = argparse.ArgumentParser()
    for name in ("mpi", "mpicc", "launcher", "cc", "bin", "work"):
        parser.add_argument(f"--{name}", required=True)
    parser.add_argument("--fc", default="")
    parser.add_argument("case", **case)
    return parser.parse_args()


def main():
    options = parse_options(choices=CASES)
    CASES[options.case](Bench(options))


if __name__ == "__main__":
    main()
