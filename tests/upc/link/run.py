"""Programs built by 'tarry upcc' with the stand-in compilers behave as without it, and report everything to a recorder.

    run.py --standin RUNTIME/bin --tarry BIN --work DIR [--record] TEST [DRIVER]

The recorder is spy.c, which logs its input; NAME.DRIVER.out is its output. TESTs are functions below."""

import argparse
import os
import re
import shutil
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.normpath(os.path.join(HERE, "..", "..", ".."))
sys.path.insert(0, os.path.join(HERE, ".."))

from standin import for_compiler  # noqa: E402

STRICT = ["-Wall", "-Wextra", "-Werror"]
SECONDS = 200
# Inner events of a reduction, which differ in nothing but their lines.
INNER = re.compile(r"(NOTIFY|WAIT|ALLOC|FREE|C_MALLOC|C_FREE|GET|PUT|STATIC_SHARED) ")


class Failed(Exception):
    pass


class Test:
    def __init__(self, options):
        self.options, self.work = options, options.work
        self.environment = {name: value for name, value in os.environ.items()
                            if not name.startswith(("TARRY_", "UPC_", "CMAKE_")) and name != "LD_PRELOAD"}
        self.environment["PATH"] = os.pathsep.join([options.standin, options.tarry, os.environ["PATH"]])
        shutil.rmtree(self.work, ignore_errors=True)
        os.makedirs(self.work)

    def run(self, *words, code=0, **variables):
        done = subprocess.run(words, cwd=self.work, env={**self.environment, **variables}, timeout=SECONDS, check=False,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, text=True)
        if done.returncode != code:
            raise Failed(f"{' '.join(words)}\nended with {done.returncode}, not {code}:\n{done.stdout}")
        return done.stdout

    def compile(self, driver, *words, tarry=True, options=(), **variables):
        first = ["tarry", "upcc", *options, "--"] if tarry else []
        folder = os.path.join(ROOT, "examples", "upc")
        said = self.run(*first, driver, f"-I{folder}", *for_compiler(driver, words), **variables)
        if said:
            raise Failed(f"{driver} {' '.join(words)} says:\n{said}")

    def start(self, driver, program, threads, code=0, **variables):
        words = ["upcrun", "-n", str(threads), program] if driver == "upcc" else [program, "-n", str(threads)]
        return self.run(*words, code=code, **variables)

    def spy(self):
        library = os.path.join(self.work, "libspy.so")
        if not os.path.exists(library):
            self.run("cc", "-shared", "-fPIC", "-Wall", "-I", os.path.join(ROOT, "src"),
                     os.path.join(HERE, "spy.c"), "-o", library)
        shutil.rmtree(os.path.join(self.work, "spied"), ignore_errors=True)
        os.makedirs(os.path.join(self.work, "spied"))
        os.makedirs(os.path.join(self.work, "run.tarry.parts"), exist_ok=True)
        return {"SPY_FOLDER": os.path.join(self.work, "spied"), "TARRY_OUTPUT": os.path.join(self.work, "run.tarry")}

    def preloaded(self):
        return {**self.spy(), "LD_PRELOAD": os.path.join(self.work, "libspy.so")}

    def spied(self):
        folder, told = os.path.join(self.work, "spied"), []
        for name in sorted(os.listdir(folder)):
            with open(os.path.join(folder, name), encoding="utf-8") as file:
                told.append(file.read().splitlines())
        return told


def expect(what, found, expected):
    if found != expected:
        raise Failed(f"{what}: {found!r}, not {expected!r}")


def source(name):
    return os.path.join(HERE, name)


def compare(test, name, lines):
    path = source(f"{name}.out")
    text = "".join(line + "\n" for line in lines)
    if test.options.record:
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        return
    with open(path, encoding="utf-8") as file:
        expected = file.read()
    with open(os.path.join(test.work, "told"), "w", encoding="utf-8") as file:
        file.write(text)
    if text != expected:
        raise Failed(f"{path} is another one: compare it with {test.work}/told")


def corners(test, driver):
    """Corner cases of the wrappers: the same results without a recorder and with one, and each call reported once."""
    test.compile(driver, *STRICT, source("corners.upc"), "-o", "plain", tarry=False)
    test.compile(driver, *STRICT, source("corners.upc"), "-o", "app")
    wanted = test.start(driver, "./plain", 2, code=3)
    expect("without a recorder", test.start(driver, "./app", 2, code=3), wanted)
    expect("with a recorder", test.start(driver, "./app", 2, code=3, **test.preloaded()), wanted)
    compare(test, f"corners.{driver}", [line for thread in test.spied() for line in thread if not INNER.match(line)])


def ways(test, driver):
    """Ways to build a program that must all end in the same one."""
    shutil.copy(source("corners.upc"), os.path.join(test.work, "corners.upc"))
    test.compile(driver, "-c", "-O2", "-g", "corners.upc", "-o", "corners.o")
    test.compile(driver, "corners.o", "-o", "linked")
    fixed = ["-T=2"] if driver == "upcc" else ["-fupc-threads-2", "-std=gnu99"]
    test.compile(driver, *fixed, "corners.upc", "-o", "fixed")
    wanted = None
    for program in ("./linked", "./fixed"):
        printed = test.start(driver, program, 2, code=3, **test.preloaded())
        expect(f"{program} as the first", printed, wanted or printed)
        expect(f"events of {program}", sum("wrapped FENCE start" in line for line in test.spied()[0]), 6)
        wanted = printed


def demanding(test, driver):
    """Strict options of the user give no warnings about added code."""
    words = ["-Wall", "-Wextra", "-Wconversion", "-Wshadow", "-Wundef", "-Wdeclaration-after-statement",
             "-Werror"]
    with open(os.path.join(test.work, "small.upc"), "w", encoding="utf-8") as file:
        file.write("int main(void) { return 4; }\n")
    test.compile(driver, *words, "small.upc", "-o", "small")
    test.start(driver, "./small", 2, code=4)


def gasp_only(test, driver):
    """Only the runtime's own events: sources are unchanged."""
    test.compile(driver, *STRICT, source("corners.upc"), "-o", "app", options=["--gasp-only"])
    test.compile(driver, *STRICT, source("corners.upc"), "-o", "plain", tarry=False)
    expect("printed", test.start(driver, "./app", 2, code=3, **test.preloaded()), test.start(driver, "./plain", 2, code=3))
    told = [line for thread in test.spied() for line in thread]
    expect("wrapped calls", [line for line in told if line.startswith("wrapped")], [])
    expect("collectives", any(line.startswith("ALL_BROADCAST") for line in told), driver == "upcc")
    expect("allocations", sum(line.startswith("ALL_ALLOC start corners.upc") for line in told), 4)


def passes(test, driver):
    """The header in front of sources, where it must do nothing, and where a compiler's own one comes before or after it."""
    header, folder = os.path.join(ROOT, "upc", "tarry_upc.h"), os.path.join(ROOT, "upc", "berkeley")
    for name, text in (("c.c", "int shared, upc_fence, strict; int main(void) { return upc_fence; }\n"), ("a.S", ".text\n"),
                       ("second.c", "#include <upc.h>\n#include <upc_atomic.h>\nint upc_fence;\n"
                                    "void f(void) { tarry_upc_fence_start(__FILE__, __LINE__); tarry_upc_fence_end(); }\n"),
                       ("own/clang-upc.h", "#ifndef OWN\n#define OWN\nextern void __upc_fence(void);\n"
                                           "#define upc_fence __upc_fence()\n#endif\n"),
                       ("fence.c", "void f(int x) { if (x) upc_fence; else upc_fence; }\n")):
        path = os.path.join(test.work, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
    compile_only = ["cc", *STRICT, "-include", header, "-c", "-o", "/dev/null"]
    test.run(*compile_only, "c.c")
    test.run(*compile_only, "a.S")
    test.run(*compile_only, "-D__UPC__=1", "-D__BERKELEY_UPC_RUNTIME__=1", "-D__BERKELEY_UPC_SECOND_PREPROCESS__=1",
             "-I", folder, "second.c")
    clang = ["-D__UPC__=1", "-D__clang__=1", "-isystem", "own"]
    test.run(*compile_only, *clang, "fence.c")
    test.run(*compile_only, "-include", "own/clang-upc.h", *clang, "fence.c")
    text = test.run("cc", "-E", "-P", "-include", header, *clang, "fence.c")
    expect("wrapped fences", (text.count("tarry_upc_fence_start(\"fence.c\", 1)"), text.count("__upc_fence();")), (2, 1))
    expect("driver", driver, "cc")


def pthreads(test, driver):
    """One context for each UPC thread, whether it is a process or not."""
    option = "-pthreads=2" if driver == "upcc" else "-fupc-pthreads-model-tls"
    test.compile(driver, *STRICT, option, source("threads.upc"), "-o", "app")
    expect("printed", test.start(driver, "./app", 4, **test.preloaded()), "the thread before thread 0 is 3\n")
    threads = test.spied()
    expect("threads", [thread[0].partition(" thread ")[2] for thread in threads], [f"{i} of 4" for i in range(4)])
    for thread in threads:
        expect("fences", sum(line.startswith("wrapped FENCE start threads.upc:11") for line in thread), 1)
        expect("puts", sum(line.startswith("MEMPUT start") for line in thread), 1)


def helpers(test, driver):
    """Activity of other threads with the context of a UPC thread is not reported."""
    test.compile(driver, *STRICT, source("helpers.upc"), "-lpthread", "-o", "app")
    test.start(driver, "./app", 2, **test.preloaded())
    for thread in test.spied():
        expect("calls told by helpers", sum("helpers.upc:1" in line for line in thread), 0)
        expect("fences", sum(line.startswith("wrapped FENCE start helpers.upc:") for line in thread), 1)


def namesake(test, driver):
    """A library without MPI whose name begins like an MPI library."""
    with open(os.path.join(test.work, "mpir.c"), "w", encoding="utf-8") as file:
        file.write("int mpir;\n")
    test.run("cc", "-shared", "-fPIC", "mpir.c", "-o", "libmpir.so")
    test.compile(driver, source("threads.upc"), "-L.", "-Wl,--no-as-needed", "-lmpir", f"-Wl,-rpath,{test.work}", "-o", "app")
    test.run("tarry", "run", "--no-analyze", "-o", "job", "--", "./app", "-n", "4")
    expect("fences", test.run("tarry", "dump", "job").count(" upc_fence "), 4)


def mismatch(test, driver):
    """A dialect from the other implementation's headers is rejected with one message, and the program runs on."""
    other = {"upcc": "gupc-tool", "gupc": "berkeley"}[driver]
    os.makedirs(os.path.join(test.work, "wrong"))
    shutil.copy(os.path.join(HERE, "..", "runtime", "include", other, "gasp_upc.h"), os.path.join(test.work, "wrong"))
    test.compile(driver, "-Iwrong", source("threads.upc"), "-o", "app")
    expect("printed", test.start(driver, "./app", 4, **test.preloaded()), "the thread before thread 0 is 3\n")
    expect("recorded", test.spied(), [])
    names = ["Berkeley UPC", "GNU UPC or Clang UPC"]
    here, there = names if driver == "upcc" else reversed(names)
    sentence = (f"nothing is recorded: the program runs on {here}, but its tool library was compiled with headers of "
                f"{there}; rebuild the program with 'tarry upcc'\n")
    job = ["upcrun", "-n", "4", "./app"] if driver == "upcc" else ["./app", "-n", "4"]
    said = test.run("tarry", "run", "--no-analyze", "-o", "job", "--", *job)
    if f"tarry: note: {sentence}" not in said:
        raise Failed(f"'tarry run' does not say so:\n{said}")


def uninstrumented(test, driver):
    """A Berkeley UPC that was built without instrumentation: its own message, and what to do."""
    said = test.run("tarry", "upcc", driver, "-c", source("corners.upc"), code=1, UPC_STANDIN_PLAIN="1")
    for words in ("not built with GASP instrumentation support", "tarry: 'upcc' was built without instrumentation",
                  "--with-multiconf=+opt_inst"):
        if words not in said:
            raise Failed(f"no '{words}' in:\n{said}")
    said = test.run("tarry", "upcc", driver, "-c", "missing.upc", code=1)
    if "instrumentation" in said or "gasp-only" in said:
        raise Failed(f"a wrong explanation:\n{said}")


def other_version(test, driver):
    """A recorder of another version is not used."""
    test.compile(driver, source("threads.upc"), "-o", "app")
    test.start(driver, "./app", 2, SPY_VERSION="99", **test.preloaded())
    expect("recorded", test.spied(), [])
    test.start(driver, "./app", 2, **test.preloaded())
    expect("threads", len(test.spied()), 2)


def dropped(test, driver):
    """A launcher that drops LD_PRELOAD: the library is still loaded. Without tarry, nothing is."""
    test.compile(driver, source("threads.upc"), "-o", "app")
    variables = test.spy()
    library = os.path.join(test.work, "libspy.so")
    test.start(driver, "./app", 2, TARRY_PRELOAD=library, **variables)
    expect("threads", len(test.spied()), 2)
    variables = test.spy()
    del variables["TARRY_OUTPUT"]
    test.start(driver, "./app", 2, TARRY_PRELOAD=library, **variables)
    expect("recorded", test.spied(), [])
    test.start(driver, "./app", 2, TARRY_PRELOAD="/nothing", **test.spy())
    expect("recorded", test.spied(), [])


def sanitized(test, driver):
    """The library itself with sanitizers, in a program with them."""
    flags = ["-fsanitize=address,undefined", "-fno-sanitize-recover=all", "-g"]
    prefix = os.path.join(test.work, "prefix")
    for folder in ("bin", "lib", "share/tarry"):
        os.makedirs(os.path.join(prefix, folder))
    shutil.copy(os.path.join(test.options.tarry, "tarry"), os.path.join(prefix, "bin"))
    os.symlink(os.path.join(ROOT, "upc"), os.path.join(prefix, "share/tarry/upc"))
    names = ("dialect", "gasp", "passages", "recorder", "wrapped")
    for name in names:
        test.run("cc", *flags, "-std=gnu11", "-D_GNU_SOURCE", "-fPIC", "-I", os.path.join(ROOT, "src"), "-I",
                 os.path.join(ROOT, "upc"), "-c", os.path.join(ROOT, "src", "job", "gasp", f"{name}.c"))
    test.run("ar", "rc", os.path.join(prefix, "lib", "libtarry-gasp.a"), *(f"{name}.o" for name in names))
    open(os.path.join(prefix, "lib", "libtarry-preload.so"), "w", encoding="utf-8").close()
    test.environment["PATH"] = os.path.join(prefix, "bin") + os.pathsep + test.environment["PATH"]
    test.compile(driver, source("corners.upc"), "-o", "app", UPC_STANDIN_CC=" ".join(["cc", *flags]))
    variables = {**test.preloaded(), "ASAN_OPTIONS": "verify_asan_link_order=0:detect_leaks=0"}
    test.start(driver, "./app", 2, code=3, **variables)
    expect("threads", len(test.spied()), 2)


def cross(test, driver):
    """Code for programs compiles for x86-64 too."""
    compiler = shutil.which("x86_64-linux-gnu-gcc")
    if not compiler:
        print("skipped: x86_64-linux-gnu-gcc is missing")
        sys.exit(77)
    test.compile(driver, *STRICT, "-c", os.path.join(ROOT, "upc", "tarry_upc.upc"), UPC_STANDIN_CC=compiler)
    for name in ("dialect", "gasp", "passages", "recorder", "wrapped"):
        test.run(compiler, *STRICT, "-std=gnu11", "-D_GNU_SOURCE", "-fPIC", "-I", os.path.join(ROOT, "src"), "-I",
                 os.path.join(ROOT, "upc"), "-c", os.path.join(ROOT, "src", "job", "gasp", f"{name}.c"))


def made(test, driver):
    """By make and by CMake, with the compiler in a variable."""
    with open(os.path.join(test.work, "Makefile"), "w", encoding="utf-8") as file:
        file.write("app: corners.o\n\t$(CC) -o $@ $^\n%.o: %.upc\n\t$(CC) $(CFLAGS) -c -o $@ $<\n")
    shutil.copy(source("corners.upc"), test.work)
    flags = f"-I{os.path.join(ROOT, 'examples', 'upc')}"
    test.run("make", f"CC=tarry upcc -- {driver}", f"CFLAGS={flags}")
    test.start(driver, "./app", 2, code=3, **test.preloaded())
    expect("threads", len(test.spied()), 2)
    with open(os.path.join(test.work, "CMakeLists.txt"), "w", encoding="utf-8") as file:
        file.write("cmake_minimum_required(VERSION 3.18)\nproject(app C)\nadd_executable(app2 corners.c)\n")
    shutil.copy(source("corners.upc"), os.path.join(test.work, "corners.c"))
    test.run("cmake", "-S", ".", "-B", "build", "-DCMAKE_C_COMPILER_WORKS=1", f"-DCMAKE_C_FLAGS={flags}",
             "-DCMAKE_DEPENDS_USE_COMPILER=OFF", CC=f"tarry upcc -- {driver}")
    test.run("cmake", "--build", "build")
    test.start(driver, "build/app2", 2, code=3, **test.preloaded())
    expect("threads", len(test.spied()), 2)


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n\n")[0])
    for name in ("standin", "tarry", "work"):
        parser.add_argument(f"--{name}", required=True, type=os.path.abspath)
    parser.add_argument("--record", action="store_true")
    parser.add_argument("test")
    parser.add_argument("driver")
    options = parser.parse_args()
    try:
        globals()[options.test](Test(options), options.driver)
    except Failed as why:
        sys.exit(f"{options.test} {options.driver}: {why}")


main()
