"""Programs whose calls are planted with marks, built in many ways, run as one job, and the place that
`tarry dump` gives for each call of each rank compared with the marks.

    lines.py --mpi mpich --mpicc mpicc.mpich --launcher mpiexec.mpich --bin build/bin --work DIR KIND

A mark is a remark behind the call, or in the line after it: `@ exchange` names the function that makes the call,
`@ exchange inlined` one that was inlined there, `@ main through both` one that did not make it itself; `x3` so often;
`MPI_X` the function called, where the line does not name one. Exit code 77: skipped."""

import argparse
import collections
import json
import os
import re
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

HERE = os.path.dirname(os.path.abspath(__file__))
PROGRAMS = os.path.join(HERE, "programs")
ON_ONE_MACHINE = os.path.join(HERE, "..", "..", "scripts", "mpirun-here")
MARK = re.compile(r"(?:/\*|//|!|#|^C)\s*(@ .*?)\s*(?:\*/|$)")
CALL = re.compile(r"\b(?:P(?=MPI))?((?:MPI|tarry)_[A-Z]\w*)\s*\(", re.IGNORECASE)
EVENT = re.compile(r"\d+ \d+ ((?:MPI|tarry)_\w+)\b[^#]*(?:  # (.*))?$")
FLAGS = ["-g", "-Wall", "-Wno-unused-function"]
SECONDS = 200
NEAR = 4  # sites of a path that are always recorded

# Ways to build a program: options of the compiler.
OPTIMISED = {f"O{level}": [f"-O{level}"] for level in range(4)}
WAYS = {
    "c": dict(OPTIMISED, nopie=["-O2", "-no-pie", "-fno-pie"], lto=["-O2", "-flto"], gz=["-O1", "-gz"],
              split=["-O2", "-gsplit-dwarf"], dwarf4=["-O2", "-gdwarf-4"], noid=["-O2", "-Wl,--build-id=none"]),
    "tail": {"O2": ["-O2"], "O3": ["-O3"], "dwarf4": ["-O2", "-gdwarf-4"], "split": ["-O2", "-gsplit-dwarf"]},
    "cc": dict(OPTIMISED, nopie=["-O2", "-no-pie", "-fno-pie"], lto=["-O2", "-flto"]),
    "fortran": dict(OPTIMISED, nopie=["-O2", "-no-pie", "-fno-pie"]),
}


def skip(reason):
    print(f"skipped: {reason}")
    sys.exit(77)


def read_options():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n\n")[0])
    for name in ("mpi", "mpicc", "launcher", "bin", "work"):
        parser.add_argument(f"--{name}", required=True)
    for name in ("mpicxx", "fc", "library"):
        parser.add_argument(f"--{name}", default="")
    parser.add_argument("kind")
    options = parser.parse_args()
    options.work = os.path.abspath(options.work)
    options.tarry = os.path.join(options.bin, "tarry")
    return options


def normal_name(name):
    return "MPI_" + name[4].upper() + name[5:].lower()


def read_mark(mark, name, line, text):
    """(key, count): what a call must look like in the dump, and how often."""
    words = mark.split()
    count = next((int(word[1:]) for word in words if re.fullmatch(r"x\d+", word)), 1)
    called = [word for word in words if word.startswith("MPI_")] or CALL.findall(text)
    where = f"{name}:{line} {words[0]}"
    if "inlined" in words:
        where += " (inlined)"
    if "through" in words:
        where += " through " + words[words.index("through") + 1]
    return (normal_name(called[0]), where), count


def read_marks(path):
    """How often each (function, place) must be in the dump of one process. A mark on a line without a call belongs to the
    line before."""
    wanted, name = collections.Counter(), os.path.basename(path)
    with open(path, encoding="utf-8") as source:
        lines = source.read().splitlines()
    for number, line in enumerate(lines, 1):
        found = MARK.search(line)
        if not found:
            continue
        text = line[:found.start()]
        if not text.strip():
            number, text = number - 1, lines[number - 2]
        for mark in found.group(1).split("@ ")[1:]:
            key, count = read_mark(mark, name, number, text)
            wanted[key] += count
    return wanted


def read_places(text):
    """For each process of a dump its program and a counter of (function, place)."""
    processes = []
    for line in text.splitlines():
        event = EVENT.match(line)
        if line.startswith("process "):
            processes.append(["", collections.Counter()])
        elif line.startswith("property program "):
            processes[-1][0] = os.path.basename(line.split('"')[1])
        elif event:
            processes[-1][1][event.group(1), event.group(2) or ""] += 1
    return processes


def without_inlining(place):
    """A compiler may inline any function: only required inlining is marked."""
    return place[0], place[1].replace(" (inlined)", "")


def compare(wanted, found, who):
    """Sentences, one for each wrong place. The callers of inlined functions are not checked."""
    loose = collections.Counter()
    for (function, place), count in found.items():
        place = (function, place.partition(" < ")[0])
        loose[place if place in wanted else without_inlining(place)] += count
    for place in sorted(set(wanted) | set(loose)):
        if wanted[place] != loose[place]:
            yield f"{who}: {place[0]} at '{place[1]}' {loose[place]} times, not {wanted[place]}"


class Bench:
    """One test: builds programs, runs them as one job with two ranks of each, and checks the dump."""

    ranks = 2

    def __init__(self, options):
        self.options = options
        self.trace = os.path.join(options.work, "lines.tarry")
        self.problems = []
        shutil.rmtree(options.work, ignore_errors=True)
        os.makedirs(options.work)

    def must(self, line, **more):
        result = subprocess.run(line, capture_output=True, text=True, check=False, cwd=self.options.work,
                                timeout=SECONDS, **more)
        if result.returncode:
            sys.exit(f"{' '.join(line)} failed with {result.returncode}: {result.stdout}{result.stderr}")
        return result

    def compiler_of(self, source):
        compiler = {".c": self.options.mpicc, ".cc": self.options.mpicxx}.get(os.path.splitext(source)[1],
                                                                             self.options.fc)
        return compiler or skip(f"{self.options.mpi} has no compiler for '{source}'")

    def build(self, source, name, *flags, **environment):
        path = source if os.path.isabs(source) else os.path.join(PROGRAMS, source)
        program, modules = (os.path.join(self.options.work, folder, name) for folder in ("", "modules"))
        os.makedirs(modules, exist_ok=True)
        self.must([self.compiler_of(path), *FLAGS, *flags, "-J", modules, "-o", program, path]
                  if path.endswith(("f", "f90")) else
                  [self.compiler_of(path), *FLAGS, "-DOMPI_SKIP_MPICXX", "-DMPICH_SKIP_MPICXX", "-o", program,
                   path, *flags], env=dict(os.environ, **environment))
        return program

    def build_ways(self, source, ways, prefix, **environment):
        """Two at once: the job follows."""
        with ThreadPoolExecutor(2) as pool:
            return list(pool.map(lambda way: self.build(source, f"{prefix}-{way}", *ways[way], **environment), ways))

    def record(self, *programs, options=()):
        """Each program is a list of words, or a path."""
        line = []
        for program in programs:
            line += [":"] if line else []
            line += ["-n", str(self.ranks), *([program] if isinstance(program, str) else program)]
        return self.must([ON_ONE_MACHINE, self.options.tarry, "run", *options, "-o", self.trace, "--",
                          self.options.launcher, *line],
                         env=dict(os.environ, OMPI_MCA_mpi_yield_when_idle="1"), stdin=subprocess.DEVNULL)

    def dump(self, *options):
        result = self.must([self.options.tarry, "dump", *options, self.trace])
        return read_places(result.stdout), result.stderr

    def check(self, marks, processes, ranks):
        """`marks`: the wanted counter of each program, by its name."""
        if len(processes) != ranks:
            self.problems.append(f"{len(processes)} processes were recorded, not {ranks}")
        for number, (program, found) in enumerate(processes):
            self.problems += compare(marks[program], found, f"rank {number}, {program}")

    def check_all(self, source, programs):
        wanted = read_marks(os.path.join(PROGRAMS, source))
        self.record(*programs)
        processes, said = self.dump()
        if said:
            self.problems.append(said)
        self.check({os.path.basename(program): wanted for program in programs}, processes,
                   self.ranks * len(programs))


def with_clang(bench, source, ways):
    """The same built by clang, where it is there."""
    if not shutil.which("clang"):
        return []
    compiler = {"OMPI_CC": "clang", "MPICH_CC": "clang", "OMPI_CXX": "clang++", "MPICH_CXX": "clang++"}
    suffix = os.path.splitext(source)[1]
    ways = {way: ["-Wl,--as-needed", *flags] for way, flags in ways.items()}
    return bench.build_ways(source, ways, f"clang{suffix}", **compiler)


def test_c(bench):
    programs = bench.build_ways("kinds.c", WAYS["c"], "c")
    programs += with_clang(bench, "kinds.c", {"O0": ["-O0"], "O2": ["-O2"], "nopie": ["-O1", "-no-pie", "-fno-pie"]})
    linked = bench.build("kinds.c", "c-debuglink", "-O2")
    bench.must(["objcopy", "--only-keep-debug", linked, linked + ".debug"])
    bench.must(["strip", linked])
    bench.must(["objcopy", f"--add-gnu-debuglink={linked}.debug", linked])
    bench.check_all("kinds.c", programs + [linked])


def test_tail(bench):
    programs = bench.build_ways("tail.c", WAYS["tail"], "tail")
    bench.check_all("tail.c", programs + with_clang(bench, "tail.c", {"O2": ["-O2"]}))


def test_cc(bench):
    programs = bench.build_ways("kinds.cc", WAYS["cc"], "cc")
    bench.check_all("kinds.cc", programs + with_clang(bench, "kinds.cc", {"O2": ["-O2"]}))


def test_fortran(bench, source):
    bench.check_all(source, bench.build_ways(source, WAYS["fortran"], "fortran"))


def build_library(bench, source, name):
    return bench.build(source, name, "-O2", "-shared", "-fPIC")


def test_library(bench):
    """A linked library, and plugins that are unloaded again, at the same addresses."""
    work, wanted = bench.options.work, read_marks(os.path.join(PROGRAMS, "with_library.c"))
    build_library(bench, "library.c", "liblines.so")
    wanted += read_marks(os.path.join(PROGRAMS, "library.c"))
    plugins = []
    for name in ("one", "two", "three"):
        copy = os.path.join(work, f"plugin_{name}.c")
        shutil.copy(os.path.join(PROGRAMS, "library.c"), copy)
        plugins.append(build_library(bench, copy, f"plugin_{name}.so"))
        wanted += read_marks(copy)
    program = bench.build("with_library.c", "with_library", "-O2", f"-L{work}", "-llines", f"-Wl,-rpath,{work}", "-ldl")
    said = bench.record([program, *plugins]).stdout
    if "0 plugins lay where" in said:
        skip("no plugin was loaded where the one before lay")
    processes, said = bench.dump()
    bench.problems += [said] if said else []
    bench.check({"with_library": wanted}, processes, 2)


def test_states(bench):
    """One recording, read after the program's file has changed."""
    wanted = read_marks(os.path.join(PROGRAMS, "kinds.c"))
    programs = {way: bench.build("kinds.c", way, "-O1", "-rdynamic", *flags)
                for way, flags in (("named", []), ("unnamed", ["-Wl,--build-id=none"]))}
    folder = os.path.join(bench.options.work, "folder")
    os.mkdir(folder)
    bench.record(*programs.values())
    for program in programs.values():
        shutil.copy2(program, folder)

    def expect(state, sentence, some_place, *options):
        """No place may be wrong; `some_place` must be there."""
        processes, said = bench.dump(*options)
        places = {place for _, found in processes for _, place in found}
        if said if not sentence else said.count(sentence) != len(programs):
            bench.problems.append(f"{state}: it is said '{said}', not '{sentence}' of both")
        if not any(re.fullmatch(some_place, place) for place in places):
            bench.problems.append(f"{state}: none of {places} is like '{some_place}'")
        if any(re.search(r"\.c:\d", place) for place in places) and sentence:
            bench.problems.append(f"{state}: there are lines: {places}")
        return processes

    bench.check(dict.fromkeys(programs, wanted), expect("as recorded", "", r"kinds\.c:\d+ main"), 4)
    stamps = {program: os.stat(program) for program in programs.values()}
    for program in programs.values():
        os.rename(program, program + ".moved")
    expect("moved", "cannot read '", r"named\+0x[0-9a-f]+")
    bench.check(dict.fromkeys(programs, wanted),
                expect("moved, and named", "", r"kinds\.c:\d+ main", "--symbols", folder), 4)
    for way, program in programs.items():
        bench.build("kinds.c", way, "-O1", "-rdynamic", "-DANEW=1", "-fno-inline",
                    *(["-Wl,--build-id=none"] if way == "unnamed" else []))
    expect("rebuilt", "was rebuilt", r"named\+0x[0-9a-f]+")
    for program in programs.values():
        os.rename(program + ".moved", program)
    expect("moved back", "", r"kinds\.c:\d+ main")
    bench.must(["strip", *programs.values()])
    for program, stamp in stamps.items():
        os.utime(program, ns=(stamp.st_atime_ns, stamp.st_mtime_ns))
    processes, said = bench.dump("--ranks", "0")
    found = processes[0][1]
    if "has no debug information: compile with -g" not in said or "--symbols" not in said:
        bench.problems.append(f"stripped: it is said '{said}'")
    if not any(re.fullmatch(r"in_a_loop\+0x[0-9a-f]+ in named < main\+0x[0-9a-f]+ in named", place) for _, place in found):
        bench.problems.append(f"stripped: {found}")
    bench.check(dict.fromkeys(programs, wanted),
                expect("stripped, and named", "", r"kinds\.c:\d+ main", "--symbols", folder), 4)


def chain_of(remark, source):
    """The functions of a call path, and the lines that they call from. All functions of other sources are one step: those of the C library
    between the user's functions, with lines or without."""
    steps = []
    for step in remark.split(" < "):
        line = re.match(r"(\S+):(\d+) (\S+)", step)
        if line and line.group(1) == source:
            steps.append((line.group(3), int(line.group(2))))
        elif not steps or steps[-1][0] != "in_libc":
            steps.append(("in_libc", 0))
    return steps


def read_ways(path, has_stack=True):
    """How often each (function, line, path) is expected. After `<<` are functions known only from the stack; MPI functions always have a few
    of them."""
    wanted = collections.Counter()
    with open(path, encoding="utf-8") as source:
        for number, line in enumerate(source, 1):
            found = MARK.search(line)
            for mark in found.group(1).split("@ ")[1:] if found else []:
                count = next((int(word[1:]) for word in mark.split() if re.fullmatch(r"x\d+", word)), 1)
                called = re.search(r"MPI_\w+", mark) or CALL.search(line)
                name = called.group(called.lastindex or 0)
                way = re.sub(r" (x\d+|MPI_\w+)", "", mark).strip()
                is_known = has_stack or name.startswith("MPI_")
                way = way.replace("<<", "<").lstrip("< ") if is_known else way.partition("<<")[0].strip()
                if way:
                    wanted[name, number, tuple(way.split(" < "))] += count
    return wanted


def check_ways(bench, source, processes, depth=None, has_stack=True):
    wanted = collections.Counter()
    path = os.path.join(PROGRAMS, source)
    with open(path, encoding="utf-8") as file:
        lines = [""] + file.read().splitlines()
    for (called, number, way), count in read_ways(path, has_stack).items():
        wanted[called, number, way[:depth]] += count
    functions = {called for called, _, _ in wanted}
    for rank, (program, found) in enumerate(processes):
        ways = collections.Counter()
        for (called, remark), count in found.items():
            steps = chain_of(remark, source)
            ways[called, steps[0][1], tuple(name for name, _ in steps)] += count if called in functions else 0
            for (inner, _), (_, line) in zip(steps, steps[1:]):
                if line and inner != "in_libc" and f"{inner.split('.')[-1]}(" not in lines[line] and "lambda" not in inner:
                    bench.problems.append(f"rank {rank}, {program}: {inner} is not called in line {line}: {remark}")
        for way in sorted(set(wanted) | {way for way in ways if way[0] in functions}):
            if wanted[way] != ways[way]:
                bench.problems.append(f"rank {rank}, {program}: {way} {ways[way]} times, not {wanted[way]}")


def test_paths(bench):
    programs = bench.build_ways("paths.c", {"O1": ["-O1"], "O2": ["-O2"], "bare": ["-O2", "-fomit-frame-pointer"],
                                            "frames": ["-O3", "-fno-omit-frame-pointer"]}, "paths")
    programs += with_clang(bench, "paths.c", {"O2": ["-O2"]})
    for depth, options in ((None, ["--callpath"]), (2, ["--callpath=2"]), (1, ["--callpath=1"]), (NEAR, [])):
        bench.record(*programs, options=options)
        processes, _ = bench.dump()
        if len(processes) != bench.ranks * len(programs):
            bench.problems.append(f"{len(processes)} processes")
        check_ways(bench, "paths.c", processes, depth)


def test_inlined(bench):
    """Inlined functions are steps of the path, and a region is where the program names it."""
    include = os.path.join(HERE, "..", "..", "include")
    ways = {"O2": ["-O2", "-I" + include], "O3": ["-O3", "-I" + include]}
    programs = {"inlined.c": bench.build_ways("inlined.c", ways, "c") + with_clang(bench, "inlined.c", {"O2": ways["O2"]})}
    if bench.options.fc:
        module = os.path.join(include, "tarry.f90")
        programs["inlined.f90"] = [bench.build("inlined.f90", f"f-{way}", f"-{way}", module) for way in ways]
    for has_stack in (False, True):
        bench.record(*(one for some in programs.values() for one in some),
                     options=["--replace", *(["--callpath"] if has_stack else [])])
        processes, _ = bench.dump()
        for source, some in programs.items():
            names = [os.path.basename(program) for program in some]
            check_ways(bench, source, [one for one in processes if one[0] in names], has_stack=has_stack)
        bench.problems += [f"{function} is placed at {place}" for _, found in processes for function, place in found
                           if "tarry." in place]


def findings_of(bench):
    """(file and line of the finding, file and line of the call in the wrapper) of each wait for a sender, and the notes."""
    result = bench.must([bench.options.tarry, "report", "--all", "--json", "-", bench.trace])
    report = json.loads(result.stdout)
    found = set()
    for finding in report["findings"]:
        through = finding["through"] or {"file": None, "line": None}
        if finding["call"] in ("MPI_Recv", "MPI_Waitall") and finding["partner"]:
            found.add((os.path.basename(finding["file"]), finding["line"],
                       through["file"] and os.path.basename(through["file"]), through["line"]))
        summed = sum(rank["total_s"] for rank in finding["by_rank"])
        if abs(summed - finding["total_s"]) > 1e-6 or [rank["rank"] for rank in finding["by_rank"]] != finding["processes"]:
            bench.problems.append(f"the ranks of {finding['pattern']} do not add up: {finding['by_rank']}")
    return found, " ".join(report["notes"])


def line_with(source, text):
    with open(os.path.join(PROGRAMS, source), encoding="utf-8") as file:
        return next(number for number, line in enumerate(file, 1) if text in line)


def test_layer(bench):
    """Calls from a program's own wrapper around MPI are shown at the wrapper's caller, and others are not."""
    layer = os.path.join(PROGRAMS, "layer.c")
    programs = [bench.build("with_layer.c", f"c-{way}", f"-{way}", *more, layer)
                for way, more in (("O0", []), ("O2", ["-fomit-frame-pointer"]))]
    sources = {"with_layer.c": "layer.c"}
    if bench.options.fc:
        sources["with_layer.f90"] = "layer.f90"
        programs.append(bench.build("with_layer.f90", "f-O2", "-O2", os.path.join(PROGRAMS, "layer.f90")))
    bench.record(*programs)
    found, notes = findings_of(bench)
    wanted = {(source, line_with(source, mark), inner, line_with(inner, "MPI_Recv("))
              for source, inner in sources.items() for mark in ("! first", "! second")}
    if found != wanted:
        bench.problems.append(f"the findings are at {sorted(found, key=str)}, not at {sorted(wanted, key=str)}")
    bench.problems += [f"it is not said that {inner} is a layer: {notes}" for inner in sources.values() if inner not in notes]
    said = " ".join(bench.must([bench.options.tarry, "info", bench.trace]).stdout.split())
    names = ["pair of two"] + ([f"MPI_Comm_split at with_layer.f90:{line_with('with_layer.f90', 'MPI_Comm_split')}"]
                               if bench.options.fc else [])
    bench.problems += [f"no communicator is called '{name}': {said}" for name in names if name not in said]
    bench.record(bench.build("with_layer.c", "thick", "-O2", "-DTHICK", layer), options=["--replace"])
    found, notes = findings_of(bench)
    wanted = {("layer.c", line_with("layer.c", "MPI_Waitall("), None, None)}
    if found != wanted or "layer" in notes:
        bench.problems.append(f"what is no layer is found at {found}, not at {wanted}; it is said {notes}")


def test_wrapper(bench):
    """A function that wraps one call is shown where it is called, even in its own file. One that makes calls for itself is not; with
    --callpath its findings are those of its callers."""
    line = lambda mark: line_with("wrapper.c", mark)
    callers = [line("! first"), line("! second")]
    programs = [bench.build("wrapper.c", f"thin-{way}", f"-{way}") for way in ("O0", "O2")]
    thick = bench.build("wrapper.c", "thick", "-O0", "-DTHICK")
    for options in ([], ["--callpath"]):
        bench.record(*programs, options=["--replace", *options])
        found, notes = findings_of(bench)
        wanted = {("wrapper.c", caller, "wrapper.c", line("MPI_Recv(")) for caller in callers}
        if found != wanted or "wrapped_receive" not in notes:
            bench.problems.append(f"{options}: the findings are at {found}, not at {wanted}; it is said {notes}")
        bench.record(thick, options=["--replace", *options])
        result = bench.must([bench.options.tarry, "report", "--all", "--json", "-", bench.trace])
        paths = sorted([frame["line"] for frame in finding["path"]][:1] for finding in json.loads(result.stdout)["findings"]
                       if finding["call"] == "MPI_Recv" and finding["partner"])
        wanted = sorted([[caller] for caller in callers]) if options else [[]]
        if paths != wanted:
            bench.problems.append(f"{options}: findings of the thick function have the callers {paths}, not {wanted}")


def python_with(module):
    for python in filter(None, map(shutil.which, ("python3", "/usr/bin/python3"))):
        if not module or subprocess.run([python, "-c", f"import {module}"], capture_output=True,
                                        check=False).returncode == 0:
            return python
    return skip(f"no Python here has the module '{module}'")


def test_python(bench, source, module):
    """Only functions that are marked somewhere count: mpi4py also calls others."""
    path = os.path.join(PROGRAMS, source)
    if module and bench.options.mpi != "openmpi":
        skip(f"{module} is not built for {bench.options.mpi}")
    os.environ.update(MPI_NAME=bench.options.mpi, MPI_LIBRARY=bench.options.library)
    python, wanted = python_with(module), read_marks(path)
    functions = {called for called, _ in wanted}
    bench.record([python, path])
    processes, _ = bench.dump()
    processes = [(program, collections.Counter({key: count for key, count in found.items() if key[0] in functions}))
                 for program, found in processes]
    bench.check({program: wanted for program, _ in processes}, processes, bench.ranks)
    bench.record([python, path], options=["--callpath"])
    processes, _ = bench.dump()
    for rank, (_, found) in enumerate(processes):
        ways = {tuple(name for name, _ in chain_of(remark, source)) for _, remark in found}
        if ("inner", "outer", "<module>") not in ways:
            bench.problems.append(f"rank {rank}: the way to 'inner' is not among {ways}")


TESTS = {
    "paths": test_paths,
    "inlined": test_inlined,
    "layer": test_layer,
    "wrapper": test_wrapper,
    "mpi4py": lambda bench: test_python(bench, "lines_mpi4py.py", "mpi4py"),
    "ctypes": lambda bench: test_python(bench, "lines_ctypes.py", None),
    "c": test_c,
    "tail": test_tail,
    "cc": test_cc,
    "fortran-mpi": lambda bench: test_fortran(bench, "kinds_mpi.f90"),
    "fortran-f08": lambda bench: test_fortran(bench, "kinds_f08.f90"),
    "fortran-mpif": lambda bench: test_fortran(bench, "kinds.f"),
    "library": test_library,
    "states": test_states,
}


def main():
    options = read_options()
    bench = Bench(options)
    TESTS[options.kind](bench)
    for problem in bench.problems[:40]:
        print(problem)
    sys.exit(1 if bench.problems else 0)


if __name__ == "__main__":
    main()
