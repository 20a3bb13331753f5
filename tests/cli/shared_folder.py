"""A folder that several users can write to. One of them prepares the name of a run, stops the victim's `tarry` at a pipe, and puts
a link to the victim's files in place of the folder. No file of the victim may be deleted, and no command may wait for the other
user.

    shared_folder.py BIN

BIN is the folder with the program `tarry`. The test needs root, to play both users; without root it is skipped."""

import concurrent.futures
import os
import signal
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
SKIPPED = 77
VICTIM, ATTACKER = 61001, 61002
SECONDS = 60
# Files that `tarry check` itself leaves in the folder of a run, and precious ones.
PRECIOUS = ("key", "job", "leader", "node-z", "thesis.tex", "notes", "meet-friends")


def as_user(user, command, **more):
    passed = {name: os.environ[name] for name in ("PATH", "LSAN_OPTIONS") if name in os.environ}
    environment = {**passed, "HOME": "/nonexistent", "LC_ALL": "C.UTF-8"}
    return subprocess.Popen(command, user=user, group=user, extra_groups=[], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                            stderr=subprocess.STDOUT, text=True, env=environment, **more)


class Place:
    """Homes of both users and a folder that both can write to; a folder of the victim's that has the names of a run."""

    def __init__(self, folder):
        self.shared, self.home = os.path.join(folder, "shared"), os.path.join(folder, "victim")
        self.run, self.precious = os.path.join(self.shared, "run.check"), os.path.join(self.home, "precious")
        for made in (self.shared, self.home, self.precious):
            os.mkdir(made)
        os.chmod(self.shared, 0o777)
        for name in PRECIOUS:
            with open(os.path.join(self.precious, name), "w", encoding="utf-8") as file:
                file.write("precious\n")
            os.chown(os.path.join(self.precious, name), VICTIM, VICTIM)
        for made in (self.home, self.precious):
            os.chown(made, VICTIM, VICTIM)
            os.chmod(made, 0o700)

    def lost(self):
        return sorted(set(PRECIOUS) - set(os.listdir(self.precious)))


def prepare(run):
    os.mkdir(run)
    os.chmod(run, 0o777)
    for name in ("job", "key"):
        with open(os.path.join(run, name), "w", encoding="utf-8") as file:
            file.write("x")
    os.mkfifo(os.path.join(run, "analyser-z-1.log"))
    os.chmod(os.path.join(run, "analyser-z-1.log"), 0o666)


def stop_and_swap(run, precious):
    """The process that waits at the pipe continues when the folder has become a link."""
    pipe, is_swapped = os.path.join(run, "analyser-z-1.log"), False
    while True:
        try:
            end = os.open(pipe, os.O_WRONLY | os.O_NONBLOCK)
        except OSError:
            time.sleep(0.01)
            continue
        if not is_swapped:
            os.rename(run, run + ".away")
            os.symlink(precious, run)
            pipe, is_swapped = os.path.join(run + ".away", "analyser-z-1.log"), True
        os.close(end)


def start_attacker(place):
    """A process of the other user; returns its number when everything is prepared."""
    ready, says_ready = os.pipe()
    attacker = os.fork()
    if not attacker:
        try:
            os.setgroups([])
            os.setgid(ATTACKER)
            os.setuid(ATTACKER)
            prepare(place.run)
            os.write(says_ready, b"r")
            stop_and_swap(place.run, place.precious)
        finally:
            os._exit(1)
    os.close(says_ready)
    os.read(ready, 1)
    os.close(ready)
    return attacker


def attack(place, command):
    attacker = start_attacker(place)
    victim = as_user(VICTIM, command, cwd=place.shared)
    try:
        printed = victim.communicate(timeout=SECONDS)[0]
    except subprocess.TimeoutExpired:
        victim.kill()
        printed = f"did not end within {SECONDS} s\n{victim.communicate()[0]}"
    os.kill(attacker, signal.SIGKILL)
    os.waitpid(attacker, 0)
    return victim.returncode, printed


def problems_of_attack(tarry, words, expected):
    name = " ".join(words)
    with tempfile.TemporaryDirectory(prefix="tarry-shared-") as folder:
        os.chmod(folder, 0o755)
        place = Place(folder)
        code, printed = attack(place, [tarry, *words])
        lost = place.lost()
        if lost:
            yield f"{name}: the victim lost {', '.join(lost)}\n{printed}"
        if code < 0 or expected not in printed:
            yield f"{name}: exit code {code}, and not '{expected}':\n{printed}"


def problems_of_foreign_folder(tarry):
    """A run of another user is shown, but not changed."""
    with tempfile.TemporaryDirectory(prefix="tarry-shared-") as folder:
        os.chmod(folder, 0o755)
        place = Place(folder)
        os.mkdir(place.run)
        for name in ("job", "key", "analyser-z-1.log"):
            with open(os.path.join(place.run, name), "w", encoding="utf-8"):
                pass
        os.chmod(place.run, 0o777)
        victim = as_user(VICTIM, [tarry, "check", "--show", "run"], cwd=place.shared)
        printed = victim.communicate(timeout=SECONDS)[0]
        if len(os.listdir(place.run)) != 3:
            yield f"--show: a folder of another user was tidied:\n{printed}"


def problems_of_own_folder(tarry):
    """The same folder, if it belongs to the victim and is private, is cleaned up; other files are kept."""
    with tempfile.TemporaryDirectory(prefix="tarry-shared-") as folder:
        os.chmod(folder, 0o755)
        place = Place(folder)
        os.mkdir(place.run, 0o700)
        for name in ("job", "key", "analyser-z-1.log", "mine.txt"):
            path = os.path.join(place.run, name)
            with open(path, "w", encoding="utf-8"):
                os.chown(path, VICTIM, VICTIM)
        os.chown(place.run, VICTIM, VICTIM)
        victim = as_user(VICTIM, [tarry, "check", "--show", "run"], cwd=place.shared)
        printed = victim.communicate(timeout=SECONDS)[0]
        left = sorted(os.listdir(place.run))
        if left != ["analyser-z-1.log", "mine.txt"]:
            yield f"--show: left in a folder of the user's own: {left}\n{printed}"


PREPARE = """
. "$0"
install_tarry openmpi
: >prefix/bin/tarry-analyser
chmod +x prefix/bin/tarry-analyser
echo 'int MPI_Init(void) { return 0; }' | cc -shared -o libmpi.so.40 -Wl,-soname,libmpi.so.40 -x c -
echo 'int MPI_Init(void); int main(void) { return MPI_Init(); }' | compile mpi libmpi.so.40 -Wl,-rpath,'$ORIGIN'
"""


def install(bin_folder, folder):
    """A library to preload that does nothing, an analyser that is not started, and a program that is linked with an MPI library."""
    subprocess.run(["sh", "-euc", PREPARE, os.path.join(HERE, "prelude.sh")], cwd=folder, check=True,
                   env={**os.environ, "PATH": f"{os.path.abspath(bin_folder)}:{os.environ['PATH']}"})
    return os.path.join(folder, "prefix", "bin", "tarry"), os.path.join(folder, "mpi")


def run_test(test):
    function, *arguments = test
    return list(function(*arguments))


def main():
    if os.geteuid() != 0:
        print("skipped: only root can play two users")
        return SKIPPED
    with tempfile.TemporaryDirectory(prefix="tarry-shared-") as folder:
        os.chmod(folder, 0o755)
        tarry, program = install(sys.argv[1], folder)
        refused = "is not a folder that only you can write to"
        tests = [
            (problems_of_attack, tarry, ["check", "-o", "run", "--", "true"], refused),
            (problems_of_attack, tarry, ["check", "--replace", "-o", "run", "--", "true"], refused),
            (problems_of_attack, tarry, ["exec", "--check", "-o", "run", program], refused),
            (problems_of_attack, tarry, ["check", "--show", "run"], "not a regular file"),
            (problems_of_foreign_folder, tarry),
            (problems_of_own_folder, tarry),
        ]
        # They mostly wait. Each has its own process, which may fork.
        with concurrent.futures.ProcessPoolExecutor(len(tests)) as pool:
            problems = [problem for found in pool.map(run_test, tests) for problem in found]
    print("\n".join(problems) or "no file of the victim is lost")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
