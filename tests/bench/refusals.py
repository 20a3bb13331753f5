"""Invalid measurements are rejected with a message before memory is touched, and their twins are
measured."""

import os
import subprocess

import bench_job

FAILED, MISUSED = 1, 2


def planned(job, *arguments):
    """Exit code and output of a dry run, which needs no MPI."""
    done = subprocess.run([job.program, "--dry-run", *arguments], capture_output=True, text=True, check=False,
                          timeout=bench_job.SECONDS)
    return done.returncode, done.stdout + done.stderr


def refuse_word(job, sentence, *arguments):
    code, words = planned(job, *arguments)
    assert code == MISUSED and sentence in words, (arguments, code, words)


def leave_out(job, sentence, *arguments):
    """No point is left, and the reason is printed."""
    _, words = planned(job, *arguments)
    assert sentence in words and "\nlines of the table: 0 of" in words, (arguments, words)


def accept(job, *arguments):
    code, words = planned(job, *arguments)
    assert code == 0 and "left out" not in words, (arguments, code, words)


def wrong_words(job):
    """Each is named, with a suggestion."""
    refuse_word(job, "do you mean 'bcast'?", "bcasd")
    refuse_word(job, "do you mean 'bcast'?", "broadcast")
    refuse_word(job, "unknown operation 'x'", "x")
    refuse_word(job, "do you mean 'max'?", "--reduction", "maxx")
    refuse_word(job, "unknown communicator 'thirds'", "--communicator", "thirds")
    refuse_word(job, "'red' is not a colour", "--communicator", "split:0,red")
    for words, sentence in (("doubel", "unknown type"), ("vector:3", "missing numbers"),
                            ("vector:3,2,1", "stride"), ("vector:0,1,1", "the vector is empty"),
                            ("vector:2,1,2:complex", "'complex' is not a basic type"),
                            ("indexed:4", "'4' has no place"), ("layout:4@0,4@2", "overlap at byte 2"),
                            ("layout:0@0", "has no elements"), ("struct:int@0,thing@8", "'thing' is not a basic type"),
                            ("layout:1@4G", "too far away"), ("layout:1G@1G", "more than 1 GiB"),
                            ("./no-such-file", "cannot read './no-such-file'")):
        refuse_word(job, sentence, "--datatype", words)


def good_words(job):
    """Their twins are accepted."""
    for words in ("bcast", "MPI_Bcast", "neighbourhood", "all"):
        accept(job, words)
    accept(job, "--communicator", "split:0,-,1", "bcast")
    path = os.path.join(job.work, "layout.txt")
    with open(path, "w", encoding="utf-8") as file:
        file.write("layout:4@0,8@16\n")
    for words in ("double", "vector", "indexed", "struct", "vector:3,2,5:double", "indexed:1@4,2@0", path):
        accept(job, "--datatype", words, "bcast")


def types_and_reductions(job):
    """MPI defines no bit operations on real numbers and no sum of a derived type; a user's function has
    no such limits."""
    leave_out(job, "'bxor' is not defined for 'double'", "--reduction", "bxor", "--datatype", "double", "reduce")
    leave_out(job, "'sum' is not defined for 'byte'", "--datatype", "byte", "reduce")
    leave_out(job, "'sum' does not accept a derived type such as 'vector'", "--datatype", "vector", "allreduce")
    leave_out(job, "does not accept a user-defined operation", "--reduction", "user", "accumulate")
    accept(job, "--reduction", "bxor", "--datatype", "byte", "reduce")
    accept(job, "--reduction", "user", "--datatype", "vector", "allreduce")


def too_few_processes(job):
    """A pair needs two; a root must be among them."""
    leave_out(job, "PingPong needs at least 2 processes", "--ranks", "1", "pingpong")
    leave_out(job, "root 2 is not among 2 processes", "--ranks", "2", "--root", "2", "bcast")
    accept(job, "--ranks", "2", "--root", "1", "bcast", "pingpong")


def sizes_that_overflow(job):
    """Counts are of type int; with displacements their sum is, and those of MPI_Alltoallw are bytes."""
    leave_out(job, "32-bit counts", "--sizes", "2G", "bcast")
    leave_out(job, "32-bit counts", "--sizes", "12297829382473034411", "allgatherv")
    accept(job, "--sizes", "1G", "--cache", "warm", "bcast")
    leave_out(job, "32-bit counts", "--ranks", "4", "--sizes", "1G", "allgatherv")
    accept(job, "--ranks", "4", "--sizes", "1M", "allgatherv")
    leave_out(job, "32-bit counts", "--ranks", "4", "--sizes", "1G", "--datatype", "double", "alltoallw")
    accept(job, "--ranks", "4", "--sizes", "1G", "--datatype", "double", "--cache", "warm", "alltoallv")


def too_much_memory(job):
    """4 TiB fit into no node: rejected, while smaller ones are measured."""
    results = job.measure(2, "--datatype", "layout:1M@0", "--sizes", "1M,2T", "--max-runs", "1", "--warm-up", "1", "alltoall")
    assert [point["bytes"] for point in results["points"]] == [1 << 20]
    (omission,) = results["omissions"]
    assert omission["operation"] == "MPI_Alltoall"
    assert "need 16 TiB on a node" in omission["reason"] and "fewer '--ranks', with which they grow" in omission["reason"], \
        omission


def sizes_are_rounded(job):
    """A message has whole elements, which is printed."""
    code, out, errors = job.start(2, "--sizes", "5", "--max-runs", "1", "--warm-up", "1", "--verify", "allreduce")
    assert code == 0 and "5 bytes are measured as 8: 'int' has 4" in errors, (code, out, errors)


def what_is_missing_is_named(job):
    """In the list, every operation has a line; functions missing in the MPI library are marked."""
    done = subprocess.run([job.program, "--list"], capture_output=True, text=True, check=True)
    names = [line.split()[0] for line in done.stdout.splitlines() if line.startswith("  ")]
    assert len(names) == len(set(names)) and sum(name.startswith("MPI_") for name in names) == 3 * 22 + 3 + 6, names


bench_job.run_all([wrong_words, good_words, types_and_reductions, too_few_processes, sizes_that_overflow, too_much_memory,
                   sizes_are_rounded, what_is_missing_is_named])
