"""--analyze=in-job: the report is that of `tarry report`, and the program prints the same and ends with the same code as without Tarry. --no-trace leaves no file. If a rank
dies, `tarry run` analyses the job and names the rank. Parts that are kept give the same report.

    in_job.py --mpi mpich --mpicc mpicc.mpich --launcher mpiexec.mpich --bin build/bin --work DIR programs/in_job.c"""

import json
import os
import shutil
import subprocess
import sys

import job

NOT_IN_JOB = "tarry: the job did not analyse its run: it is analysed now"
FINDING = "1. Late Sender"
PLAIN_TRIES, PLAIN_SECONDS = 2, 25


class InJob(job.Job):
    def record(self, options, words=()):
        return self.run([self.tarry, "run", "-o", self.trace, "--replace", "--analyze=in-job", *options, "--", *self.launch_line(), *words])

    def left(self):
        return [name for name in os.listdir(self.options.work) if name.startswith("trace.")]

    def run_plain(self, words):
        """Open MPI sometimes does not notice that a rank was killed: then it is started again."""
        for _ in range(PLAIN_TRIES):
            try:
                return self.run([*self.launch_line(), *words], PLAIN_SECONDS)
            except subprocess.TimeoutExpired:
                print(f"{words}: the plain job hangs")
        return self.run([*self.launch_line(), *words])

    def compared(self, words, options=("--no-trace",)):
        """Messages of `tarry` and the launcher, and problems."""
        plain, traced = self.run_plain(words), self.record(options, words)
        told = [(result.returncode, job.without_numbers_of_processes(result.stdout)) for result in (plain, traced)]
        return traced.stderr, [f"{words}: {told[0]} is {told[1]} when recorded"] if told[0] != told[1] else []

    def check_whole(self):
        """The report of the job is that of the trace."""
        said, problems = self.compared([], [])
        report = self.must([self.tarry, "report", self.trace])
        yield from problems
        if not said.startswith(report) or NOT_IN_JOB in said:
            yield f"the job printed\n{said}\nbut 'tarry report'\n{report}"
        if self.left() != ["trace.tarry"]:
            yield f"left behind: {self.left()}"
        os.remove(self.trace)

    def check_without_trace(self):
        said, problems = self.compared([], ["--no-trace", "--lang", "ru"])
        yield from problems
        if "trace:" in said or NOT_IN_JOB in said or "tarry report" in said or "эффективность" not in said.lower() or "MPI_Comm_size" not in said:
            yield f"without a trace:\n{said}"
        if self.left():
            yield f"left behind: {self.left()}"

    def check_ends(self):
        """Exit codes, and ranks that die."""
        for words, wanted in ((["code"], FINDING), (["children"], FINDING), (["streams"], FINDING), (["killed"], "the first was rank 1"), (["abort"], "MPI_Abort")):
            said, problems = self.compared(words)
            yield from problems
            # The sentence may be broken into lines.
            if wanted not in " ".join(said.split()) or (NOT_IN_JOB in said) != (words in (["killed"], ["abort"])):
                yield f"{words}: no '{wanted}':\n{said}"
            if self.left():
                yield f"{words} left behind: {self.left()}"

    def check_limit(self):
        result = self.record(["--no-trace", "--fail-on", "any>1%"])
        if result.returncode != 3:
            yield f"a crossed limit: {result.returncode}\n{result.stderr}"

    def check_no_job(self):
        self.run([self.tarry, "run", "-o", self.trace, "--analyze=in-job", "--", "false"])
        if self.left():
            yield f"a command that fails left behind: {self.left()}"

    def check_two_jobs(self):
        """The first job analyses itself, but the report is about both."""
        line = " ".join(self.launch_line())
        result = self.run([self.tarry, "run", "-o", self.trace, "--analyze=in-job", "--no-trace", "--", "sh", "-c", f"{line}; {line}"])
        if NOT_IN_JOB not in result.stderr or "4 processes" not in result.stderr:
            yield f"two jobs:\n{result.stderr}"

    def check_kept_parts(self):
        """Parts of a job that has ended are as good as its trace, also for several processes."""
        parts, words = self.trace + ".parts", ["--all", "--no-causes", "--json", "-"]
        self.must([job.ON_ONE_MACHINE, self.tarry, "run", "-o", self.trace, "--no-analyze", "--keep-parts", "--", *self.launch_line()])
        analyze = [job.ON_ONE_MACHINE, self.options.launcher, "-n", "3", os.path.join(self.options.bin, f"tarry-analyze-{self.options.mpi}")]
        reports = [json.loads(self.must([*line, *words, path])) for line in ([self.tarry, "analyze"], analyze) for path in (self.trace, parts)]
        for report in reports:
            report.pop("trace")
        if any(report != reports[0] for report in reports):
            yield f"the reports of the trace and of its parts differ: {reports}"
        shutil.rmtree(parts)
        os.remove(self.trace)

    def check(self):
        yield from self.check_whole()
        if self.options.source.endswith("in_job.c"):
            for one in (self.check_without_trace, self.check_ends, self.check_limit, self.check_no_job, self.check_two_jobs, self.check_kept_parts):
                yield from one()


def main():
    options = job.read_options()
    shutil.rmtree(options.work, ignore_errors=True)
    problems = list(InJob(options).check())
    for problem in problems:
        print(problem)
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main()
