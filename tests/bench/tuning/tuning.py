"""The MPI library follows a tuning file exactly where it applies, and algorithms that break a job are omitted."""

import json
import os
import shutil
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, ".."))

from bench_job import ON_ONE_MACHINE, SECONDS, Job, options_of, run_all  # noqa: E402  pylint: disable=wrong-import-position

RANKS = 4
# With barriers instead of a common clock no run is invalid, even on a busy machine.
QUICKLY = ("--rounds", "1", "--method", "barrier")
BYTES = 1024
# Each with what the program that looks at it tells once it is planted: the algorithm, or the number of messages.
PLANTED = {
    "openmpi": {"bcast": ("scatter_allgather_ring", "scatter_allgather_ring"), "allgather": ("ring", "ring")},
    "mpich": {"bcast": ("scatter_ring_allgather", "15"), "allgather": ("ring", "12")},
}


class Tuning(Job):
    """With the programs of these tests."""

    def __init__(self, options):
        super().__init__(options)
        self.tarry, self.plant, self.used, self.faulty = options.tarry, options.plant, options.used, options.faulty
        self.results = os.path.join(self.work, "all.json")

    def run(self, command, **variables):
        """Stdout of a command that must succeed."""
        done = subprocess.run([ON_ONE_MACHINE, *command], capture_output=True, text=True, timeout=SECONDS,
                              check=False, cwd=self.work, env={**os.environ, **variables})
        assert done.returncode == 0, f"{command} ended with {done.returncode}: {done.stderr}"
        return done.stdout

    def algorithms(self, **variables):
        """What the library uses: {("bcast", ranks, bytes): algorithm}."""
        command = [self.launcher, "-n", str(RANKS), self.used, str(BYTES // 16), str(BYTES), str(16 * BYTES)]
        seen = {}
        for line in self.run(command, **variables).splitlines():
            name, ranks, size, algorithm = line.split()
            seen[name, int(ranks), int(size)] = algorithm
        return seen

    def planted(self, name, variant, results=None):
        """The variables that make the library read a file with this one choice."""
        operation = "MPI_" + name.capitalize()
        told = self.run([self.plant, results or self.results, f"{name}.tuned", operation, str(RANKS), str(BYTES), variant])
        return dict(line.split("=", 1) for line in told.splitlines())

    def tune(self, *arguments, **variables):
        """The output and files of `tarry bench tune` for barriers of two processes."""
        folder = os.path.join(self.work, "tune")
        shutil.rmtree(folder, ignore_errors=True)
        os.makedirs(folder)
        output, report = os.path.join(folder, "made"), os.path.join(folder, "report.json")
        said = self.run([self.tarry, "bench", "tune", "-n", "2", "--mpi", self.mpi, *QUICKLY, "-o", output,
                         "--json", report, *arguments, "barrier"], **variables)
        with open(report, encoding="utf-8") as file:
            return said, json.load(file), os.path.exists(output)


def all_algorithms_are_measured(job):
    """The library's own choice and what it offers besides, with what a tuning file calls it."""
    environment = {"OMPI_MCA_coll_tuned_use_dynamic_rules": "1"}
    os.environ.update(environment)
    results = job.measure(RANKS, "--each-algorithm", *QUICKLY, "--sizes", str(BYTES), "bcast",
                          "allgather")
    for name in environment:
        del os.environ[name]
    os.replace(os.path.join(job.work, "results.json"), job.results)
    assert results["facts"]["tuning"][f"nodes of {RANKS} processes"] == "1", results["facts"]["tuning"]
    for name, (variant, _) in PLANTED[job.mpi].items():
        operation = "MPI_" + name.capitalize()
        variants = [point["variant"] for point in results["points"] if point["operation"] == operation]
        assert variants[0] == "untuned" and variant in variants, variants
        assert len(set(variants)) == len(variants) > 2, variants
        assert f"{operation} {variant}" in results["facts"]["tuning"], results["facts"]["tuning"]


def order_is_kept(job):
    """Open MPI's rules apply to all reductions: an algorithm that is wrong for some is omitted, a correct one is not."""
    os.environ["OMPI_MCA_coll_tuned_use_dynamic_rules"] = "1"
    results = job.measure(RANKS, "--each-algorithm", *QUICKLY, "--sizes", str(BYTES), "allreduce")
    del os.environ["OMPI_MCA_coll_tuned_use_dynamic_rules"]
    variants = {point["variant"] for point in results["points"]}
    left_out = [entry["reason"] for entry in results["omissions"] if "non-commutative" in entry["reason"]]
    assert "recursive_doubling" in variants and "ring" not in variants, variants
    assert any("'ring'" in reason for reason in left_out), left_out
    assert not any("'recursive_doubling'" in reason for reason in left_out), left_out


def the_library_follows_the_file(job):
    """At the planted size and number of processes, and only there."""
    usual = job.algorithms()
    for name, (variant, sign) in PLANTED[job.mpi].items():
        place = (name, RANKS, BYTES)
        assert usual[place] != sign, f"the library uses {variant} anyway: plant another"
        tuned = job.algorithms(**job.planted(name, variant))
        assert tuned[place] == sign, f"{variant} was planted, {tuned[place]} is used"
        others = {key: value for key, value in tuned.items() if key != place}
        assert others == {key: value for key, value in usual.items() if key != place}, (usual, tuned)


def with_two_sizes(job, operation, variant, term):
    """A file of results in which this algorithm was measured at two sizes."""
    with open(job.results, encoding="utf-8") as file:
        results = json.load(file)
    results["points"] = [{**results["points"][0], "operation": operation, "bytes": size, "variant": name}
                         for size in (BYTES // 16, BYTES) for name in ("untuned", variant)]
    results["facts"]["tuning"][f"{operation} {variant}"] = term
    path = os.path.join(job.work, "two.json")
    with open(path, "w", encoding="utf-8") as file:
        json.dump(results, file)
    return path


def single_sizes_are_not_told_apart(job):
    """In gather and scatter: Open MPI takes the size from arguments that have no meaning in some processes. These may be 0 there,
    and with a rule for one size processes of one call would use different algorithms. So algorithms that won only at some sizes are
    not written."""
    for name, number in (("gather", 9), ("scatter", 15)):
        trap = os.path.join(job.work, "trap.rules")
        with open(trap, "w", encoding="utf-8") as file:
            file.write(f"1\n{number}\n1\n{RANKS}\n2\n0 1 0 0\n{BYTES} 2 0 0\n")
        dynamic = {"OMPI_MCA_coll_tuned_use_dynamic_rules": "1"}
        trapped = job.algorithms(OMPI_MCA_coll_tuned_dynamic_rules_filename=trap, **dynamic)
        assert trapped[name, RANKS, BYTES] == "several", "this Open MPI has no such trap: rules could be written"
        results = with_two_sizes(job, "MPI_" + name.capitalize(), "binomial", "2 0 0")
        variables = job.planted(name, "binomial", results)
        with open(variables["OMPI_MCA_coll_tuned_dynamic_rules_filename"], encoding="utf-8") as file:
            assert f"\n{number} # MPI_" not in file.read()
        assert "several" not in job.algorithms(**variables).values()


def tuning_comes_to_an_end(job):
    """The report, the table, and the file agree."""
    said, report, is_written = job.tune("--layouts", "1x2")
    (choice,) = report["choices"]
    assert choice["operation"] == "MPI_Barrier" and choice["ranks"] == 2 and choice["rivals"] > 1, choice
    assert choice["layout"] == "1x2" and "MPI_Barrier, 1x2, cold cache, 2 processes" in said, (choice, said)
    assert choice["is_taken"] == is_written == ("export " in said), said
    assert ("tried" in choice) >= choice["is_taken"], "what is in the file has been tried"
    assert report["format"] == {"openmpi": "a rule file of version 1 for coll/tuned", "mpich": "a decision tree (JSON)"}[job.mpi]
    assert (f" reads {report['format']}. For your jobs:" in said) == is_written, said
    done = subprocess.run([ON_ONE_MACHINE, job.tarry, "bench", "tune", "-n", "2", "--mpi", job.mpi, "--layouts", "2x1", "barrier"], cwd=job.work,
                          capture_output=True, text=True, timeout=SECONDS, check=False)
    assert done.returncode != 0 and "layout '2x1': the job has not 2 nodes with 1 processes each" in done.stderr, done.stderr


def broken_algorithms_are_left_out(job):
    """One that kills the job, after it has been tried out, and one that never returns; the others are measured."""
    _, report, _ = job.tune("--patience", "5", "--untried", LD_PRELOAD=job.faulty)
    for name, word in (("double_ring", "ended the job"), ("bruck", "did not end")):
        reasons = [entry["reason"] for entry in report["left_out"] if f"'{name}'" in entry["reason"]]
        assert len(reasons) == 1 and reasons[0].endswith(word), report["left_out"]
    assert report["choices"][0]["rivals"] > 1, report["choices"]


def main():
    job = Tuning(options_of("tarry", "plant", "used", "faulty"))
    checks = [all_algorithms_are_measured, the_library_follows_the_file, tuning_comes_to_an_end]
    if job.mpi == "openmpi":  # whose algorithms can be replaced from outside
        checks += [order_is_kept, single_sizes_are_not_told_apart, broken_algorithms_are_left_out]
    run_all(checks, job)


if __name__ == "__main__":
    main()
