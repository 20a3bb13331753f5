# On a terminal there is a bar, which is replaced by lines of the table, and Ctrl-C ends the job. The bar is never wider than
# the terminal, and is not shown where it cannot be erased.
install_tarry
python3 -c 'import pty; pty.openpty()' 2>/dev/null || { echo "skipped: there are no terminals here"; exit 77; }
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_MCA_rmaps_base_oversubscribe=1
script prefix/bin/mpirun <<'END'
case $1 in --version) echo 'mpirun (Open MPI) 4.1.4'; exit ;; esac
while [ "${1#/}" = "$1" ]; do shift; done
exec "$@"
END
script prefix/bin/tarry-bench-openmpi <<'END'
case $* in *--dry-run*) exit 0 ;; esac
printf '\036tarry 0 0/2 clocks\n' >&2
until [ -e seen ]; do
	sleep 0.12
	printf '\036tarry 0.5 1/2 MPI_Bcast\n' >&2
done
echo 'a line of the table'
case $* in *forever*) exec sleep 100 ;; esac
printf '\036tarry 1 2/2 done\n' >&2
END
cat >session.py <<'END'
import fcntl, glob, os, pty, re, signal, struct, termios, time

signal.signal(signal.SIGINT, signal.default_int_handler)  # also where a shell has it ignored

def is_asleep(session):
    """Whether the stand-in has become the program that waits: a shell loses what comes while it starts one."""
    for path in glob.glob("/proc/[0-9]*/stat"):
        try:
            name, rest = open(path).read().rsplit(")", 1)
        except OSError:
            continue
        if name.endswith("(sleep") and rest.split()[3] == str(session) and rest.split()[0] == "S":
            return True
    return False

def see():
    open("seen", "w").close()

def run(*words, kind="xterm", columns=80):
    if os.path.exists("seen"):
        os.remove("seen")
    pid, terminal = pty.fork()
    if pid == 0:
        os.environ["TERM"] = kind
        fcntl.ioctl(2, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
        os.execvp("tarry", ["tarry", "bench", "-n", "2", *words])
    seen = b""
    if kind == "dumb" or columns < 20:
        see()  # no bar is visible
    while True:
        try:
            more = os.read(terminal, 4096)
        except OSError:
            more = b""
        if not more:
            break
        seen += more
        if b"50%" in seen:
            see()
        if b"table" in seen and "forever" in words:
            while not is_asleep(pid):
                time.sleep(0.02)
            os.write(terminal, b"\x03")
            words = ()
    bars = re.findall(r"\r(\w+ \[[#.]*\] +\d+%)", seen.decode())
    assert all(len(bar) < columns for bar in bars), bars
    # How often it is drawn, and where Ctrl-C is echoed, depends on the speed of the machine.
    text = re.sub(r"(\r\w+ \[[#.]*\] +\d+%)+", "<bar>", seen.decode().replace("^C", ""))
    # Ctrl-C empties the terminal's queue, with or without a bar in it.
    text = text.replace("<bar>\r\x1b[Ktarry: the job", "\r\x1b[Ktarry: the job")
    print(repr(text), os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))

run("bcast")
run("forever")
run("bcast", columns=24)
run("bcast", columns=8)
run("bcast", kind="dumb")
END
python3 session.py
