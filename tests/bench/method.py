"""Stages, valid and invalid runs, and whose time counts."""

import json
import os

import bench_job

STAGE = 8
SLEEP_US = 2000


def counts_agree(job):
    """n_t >= n_c >= n_s, and all times are present; if no process is late, there are valid runs."""
    point = job.point(2, "--time-limit", "20", "barrier")
    assert point["runs"] >= point["right"] >= point["kept"] > 0, point
    assert len(point["times_s"]) == point["right"]
    assert point["runs"] <= point["stages"] * STAGE
    assert min(point["times_s"]) == point["min_s"] <= point["median_s"] <= point["max_s"] == max(point["times_s"])
    assert len(point["processes"]) == point["ranks"] == 2
    assert point["window_s"] > 0


def a_late_process_spoils_each_run(job):
    """Every run of a process that starts late is invalid; its twin is the job above."""
    late = job.point(2, "--max-runs", "1", "--time-limit", "2", "--plant", "late:1", "barrier")
    assert late["right"] == 0 and late["runs"] > 0, late
    assert "few" in late["marks"]
    assert late["mean_s"] is None


def the_slowest_process_counts(job):
    """The time of a run is that of the process that took longest."""
    point = job.point(2, "--per-process", "--time-limit", "20", "--min-right", "2", "--max-right", "2",
                      "--plant", f"slow:1:{SLEEP_US}", "barrier")
    processes = [process["times_s"] for process in point["processes"]]
    assert all(len(times) == point["right"] > 0 for times in processes)
    for run, time in enumerate(point["times_s"]):
        assert time == max(times[run] for times in processes)
        assert time >= processes[1][run] >= SLEEP_US * 1e-6


def other_methods_are_there(job):
    """A barrier before each run has no invalid ones; a loop gives one time per stage."""
    barrier = job.point(2, "--method", "barrier", "barrier")
    assert barrier["right"] == barrier["runs"] > 0
    assert barrier["window_s"] is None
    loop = job.point(2, "--method", "loop", "barrier")
    assert loop["right"] == loop["stages"] and loop["runs"] <= loop["stages"] * STAGE


def parameters_are_kept(job):
    """Stages have the length, and points the number of runs, that the user requests."""
    point = job.point(2, "--stage", "5", "--max-runs", "20", "--error", "0", "--max-right", "1000", "barrier")
    assert point["runs"] <= 5 * point["stages"] and (point["runs"] == 25 or point["right"] < 15), point


def ranks_are_varied(job):
    """Some processes measure while the others sleep; processes that share CPUs are marked as crowded. On a busy machine
    others may be, too; but a job with enough CPUs is never said to have too few."""
    results = job.measure(3, "--ranks", "1-3:+1", "--max-runs", "1", "--time-limit", "1", "barrier")
    assert [point["ranks"] for point in results["points"]] == [1, 2, 3]
    processors = bench_job.processors()
    assert all("crowded" in point["marks"] for point in results["points"] if point["ranks"] > processors)
    assert ("oversubscribed" in results["facts"]["machine"]) == (processors < 3)
    assert ("oversubscribed" in job.measure(2, "--max-runs", "1", "--time-limit", "1", "barrier")["facts"]["machine"]) == (processors < 2)


def a_slow_broadcast_is_as_slow_as_it_is_made(job):
    """Process 0 of the demonstration sleeps 5 ms for each other process; every process is reported."""
    point = job.point(2, "--method", "loop", "--max-runs", "16", "LinearBroadcast")
    assert len(point["processes"]) == 2 and point["right"] > 0
    assert point["processes"][0]["min_s"] >= 5e-3, point["processes"]
    path = os.path.join(job.work, "alone.json")
    code, _, errors = job.start(1, "--json", path, "LinearBroadcast")
    assert code == 1 and "nothing could be measured" in errors, errors
    with open(path, encoding="utf-8") as file:
        assert json.load(file)["omissions"][0]["operation"] == "LinearBroadcast"


def a_page_is_written(job):
    """With all data of the plots."""
    path = os.path.join(job.work, "page.html")
    job.start(2, "--sizes", "8,64", "--max-runs", "1000", "--html", path, "bcast")
    with open(path, encoding="utf-8") as file:
        page = file.read()
    results = json.loads(page.split('id="results">', 1)[1].split("</script>", 1)[0])
    assert [(point["operation"], point["bytes"]) for point in results["points"]] == [("MPI_Bcast", 8), ("MPI_Bcast", 64)]
    for point in results["points"]:
        assert len(point["times_s"]) == point["right"] and len(point["processes"]["mean_s"]) == 2, point
    assert "WaitPatternUp" in results["facts"]["self-tests"] and page.endswith("</html>\n")


bench_job.run_all([a_slow_broadcast_is_as_slow_as_it_is_made, a_page_is_written, counts_agree, a_late_process_spoils_each_run,
                   the_slowest_process_counts, other_methods_are_there, parameters_are_kept, ranks_are_varied])
