"""Every option of every command that starts a job, in a job on two nodes: the program's output and exit code are the same as without Tarry, all ranks
have the same settings, and the option affects the rank on the other node.

    options.py --mpi mpich --mpicc mpicc.mpich --launcher mpiexec.mpich --bin build/bin --work DIR [--by launcher|srun] [--sample] [--only TEXT] options.c

The options come from the commands' own tables: one without a line in CASES fails the test. "OPTION, ..." is one more case of an option. Names of
traces, folders and the program have characters that launchers treat in a special way."""

import argparse
import glob
import json
import os
import re
import shutil
import subprocess
import sys

from cluster import HERE, Cluster
from slurm import Slurm

sys.path.insert(0, os.path.join(HERE, "..", "mpi"))
import dumped
import job

NAME = "a=b;c, d%20'e"
PROGRAM = "app=1,2"
# The same, compiled by `tarry cc`.
WATCHED = "app=1,2,cc"
RULES = 'declare event page for "int getpagesize(void)";\n'
ROUNDS = 20
EXIT_ERRORS, EXIT_UNTRUSTED = 4, 5
FAILS = "fail"
# Under mpirun, and alone: the fastest that show whether settings reach the other node.
SAMPLE = [("run", "only"), ("coll", "algorithm")]


class Done:
    """A finished job, and its files."""

    def __init__(self, result, options):
        self.result, self.options = result, options
        self.printed = sorted(line for line in result.stdout.splitlines() if line.startswith("rank "))

    def environments(self):
        texts = []
        for rank in range(2):
            with open(os.path.join(self.options.work, f"env-{rank}"), encoding="utf-8") as file:
                texts.append(sorted(file.read().splitlines()))
        return texts

    def path(self, suffix, name=NAME):
        return os.path.join(self.options.work, name + suffix)

    def other(self):
        """The recorded process on the other node."""
        tarry = os.path.join(self.options.bin, "tarry")
        text = subprocess.run([tarry, "dump", self.path(".tarry")], check=True, stdout=subprocess.PIPE, text=True).stdout
        processes = dumped.read_dump(text)
        assert [p.properties["host"] for p in processes] == [["node0"], ["node1"]], [p.properties["host"] for p in processes]
        return processes[1]

    def calls(self):
        """Function -> calls of the process on the other node."""
        names = [event.function for event in self.other().events()]
        return {name: names.count(name) for name in names}

    def findings(self):
        tarry, folder = os.path.join(self.options.bin, "tarry"), self.path(".check")
        shown = subprocess.run([tarry, "check", "--show", folder, "--json", "-"], stdout=subprocess.PIPE, text=True, check=False).stdout
        return json.loads(shown)["findings"]


# Evidence that an option took effect; each is a function of Done.

def nothing(done):
    """The option is for the front end only, or there is none."""


def recorded(done):
    assert done.other()


def setting(name, value):
    def seen(done):
        assert f"{name}={value}" in done.environments()[1], done.environments()
    return seen


def has_property(name, value):
    def seen(done):
        assert done.other().properties[name] == [value], done.other().properties
    return seen


def has_calls(**wanted):
    """MPI_Bcast=20: this many calls; MPI_Barrier=0: none."""
    def seen(done):
        found = done.calls()
        assert {name: found.get(name, 0) for name in wanted} == wanted, found
    return seen


def has_clock(done):
    assert done.other().properties["clock"][0].startswith("realtime@"), done.other().properties["clock"]


def said(text):
    def seen(done):
        assert text in done.result.stderr, done.result.stderr
    return seen


def reported(done):
    """With `tarry exec --coll`, whose folder contains the chosen algorithms."""
    tarry, folder = os.path.join(done.options.bin, "tarry"), done.path(".coll", PROGRAM)
    told = subprocess.run([tarry, "coll", "--report", folder], stderr=subprocess.PIPE, text=True, check=True).stderr
    assert "of 2 processes on 2 nodes" in told, told
    return told


def reported_forced(done):
    told = reported(done)
    assert "by 'ring', as requested" in told, told


def wrote(name):
    def seen(done):
        assert os.path.getsize(os.path.join(done.options.work, name)) > 0
    return seen


def chosen(count):
    """How many operations the JSON of `tarry coll` has: all of the program's, or none."""
    def seen(done):
        with open(os.path.join(done.options.work, "chosen.json"), encoding="utf-8") as file:
            assert len(json.load(file)["collectives"]) == count
    return seen


def analysers(count):
    def seen(done):
        logs = glob.glob(os.path.join(glob.escape(done.path(".check")), "analyser-*.log"))
        assert len(logs) == count, logs
    return seen


def has_finding(name):
    def seen(done):
        found = [finding["id"] for finding in done.findings()]
        assert found and all(one.startswith(name) for one in found), done.findings()
    return seen


def has_no_finding(done):
    assert not done.findings(), done.findings()


class Case:
    """`words`: the command's. `program`: those of the program. `codes`: that the command may end with, if not the program's. `is_named`: the command takes a name for
    what it makes. `is_watched`: the program was compiled by `tarry cc`."""

    def __init__(self, words, seen, program=(), codes=None, is_named=True, is_watched=False):
        self.words, self.seen, self.program, self.codes, self.is_named, self.is_watched = words, seen, program, codes, is_named, is_watched


def kept_parts(done):
    """The processes of both nodes have left their parts next to the trace."""
    assert done.other()
    parts = glob.glob(os.path.join(glob.escape(done.path(".tarry.parts")), "*.part"))
    assert len(parts) == 2, parts


def analysed_itself(done):
    """The report is that of the trace, which the processes of both nodes have made."""
    assert done.other()
    tarry = os.path.join(done.options.bin, "tarry")
    report = subprocess.run([tarry, "report", done.path(".tarry")], check=True, stdout=subprocess.PIPE, text=True).stdout
    assert report in done.result.stderr and "did not analyse its run" not in done.result.stderr, report


def left_no_trace(done):
    assert "2 processes on 2 nodes" in done.result.stderr and "did not analyse its run" not in done.result.stderr
    left = glob.glob(glob.escape(done.path("")) + "*")
    assert not left, left


def files_counted(done):
    assert done.other().properties["io"] == ["on"], done.other().properties


def counted(done):
    """Each process has counts, or a note says that the kernel forbids them."""
    properties = done.other().properties
    assert properties["counters"][0].startswith("computing=") if "counters" in properties else "'task-clock' is not recorded" in done.result.stderr, properties


RECORDING = {
    "": Case([], recorded, [FAILS]),
    "output": Case([], recorded),
    "buffer": Case(["--buffer", "2M"], setting("TARRY_BUFFER", 2 << 20)),
    "callpath": Case(["--callpath=5"], has_property("callpath", "5")),
    "only": Case(["--only", "MPI_Barrier,MPI_Bcast"], has_calls(MPI_Barrier=ROUNDS + 1, MPI_Bcast=ROUNDS, MPI_Allgather=0, MPI_Isend=0)),
    "not": Case(["--not", "MPI_Barrier,MPI_Bcast"], has_calls(MPI_Barrier=0, MPI_Bcast=0, MPI_Allgather=ROUNDS, MPI_Isend=1)),
    "from": Case(["--from", "MPI_Bcast:3"], has_calls(MPI_Bcast=ROUNDS - 2, MPI_Allgather=ROUNDS - 3)),
    "to": Case(["--to", "MPI_Bcast:3"], has_calls(MPI_Bcast=3, MPI_Allgather=3)),
    "keep-parts": Case(["--keep-parts"], kept_parts),
    "summary": Case(["--summary"], has_property("summary", "SUMMED")),
    "rules": Case(["--rules", "page.rules"], has_calls(getpagesize=ROUNDS, MPI_Barrier=ROUNDS + 1)),
    "no-shipped": Case(["--rules", "page.rules", "--no-shipped"], has_calls(getpagesize=ROUNDS, MPI_Barrier=ROUNDS + 1)),
    "minimal": Case(["--rules", "page.rules", "--no-shipped", "--minimal"], has_calls(getpagesize=ROUNDS, MPI_Barrier=0)),
    "counters": Case(["--counters", "task-clock"], counted),
    "io": Case(["--io"], files_counted),
    "timer": Case(["--timer", "gettimeofday"], has_clock),
}
FORCED = ["--algorithm", "allgather=ring,bcast=mpi"]
CHECKING = {
    "hang-timeout": (["--hang-timeout", "4"], has_finding("deadlock"), ["hang"], (EXIT_ERRORS,)),
    "limits": (["--limits", "requests=1"], has_finding("limit"), [], (0,)),
    "buffers": (["--buffers", "send"], has_finding("memory.send-changed"), ["buffer"], (EXIT_ERRORS,)),
    "buffers, off": (["--buffers", "off"], has_no_finding, ["buffer"], (0,)),
    "buffers, all": (["--buffers", "all"], has_finding("memory.receive-read"), ["early"], (EXIT_ERRORS,)),
    ", default": ([], has_finding("memory.receive-read"), ["early"], (EXIT_ERRORS,)),
}
WATCHING = {
    ", cc": Case([], has_no_finding, is_watched=True),
    ", cc finds": Case([], has_finding("memory.receive-read"), ["early"], (EXIT_ERRORS,), is_watched=True),
}

# Command -> option -> Case. An option that starts nothing has None.
CASES = {
    "run": {
        **RECORDING,
        "replace": Case(["--replace"], recorded),
        "coll": Case(["--coll"], said("of 2 processes on 2 nodes")),
        "algorithm": Case(["--coll", *FORCED], said("by 'ring', as requested")),
        "lang": Case(["--lang", "ru"], recorded),
        "fail-on": Case(["--fail-on", "late-sender>100s"], recorded, codes=(0, EXIT_UNTRUSTED)),
        "no-analyze": Case(["--no-analyze"], recorded),
        "analyze": Case(["--analyze=in-job"], analysed_itself, [FAILS]),
        "no-trace": Case(["--analyze=in-job", "--no-trace"], left_no_trace),
    },
    "exec": {
        **RECORDING,
        "check": Case(["--check"], analysers(2)),
        "record": Case(["--check", "--record"], recorded),
        "coll": Case(["--coll"], reported),
        "algorithm": Case(["--coll", *FORCED], reported_forced),
        **{name: Case(["--check", *case[0]], *case[1:3]) for name, case in CHECKING.items() if name != "hang-timeout"},
        "hang-timeout": Case(["--check", "--hang-timeout", "100"], setting("TARRY_HANG_TIMEOUT", 100)),
    },
    "check": {
        "": Case([], analysers(2), [FAILS]),
        "output": Case([], analysers(2)),
        **{name: Case(*case) for name, case in CHECKING.items()},
        **WATCHING,
        "record": Case(["--record"], recorded),
        "replace": Case(["--replace"], analysers(2)),
        "json": Case(["--json", "found.json"], wrote("found.json")),
        "sarif": Case(["--sarif", "found.sarif"], wrote("found.sarif")),
        "svg": Case(["--svg", "found.svg"], nothing),
        "html": Case(["--html", "found.html"], wrote("found.html")),
        "suppress": Case(["--suppress", os.devnull], analysers(2)),
        "print-suppressions": Case(["--print-suppressions"], analysers(2)),
        "all": Case(["--all"], analysers(2)),
        "stacks": Case(["--stacks"], analysers(2)),
        "source": Case(["--source", "."], analysers(2)),
        "root": Case(["--sarif", "found.sarif", "--root", "/"], wrote("found.sarif")),
        "symbols": Case(["--symbols", "."], analysers(2)),
        "lang": Case(["--lang", "ru"], analysers(2)),
        "show": None,
    },
    "coll": {
        "": Case([], said("of 2 processes on 2 nodes"), [FAILS]),
        "algorithm": Case(FORCED, said("by 'ring', as requested")),
        "off": Case(["--off", "--json", "chosen.json"], chosen(0)),
        "json": Case(["--json", "chosen.json"], chosen(4)),
        "report": None,
    },
    "top": {
        "": Case([], recorded, [FAILS]),
        "interval": Case(["--interval", "0.5"], recorded),
        "output": Case([], recorded),
        "replace": Case(["--replace"], recorded),
        "no-trace": Case(["--no-trace"], nothing, is_named=False),
    },
}


def help_of(tarry, *words):
    return subprocess.run([tarry, *words, "--help"], check=True, stdout=subprocess.PIPE, text=True).stdout


def check_complete(tarry):
    """CASES has all commands that start a program, and all of their options."""
    commands = re.findall(r"^  (\w+) ", help_of(tarry).partition("COMMANDS")[2].partition("OPTIONS")[0], re.M)
    starters = {name for name in commands if " PROGRAM [ARGUMENT ...]" in help_of(tarry, name).partition("\n\n")[0]}
    assert starters == set(CASES), f"commands that start a program: {starters}; with cases here: {set(CASES)}"
    for command, cases in CASES.items():
        options = set(re.findall(r"^  (?:-\w,|   ) --([\w-]+)", help_of(tarry, command), re.M)) - {"help"}
        with_cases = {name.partition(",")[0] for name in cases} - {""}
        assert options == with_cases, f"tarry {command}: differs from its options: {options ^ with_cases}"


class Jobs:
    """How jobs are started: by the library's launcher or by srun."""

    def __init__(self, options, cluster, slurm):
        self.options, self.cluster, self.slurm = options, cluster, slurm

    def run(self, program, tarry=()):
        how = {"tarry": tarry, "cwd": self.options.work, "timeout": 150}
        for rank in range(2):
            path = os.path.join(self.options.work, f"env-{rank}")
            if os.path.exists(path):
                os.remove(path)
        if self.slurm:
            result = self.slurm.run_job(self.options.mpi, program, **how)
        else:
            result = self.cluster.run_job(self.options.mpi, program, launcher=self.options.launcher, **how)
        return Done(result, self.options)


def remove_results(work):
    for pattern in ("*.tarry", "*.tarry.parts", "*.check", "*.coll", "found.*", "chosen.json"):
        for path in glob.glob(os.path.join(glob.escape(work), pattern)):
            shutil.rmtree(path) if os.path.isdir(path) else os.remove(path)


def check_case(jobs, command, case, plain):
    options = jobs.options
    tarry = [os.path.join(options.bin, "tarry"), command, *(["-o", NAME] if command != "coll" and case.is_named else []), *case.words]
    program = [os.path.join(options.work, WATCHED if case.is_watched else PROGRAM), *case.program]
    remove_results(options.work)
    done = jobs.run([*tarry, *program]) if command == "exec" else jobs.run(program, tarry)
    expected = plain[FAILS if FAILS in case.program else ""]
    everything = f"{done.result.stdout}{done.result.stderr}"
    assert done.printed == expected.printed, f"printed {done.printed} instead of {expected.printed}:\n{everything}"
    codes = case.codes or (expected.result.returncode,)
    assert done.result.returncode in codes, f"exit code {done.result.returncode} instead of {codes}:\n{everything}"
    here, there = done.environments()
    assert here == there, f"settings differ between nodes: {set(here) ^ set(there)}"
    try:
        case.seen(done)
    except AssertionError as error:
        raise AssertionError(f"{error}\n{everything}") from error


def check_all(jobs, wanted):
    program = os.path.join(jobs.options.work, PROGRAM)
    plain = {what: jobs.run([program, *filter(None, [what])]) for what in ("", FAILS)}
    assert len(plain[""].printed) == 2 and plain[FAILS].result.returncode == 3, [vars(done.result) for done in plain.values()]
    problems = []
    for command, option in wanted:
        try:
            check_case(jobs, command, CASES[command][option], plain)
        except (AssertionError, OSError, subprocess.SubprocessError, KeyError) as error:
            problems.append(f"tarry {command} {option}: {error!r}")
    return problems


def read_options():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n\n")[0])
    for name in ("mpi", "mpicc", "launcher", "bin", "work"):
        parser.add_argument(f"--{name}", required=True)
    parser.add_argument("--by", choices=["launcher", "srun"], default="launcher")
    parser.add_argument("--sample", action="store_true")
    parser.add_argument("--only", default="", help="cases with this text in their names, such as 'check buffers'")
    parser.add_argument("source")
    options = parser.parse_args()
    options.source, options.work, options.bin = map(os.path.abspath, (options.source, options.work, options.bin))
    return options


def main():
    options = read_options()
    check_complete(os.path.join(options.bin, "tarry"))
    shutil.rmtree(options.work, ignore_errors=True)
    os.makedirs(options.work)
    compile_line = [options.mpicc, *job.FLAGS[".c"], "-fopenmp", options.source, "-o"]
    subprocess.run([*compile_line, os.path.join(options.work, PROGRAM)], check=True)
    if not options.sample:
        subprocess.run([os.path.join(options.bin, "tarry"), "cc", "--", *compile_line, os.path.join(options.work, WATCHED)], check=True)
    with open(os.path.join(options.work, "page.rules"), "w", encoding="utf-8") as file:
        file.write(RULES)
    wanted = SAMPLE if options.sample else [(command, option) for command, cases in CASES.items() for option in cases if cases[option]]
    wanted = [(command, option) for command, option in wanted if options.only in f"{command} {option}"]
    with Cluster(nodes=2) as cluster:
        if options.by == "srun":
            with Slurm(cluster) as slurm:
                problems = check_all(Jobs(options, cluster, slurm), wanted)
        else:
            problems = check_all(Jobs(options, cluster, None), wanted)
    assert not problems, "\n\n".join(problems)
    print(f"{len(wanted)} options on two nodes")


if __name__ == "__main__":
    main()
