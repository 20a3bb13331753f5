"""Plans that cannot be measured, jobs that die, and their messages and results."""

import json
import os
import signal
import subprocess

import bench_job

HUGE_MEMORY = 2**35
QUICK = ("--max-runs", "8", "--stage", "4")
# Launchers lose unread output when a process dies.
ATTEMPTS = 5


def tarry(job, *arguments):
    """`tarry bench` with this MPI library: exit code, stdout, stderr."""
    command = [bench_job.ON_ONE_MACHINE, os.path.join(os.path.dirname(job.program), "tarry"), "bench", "--mpi", job.mpi, *arguments]
    done = subprocess.run(command, capture_output=True, text=True, timeout=bench_job.SECONDS, check=False)
    return done.returncode, done.stdout, done.stderr


def has_little_memory():
    return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") < HUGE_MEMORY


def refused(job, *arguments):
    """The messages with which `tarry bench` rejects this before it starts a job."""
    code, out, errors = tarry(job, "-n", "2", *arguments)
    assert code == 2, f"{arguments} ended with {code}: {errors}"
    assert not out, f"{arguments} was started: {out}"
    assert all(line.startswith("tarry: ") for line in errors.splitlines()), errors
    return errors


def reasons(results, operation):
    return [omission["reason"] for omission in results["omissions"] if omission["operation"] == operation]


def load(path):
    with open(path, encoding="utf-8") as file:
        return json.load(file)


def missing_operations(job):
    _, listing, _ = tarry(job, "list")
    return [line.split()[0] for line in listing.splitlines() if line.endswith("(missing in this MPI library)")]


def typing_errors_start_no_job(job):
    """A point that cannot be measured is rejected with a message; typing errors get the nearest word."""
    assert "'bcats': do you mean 'bcast'" in refused(job, "bcats")
    assert "the job has 2" in refused(job, "--ranks", "2,3", "barrier")
    assert "32-bit counts" in refused(job, "--sizes", "1P", "bcast")
    assert "unknown timer 'sundial'" in refused(job, "--timer", "sundial", "bcast")
    code, out, errors = tarry(job, "-n", "1", "latency")
    assert code == 2 and not out and "at least 2 processes" in errors, errors
    if has_little_memory():
        assert "need" in refused(job, "--sizes", "15G", "--datatype", "double", "alltoall")
    for operation in missing_operations(job)[:1]:
        assert f"this MPI library has no {operation}" in refused(job, operation)


def the_rest_is_measured(job):
    """Parts of a plan that cannot be measured are named and omitted: none of their memory is touched."""
    missing = missing_operations(job)[:1]
    results = job.measure(2, *QUICK, "--seed", "7", "--ranks", "1,2", "--sizes", "8,15G,1P", "--datatype", "double", "latency",
                          "alltoall", *missing) if has_little_memory() else job.measure(2, *QUICK, "--seed", "7", "barrier")
    if has_little_memory():
        measured = [(point["operation"], point["ranks"], point["bytes"]) for point in results["points"]]
        assert sorted(measured) == [("Latency", 2, 8), ("MPI_Alltoall", 1, 8), ("MPI_Alltoall", 2, 8)], measured
        assert any("at least 2 processes" in reason for reason in reasons(results, "Latency"))
        assert any("are available" in reason for reason in reasons(results, "MPI_Alltoall"))
        assert any("32-bit counts" in reason for reason in reasons(results, "MPI_Alltoall"))
        assert all(reasons(results, operation)[0] == f"this MPI library has no {operation}" for operation in missing)
    circumstances_are_kept(job, results["facts"])


def circumstances_are_kept(job, facts):
    """Library, hosts, binding, parameters with final values, and the settings that the library got."""
    assert facts["mpi"]["library"].startswith({"openmpi": "Open MPI ", "mpich": "MPICH "}[job.mpi]), facts["mpi"]
    assert facts["mpi"]["library"].split()[-1][0].isdigit()
    assert facts["mpi"]["processes"] == "2"
    assert facts["machine"]["hosts"] == f"{os.uname().nodename} (2)"
    assert os.uname().release in facts["machine"]["kernel"]
    assert set(facts["machine"]) >= {"processor", "processors", "memory", "frequency governor"}
    assert list(facts["binding"]) == ["rank 0", "rank 1"]
    assert facts["parameters"]["seed"] == "7" and facts["parameters"]["max-runs"] == "8" and facts["parameters"]["trim"] == "0.25"
    assert "--seed 7" in facts["job"]["command line"] and facts["job"]["start"].endswith("Z")
    assert facts["environment"]["UCX_TARRY_TEST"] == "1"


def a_process_that_dies(job):
    """The file has the results so far and says that it is incomplete."""
    path, table = os.path.join(job.work, "dead.json"), os.path.join(job.work, "dead.csv")
    for _ in range(ATTEMPTS):
        code, out, errors = tarry(job, "-n", "2", *QUICK, "--sizes", "8,16,32", "-o", path, "--csv", table, "--die-after", "2",
                                  "bcast")
        assert code not in (0, 2) and "the job ended early: " in errors, errors
        check_what_is_left(path, table)
        rows = sum(line.split()[:2] in (["8", "2"], ["16", "2"]) for line in out.splitlines())
        if rows == 2 and f"the job ended early: measured 2 of 3 points; they are in '{path}'" in errors:
            return
        print(f"tried again: {rows} of 2 points are shown, {errors.strip()}", flush=True)
    raise AssertionError(out + errors)


def check_what_is_left(path, table):
    results = load(path)
    assert not results["complete"]
    assert [point["bytes"] for point in results["points"]] == [8, 16]
    assert all(len(point["times_s"]) == point["right"] for point in results["points"])
    with open(table, encoding="utf-8") as file:
        assert len(file.read().splitlines()) == 3


def an_interruption(job):
    """It ends the job, and the results so far are kept."""
    path = os.path.join(job.work, "interrupted.json")
    command = [bench_job.ON_ONE_MACHINE, os.path.join(os.path.dirname(job.program), "tarry"), "bench", "--mpi", job.mpi, "-n", "2",
               *QUICK, "--sizes", "8-32K:+16", "-o", path, "bcast"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as running:
        lines = 0
        for line in running.stdout:
            words = line.split()  # the head has a wrapped line "2.025 us (expected: 2 us)"
            lines += words[1:2] == ["2"] and words[0].isdigit()
            if lines == 2:
                break
        running.send_signal(signal.SIGINT)
        _, errors = running.communicate(timeout=bench_job.SECONDS)
    assert running.returncode == 128 + signal.SIGINT and "the job ended early: " in errors, errors
    results = load(path)
    assert not results["complete"] and 0 < len(results["points"]) < 2000


def outputs_that_cannot_be(job):
    """Both programs reject them before anything is measured."""
    for path in ("/nowhere/at/all.json", job.work):
        code, out, errors = tarry(job, "-n", "2", "-o", path, "barrier")
        assert code == 1 and not out and path in errors, errors
    code, out, errors = job.start(2, "-o", job.work, "barrier")
    assert code != 0 and "MPI_Barrier" not in out and job.work in errors, errors


def planted_memory_is_found(job):
    """All of it, where it was planted, and nothing elsewhere."""
    planted, little = 4 << 20, 256 << 10
    uses = {use["step"]: use for use in job.measure(2, "--memory", "--plant", "memory")["memory"]}
    for step, key, size in (("nothing", "private_bytes", 0), ("nothing", "shared_bytes", 0), ("nothing", "heap_bytes", 0),
                            ("private", "private_bytes", planted), ("private", "shared_bytes", 0), ("private", "heap_bytes", 0),
                            ("shared", "shared_bytes", planted), ("shared", "private_bytes", 0), ("heap", "heap_bytes", planted),
                            ("heap", "private_bytes", 0), ("half of it", "private_bytes", planted / 2)):
        assert abs(uses[step][key] - size) < little, (step, key, uses[step])


def nothing_is_no_success(job):
    """A job that had to omit everything says so in its output."""
    path = os.path.join(job.work, "nothing.json")
    code, out, errors = job.start(1, *QUICK, "-o", path, "latency")
    assert code == 1 and "Latency left out" in out and errors.count("nothing could be measured") == 1, (code, errors)
    assert load(path)["complete"] and len(load(path)["omissions"]) == 6, load(path)["omissions"]


def a_note_is_said_once(job):
    """Although it is true for several operations."""
    _, _, errors = job.start(2, *QUICK, "--sizes", "4,64", "--datatype", "struct", "bcast", "gather", "scatter")
    for size, rounded in ((4, 13), (64, 65)):
        assert errors.count(f"tarry-bench: {size} bytes are measured as {rounded}: 'struct' has 13") == 1, errors


def a_launcher_of_another_library(job):
    """Its processes do not know each other: one of them reports it, and none measures. A launcher of one process is not such a
    case."""
    launchers = {"openmpi": "PMI_", "mpich": "OMPI_COMM_WORLD_"}[job.mpi]
    for size, is_refused in (("2", True), ("1", False)):
        for rank in range(int(size)):
            environment = dict(os.environ, **{launchers + "SIZE": size, launchers + "RANK": str(rank)})
            done = subprocess.run([bench_job.ON_ONE_MACHINE, job.program, *QUICK, "barrier"], env=environment, capture_output=True,
                                  text=True, timeout=bench_job.SECONDS, check=False)
            assert done.returncode == (2 if is_refused else 0), done
            assert ("do not know each other" in done.stderr) == (is_refused and rank == 0), done.stderr
            assert ("MPI_Barrier" in done.stdout) != is_refused, done.stdout


def memory_as_ranks_grow(job):
    """One job for each number of processes, merged."""
    path = os.path.join(job.work, "memory.json")
    code, out, errors = tarry(job, "--memory", "--ranks", "1,2", "-o", path)
    assert code == 0, errors
    results = load(path)
    assert results["complete"] and not results["points"]
    steps = [use["step"] for use in results["memory"] if use["ranks"] == 1]
    assert steps == [use["step"] for use in results["memory"] if use["ranks"] == 2] and steps[0] == "MPI_Init"
    assert all(use["private_bytes"] + use["shared_bytes"] > 0 for use in results["memory"] if use["step"] == "MPI_Init")
    copies = [use for use in results["memory"] if "copy of" in use["step"]]
    assert all(use["heap_bytes"] > 0 for use in copies), copies
    assert list(results["facts"]["memory growth"]) == steps
    assert all(step in out for step in steps) and "each further process" in out
    assert not [name for name in os.listdir(job.work) if "tarry-memory" in name]


os.environ["UCX_TARRY_TEST"] = "1"
bench_job.run_all([typing_errors_start_no_job, the_rest_is_measured, a_process_that_dies, an_interruption,
                   outputs_that_cannot_be, nothing_is_no_success, a_note_is_said_once,
                   a_launcher_of_another_library, planted_memory_is_found, memory_as_ranks_grow])
