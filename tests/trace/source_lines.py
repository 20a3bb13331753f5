#!/usr/bin/env python3
"""Call sites become source lines if the program's file allows it, otherwise a warning. Usage: source_lines.py TARRY
CC"""

import os
import subprocess
import sys
import tempfile

from harness import assemble, check, finish, run

PROGRAM = """int volatile sink;
__attribute__((noinline)) void target(void)
{
	sink = 1;
}
static inline __attribute__((always_inline)) void halo(void)
{
	target();
}
void exchange(void)
{
	halo();
	sink = 2;
}
int main(void)
{
	exchange();
	return 0;
}
"""
# The first line of a function differs between compilers.
IN_TARGET = ("prog.c:2 target", "prog.c:3 target", "prog.c:4 target")
BUILD_ID = "00112233445566778899aabbccddeeff"


def compile_program(cc, folder, name, *options):
    source, program = os.path.join(folder, "prog.c"), os.path.join(folder, name)
    with open(source, "w") as file:
        file.write(PROGRAM)
    subprocess.run([cc, "-O1", "-Wl,--build-id=0x" + BUILD_ID, *options, "-o", program, source], check=True)
    return program


def address_of(program, symbol):
    for line in subprocess.run(["nm", program], capture_output=True, text=True, check=True).stdout.splitlines():
        words = line.split()
        if words[-1] == symbol:
            return int(words[0], 16)
    sys.exit("no " + symbol)


def remark_of(tarry, folder, program, offset, build_id=BUILD_ID):
    text = 'module 1 base=0x1000 size=0x10000 build-id=%s "%s"\n1 2 MPI_Send site=1+%d\n' % (build_id, program, offset)
    return remark_in(tarry, folder, text)


def remark_in(tarry, folder, text):
    """What follows the last event, and the output on stderr."""
    trace = os.path.join(folder, "x.tarry")
    assemble(tarry, text.encode(), trace)
    code, out, errors = run(tarry, "dump", trace)
    check(code == 0, "dump: " + errors)
    return out.decode().splitlines()[-1].partition("  # ")[2], errors


def main(tarry, cc):
    with tempfile.TemporaryDirectory() as folder:
        program = compile_program(cc, folder, "prog", "-g")
        target, exchange = address_of(program, "target"), address_of(program, "exchange")
        remark, errors = remark_of(tarry, folder, program, target + 1)
        check(remark in IN_TARGET and not errors, "with -g: '%s' %s" % (remark, errors))
        fixed = compile_program(cc, folder, "fixed", "-g", "-no-pie")
        remark, _ = remark_of(tarry, folder, fixed, address_of(fixed, "target") + 1)
        check(remark in IN_TARGET, "at fixed addresses: '%s'" % remark)
        remarks = [remark_of(tarry, folder, program, exchange + i)[0] for i in range(1, 40)]
        check("prog.c:8 halo (inlined) < prog.c:12 exchange" in remarks, "inlined: %s" % remarks)
        remark, errors = remark_of(tarry, folder, program, target + 1, "ff" + BUILD_ID[2:])
        check(remark == "prog+0x%x" % (target + 1) and "was rebuilt" in errors, "rebuilt: '%s' %s" % (remark, errors))
        bare = compile_program(cc, folder, "bare")
        remark, errors = remark_of(tarry, folder, bare, address_of(bare, "target") + 5)
        check(remark == "target+0x5 in bare" and "compile with -g" in errors, "no -g: '%s' %s" % (remark, errors))
        compile_program(cc, folder, "stripped", "-s")
        remark, errors = remark_of(tarry, folder, os.path.join(folder, "stripped"), target + 5)
        check(remark == "stripped+0x%x" % (target + 5) and "compile with -g" in errors,
              "stripped: '%s' %s" % (remark, errors))
        remark, errors = remark_of(tarry, folder, "/absent/prog", 0x123)
        check(remark == "prog+0x123" and "cannot read '/absent/prog'" in errors, "absent: '%s' %s" % (remark, errors))
        remark, errors = remark_of(tarry, folder, os.path.join(folder, "prog.c"), 0x123)
        check(remark == "prog.c+0x123" and errors, "no ELF file: '%s' %s" % (remark, errors))
        text = 'source 1 "/home/u/ring.py" "exchange"\n1 2 MPI_Send site=1+%d\n'
        for line, wanted in ((42, "ring.py:42 exchange"), (0, "exchange in ring.py"), (2**40, "exchange in ring.py")):
            remark, errors = remark_in(tarry, folder, text % line)
            check(remark == wanted and not errors, "a line of the trace's own: '%s' %s" % (remark, errors))
        remark, _ = remark_in(tarry, folder, 'source 1 "a.f90" ""\n1 2 MPI_Send site=1+7\n')
        check(remark == "a.f90:7", "without a function: '%s'" % remark)
        remark, errors = remark_of(tarry, folder, os.path.join(folder, "prog.c"), 0x123)
        _, out, _ = run(tarry, "info", os.path.join(folder, "x.tarry"))
        check(b"prog.c+0x123" in out, "info: %s" % out)
    finish()


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2])
