"""Compiler drivers of the stand-in runtime: they accept and reject the same options as the real ones, and call a C
compiler.

    driver.py upcc|gupc|clang-upc RUNTIME ARGUMENTS...

RUNTIME is the folder with the runtime's libraries. UPC_STANDIN_CC names another C compiler, such as MPI's;
UPC_STANDIN_PLAIN=1 makes upcc one that was built without instrumentation."""

import os
import platform
import re
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
SOURCES = (".upc", ".c")
TRANSLATIONS = [(re.compile(pattern), text) for pattern, text in (
    (r"\bupc_(barrier|notify|wait)\b\s*([^;{}]*);", r"upc_\1_statement(\2);"),
    (r"\bupc_forall\s*\(([^;]*;[^;]*;[^;]*);(.*)\)(\s*\{?\s*)$", r"upc_forall_loop (\1) upc_forall_part(\2)\3"),
    (r"\bshared\s*\[[^]]*\]", "shared"),
    (r"^\s*#\s*pragma\s+pupc\s+(on|off)\b", r"#include <pupc_\1.h>"),
)]

# Options followed by a value, and prefixes of options that go to the C compiler unchanged.
WITH_VALUE = {"-o", "-I", "-D", "-U", "-L", "-l", "-include", "-isystem", "-iquote", "-x", "-Xlinker", "-u", "-T", "-n"}
TO_COMPILER = ("-I", "-D", "-U", "-L", "-l", "-g", "-O", "-W", "-f", "-m", "-std=", "-pthread", "-i", "-u", "-x", "-Xlinker")

BERKELEY_IGNORES = {"-lines", "-nolines", "-norc", "-opt", "-nopthreads", "-v", "-trans"}
VERSIONS = {
    "upcc": "This is upcc (the Berkeley Unified Parallel C compiler), v. 2020.4.0 (a stand-in for tests)",
    "gupc": "gupc (a stand-in for tests) 5.2.0",
    "clang-upc": "clang-upc (a stand-in for tests) version 3.9.1",
}


class Refused(Exception):
    pass


class Job:
    def __init__(self):
        self.files, self.options, self.link_options, self.output = [], [], [], None
        self.is_preprocess_only = self.is_question = False
        self.is_compile_only = self.is_inst = self.has_functions = self.has_local = self.is_debug = False
        self.tool, self.threads, self.pthreads = None, 0, 1


def berkeley_option(job, option):
    name, _, value = option.partition("=")
    if option in ("-inst", "--inst"):
        job.is_inst = True
    elif name in ("-inst-toolname", "--inst-toolname"):
        job.tool = value
    elif option in ("-inst-local", "-inst-functions"):
        job.has_local |= option == "-inst-local"
        job.has_functions |= option == "-inst-functions"
    elif option == "-print-include-dir":
        job.is_question = True
    elif name == "-T":
        job.threads = int(value)
    elif name == "-pthreads":
        job.pthreads = int(value or 2)
    elif name in ("-network", "-translator") or option in BERKELEY_IGNORES:
        pass
    elif option.startswith(("-Wp,", "-Wc,")):
        job.options.append(option[len("-Wp,"):])
    elif option.startswith("-Wl,"):
        job.link_options.append(option[len("-Wl,"):])
    elif option.startswith(("-x", "-W")):
        raise Refused(f"unrecognized option '{option}'")
    else:
        return False
    return True


def check_berkeley(job):
    if job.is_inst and os.environ.get("UPC_STANDIN_PLAIN") == "1":
        raise Refused("Error: -inst: this copy of Berkeley UPC was not built with GASP instrumentation support - "
                      "reconfigure with --enable-inst")
    if job.is_inst and not job.tool:
        raise Refused("upcc is configured for instrumentation: call the GASP-based performance tool's compile wrapper, "
                      "which gives -inst-toolname")
    if not job.is_inst and (job.has_local or job.has_functions):
        raise Refused("-inst-local and -inst-functions need -inst")


def gupc_option(job, option):
    option = {"--inst": "-fupc-instrument", "--inst-functions": "-fupc-instrument-functions"}.get(option, option)
    if option.startswith("-fupc-instrument"):
        job.is_inst = True
        job.has_functions |= option.endswith("-functions")
        return True
    return common_gnu_option(job, option)


def common_gnu_option(job, option):
    threads = re.fullmatch(r"-fupc-threads[-=](\d+)", option)
    if threads:
        job.threads = int(threads.group(1))
    elif option == "-fupc-pthreads-model-tls":
        job.pthreads = 0
    elif option == "-fupc-debug":
        job.is_debug = True
    else:
        return False
    return True


def clang_option(job, option):
    if option.startswith(("-fupc-instrument", "--inst")):
        raise Refused(f"unknown argument: '{option}'")
    return common_gnu_option(job, option)


def check_clang(job):
    job.is_inst = job.is_debug and any(re.fullmatch(r"-D__UPC_PUPC_INST__(=1)?", word) for word in job.options)


# As Clang UPC does it: see CMakeLists.txt.
WITHOUT_TABLES = [] if platform.machine() == "x86_64" else [
    "-fno-asynchronous-unwind-tables", "-fno-unwind-tables", "-fno-omit-frame-pointer"]

# Driver: personality, option reader, check at the end, macros.
DRIVERS = {
    "upcc": ("berkeley", berkeley_option, check_berkeley, ["__BERKELEY_UPC__=2020"], "user_main"),
    "gupc": ("gupc", gupc_option, lambda job: None, ["__GNUC_UPC__=1"], "upc_main"),
    "clang-upc": ("gupc", clang_option, check_clang, ["__clang__=1", "__clang_upc__=1"], "upc_main"),
}


# Where headers are. What clang-upc installs has none for tools.
FOLDERS = {
    "upcc": ("berkeley", "tool", "common", "own"),
    "gupc": ("gupc", "gupc-tool", "tool", "common", "own"),
    "clang-upc": ("gupc", "common", "own"),
}


def read_word(job, own_option, word, rest):
    if not word.startswith("-"):
        job.files.append(word)
        job.options += [] if word.endswith(SOURCES) else [word]
    elif word in ("-c", "-E", "-dM"):
        job.is_compile_only |= word == "-c"
        job.is_preprocess_only |= word == "-E"
    elif word == "-o":
        job.output = rest.pop(0)
    elif word in ("-T", "-n") and rest:
        job.threads = int(rest.pop(0))
    elif word in WITH_VALUE:
        job.options += [word, rest.pop(0)]
    elif not own_option(job, word):
        if not word.startswith(TO_COMPILER) or word.startswith("-inst"):
            raise Refused(f"unrecognized option '{word}'")
        job.options.append(word)


def read_job(driver, arguments):
    _, own_option, check, _, _ = DRIVERS[driver]
    job, rest = Job(), list(arguments)
    while rest:
        read_word(job, own_option, rest.pop(0), rest)
    check(job)
    if not job.files and not job.is_question:
        raise Refused("no input files")
    if job.is_compile_only and job.output and sum(name.endswith(SOURCES) for name in job.files) > 1:
        raise Refused("-o with -c and several files")
    return job


def translate(source, target):
    with open(source, encoding="utf-8") as file, open(target, "w", encoding="utf-8") as out:
        out.write(f'# 1 "{source}"\n')
        for line in file:
            for pattern, text in TRANSLATIONS:
                line = pattern.sub(text, line)
            out.write(line)


def run(words):
    done = subprocess.run(words, check=False)
    if done.returncode:
        sys.exit(done.returncode)


def compiler():
    return os.environ.get("UPC_STANDIN_CC", "cc").split()


def macros(driver, job):
    personality, _, _, names, main = DRIVERS[driver]
    names = names + [f"main={main}", "__UPC_ATOMIC__=1", "__UPC_COLLECTIVE__=1"]
    if job.is_inst:
        names += [f"UPCR_REPORT={1 if personality == 'berkeley' and not job.has_local else 3}", "__UPC_PUPC_INST__=1"]
    if job.is_inst and personality == "berkeley":
        names += ["UPCR_REPORTS_MALLOC"]
    if job.pthreads != 1 and personality == "berkeley":
        names += ["UPCR_PTHREADS", "__BERKELEY_UPC_PTHREADS__=1"]
    return ["-D" + name for name in names if f"-D{name}" not in job.options]


def is_for_compiling(word):
    return not word.startswith(("-l", "-L", "-Wl,", "-Xlinker")) and not word.endswith((".o", ".a", ".so"))


def compile_file(driver, job, source, scratch):
    text = os.path.join(scratch, f"{len(os.listdir(scratch))}.c")
    target = job.output if job.is_compile_only and job.output else None
    if not target:
        folder = "." if job.is_compile_only else scratch
        target = os.path.join(folder, os.path.splitext(os.path.basename(source))[0] + ".o")
    translate(source, text)
    folders = [os.path.join(HERE, "include", name) for name in FOLDERS[driver]]
    run([*compiler(), "-x", "c", "-std=gnu11", *(WITHOUT_TABLES if driver == "clang-upc" else []),
         *macros(driver, job), "-iquote", os.path.dirname(source) or ".",
         *(word for folder in folders for word in ("-isystem", folder)), "-include", "upc_keywords.h",
         *filter(is_for_compiling, without_values_of(job.options, ("-u", "-Xlinker", "-x", "-L", "-l"))),
         "-c", text, "-o", target])
    return target


def without_values_of(options, names):
    left, rest = [], list(options)
    while rest:
        word = rest.pop(0)
        if word in names:
            rest.pop(0)
        else:
            left.append(word)
    return left


def settings_file(job, scratch):
    if (job.threads, job.pthreads, job.has_functions) == (0, 1, False):
        return []
    text, target = os.path.join(scratch, "settings.c"), os.path.join(scratch, "settings.o")
    with open(text, "w", encoding="utf-8") as file:
        file.write(f"const int upcr_static_threads = {job.threads};\nconst int upcr_pthreads = {job.pthreads};\n")
        file.write("const int upcr_reports_functions = 1;\n" if job.has_functions else "")
    run([*compiler(), "-c", text, "-o", target])
    return [target]


def show_macros(driver, job):
    """Macros predefined by the compiler; but not those that say that this is UPC, because their headers would then
    expect a compiler."""
    run([*compiler(), "-x", "c", "-dM", "-E", "-D__UPC__=1", *macros(driver, job), "/dev/null"])


def link(driver, job, objects, scratch, runtime):
    library = {"upcc": "upcr-berkeley" if job.is_inst else "upcr", "gupc": "upcr-gupc", "clang-upc": "upcr-clang"}[driver]
    words = without_values_of(job.options, ("-include", "-I", "-D", "-U", "-isystem", "-iquote", "-x"))
    run([*compiler(), *objects, *settings_file(job, scratch), *words, *job.link_options, "-o", job.output or "a.out",
         os.path.join(runtime, f"lib{library}.a"), "-lpthread"])


def main():
    driver, runtime, *arguments = sys.argv[1:]
    if arguments in (["--version"], ["-V"]):
        print(VERSIONS[driver])
        return
    try:
        job = read_job(driver, arguments)
    except Refused as why:
        sys.exit(f"{driver}: {why}")
    if job.is_question:
        print(os.path.join(HERE, "include"))
        return
    if job.is_preprocess_only:
        show_macros(driver, job)
        return
    with tempfile.TemporaryDirectory(prefix="upc-") as scratch:
        objects = [compile_file(driver, job, name, scratch) for name in job.files if name.endswith(SOURCES)]
        if not job.is_compile_only:
            link(driver, job, objects, scratch, runtime)


main()
