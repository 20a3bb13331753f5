"""What whole reports cost (run.py): of generated traces, and of traces of real programs that are recorded here.

Real programs have libraries, source lines, scheduling delays and many distinct calls. They are examples, programs of tests/corpus, and packages of Debian, which are used
if they are installed. Instructions are counted by perf; where the machine has no such counter, by valgrind, which is fifty times slower and therefore skipped for long traces."""

import os
import re
import resource
import shutil
import subprocess
import sys
from dataclasses import dataclass, field
from statistics import median

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, ".."))
from jobs_here import ON_ONE_MACHINE, compile_one

ROOT = os.path.join(HERE, "..", "..")
MOST_FOR_VALGRIND = 1000000  # calls
INSTRUCTIONS_OF = 300000  # calls of generated traces
RANKS = min(4, os.cpu_count() or 1)

# Atoms of a melting crystal, from the benchmarks that LAMMPS describes.
LAMMPS_INPUT = """units lj
atom_style atomic
lattice fcc 0.8442
region box block 0 6 0 6 0 6
create_box 1 box
create_atoms 1 box
mass 1 1.0
velocity all create 1.44 87287 loop geom
pair_style lj/cut 2.5
pair_coeff 1 1 1.0 1.0 2.5
neighbor 0.3 bin
neigh_modify delay 0 every 20 check no
fix 1 all nve
thermo 100
run STEPS
"""


@dataclass
class Real:
    """A program: sources that are compiled, or the name of an installed program. STEPS in arguments and inputs is the number of steps."""
    name: str
    sources: tuple = ()
    program: str = ""
    arguments: tuple = ()
    inputs: dict = field(default_factory=dict)
    packaged_input: tuple = ()  # (file of the package, name that the program reads)
    ranks: int = RANKS
    steps_part: int = 1  # it needs this fraction of the steps

    def exists(self):
        return not self.program or shutil.which(self.program)


def corpus_programs():
    """Those in C that need no threads."""
    folder = os.path.join(ROOT, "tests", "corpus", "programs")
    for name in sorted(os.listdir(folder)):
        with open(os.path.join(folder, name), encoding="utf-8") as file:
            settings = file.readline()
        if name.endswith(".c") and "openmp" not in settings:
            yield Real(f"corpus-{name[:-2]}", (os.path.join("tests", "corpus", "programs", name),), ranks=int(re.search(r"ranks=(\d+)", settings).group(1)))


REAL = (Real("heat", ("examples/heat/heat.c",), arguments=("STEPS", "0", "0")),
        Real("jacobi", ("examples/jacobi/before.c",)),
        Real("lammps", program="lmp", arguments=("-in", "in.melt", "-log", "none"), inputs={"in.melt": LAMMPS_INPUT}, steps_part=50),
        Real("hpcc", program="hpcc", packaged_input=("/usr/share/doc/hpcc/examples/_hpccinf.txt", "hpccinf.txt")),
        *corpus_programs())


def run(line, folder=None):
    done = subprocess.run(line, capture_output=True, text=True, stdin=subprocess.DEVNULL, cwd=folder, check=False)
    if done.returncode:
        sys.exit(f"{' '.join(line)} failed with {done.returncode}:\n{done.stdout}{done.stderr}")
    return done


def record(tarry, mpi, real, steps, folder):
    """The path of the trace."""
    work, steps = os.path.join(folder, real.name), str(max(steps // real.steps_part, 1))
    program, path = real.program or os.path.join(work, "program"), os.path.join(folder, f"{real.name}.tarry")
    os.makedirs(work)
    for name, text in real.inputs.items():
        with open(os.path.join(work, name), "w", encoding="utf-8") as file:
            file.write(text.replace("STEPS", steps))
    if real.packaged_input:
        given, name = real.packaged_input
        shutil.copy(given, os.path.join(work, name))
    if real.sources:
        compile_one([mpi.compiler, "-g", "-O2", "-w", "-o", program, *(os.path.join(ROOT, source) for source in real.sources), "-lm", "-lpthread"])
    run([ON_ONE_MACHINE, tarry, "run", "--no-analyze", "-o", path, "--", mpi.launcher, "-n", str(real.ranks), program,
         *(steps if word == "STEPS" else word for word in real.arguments)], work)
    return path


def report_line(tarry, path):
    return [tarry, "report", "--jobs", "1", path]


def cpu_seconds(tarry, path):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    run(report_line(tarry, path))
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def has_counter():
    if not shutil.which("perf"):
        return False
    done = subprocess.run(["perf", "stat", "-x,", "-e", "instructions:u", "true"], capture_output=True, text=True, check=False)
    return bool(re.match(r"\d+,", done.stderr))


def instructions(tarry, path, calls):
    """None: this machine cannot count them, or it would take too long."""
    if has_counter():
        done = run(["perf", "stat", "-x,", "-e", "instructions:u", *report_line(tarry, path)])
        return int(re.search(r"^(\d+),", done.stderr, re.MULTILINE).group(1))
    if not shutil.which("valgrind") or calls > MOST_FOR_VALGRIND:
        return None
    # Valgrind gives the heap 8 MiB in one piece. When they are full, glibc's malloc may fail unless it grows in larger steps.
    done = run(["env", "GLIBC_TUNABLES=glibc.malloc.top_pad=1048576", "valgrind", "--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null", *report_line(tarry, path)])
    return int(re.search(r"I +refs: +([\d,]+)", done.stderr).group(1).replace(",", ""))


def measure(tarry, name, path, calls, repeat, counted):
    """`counted`: the trace whose instructions are counted, and its calls; None: they are not."""
    count = instructions(tarry, *counted) if counted else None
    return {"way": "report", "trace": name, "calls": calls, "seconds": median(cpu_seconds(tarry, path) for _ in range(repeat)),
            "instructions_per_call": count / counted[1] if count else None}


def print_head():
    print(f"\nwhole reports with one job\n{'':30} {'calls':>9} {'ms':>9} {'ns/call':>9} {'instructions/call':>18}")


def print_row(row):
    count = row["instructions_per_call"]
    print(f"{row['trace']:30} {row['calls']:9} {1e3 * row['seconds']:9.1f} {1e9 * row['seconds'] / row['calls']:9.1f} {f'{count:.0f}' if count else '-':>18}", flush=True)
