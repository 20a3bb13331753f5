"""Shared by benchmarks of jobs: supported MPI libraries, compilation, quartiles, and a description of the
machine."""

import os
import platform
import re
import shutil
import subprocess
import sys
from statistics import quantiles

ON_ONE_MACHINE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "scripts", "mpirun-here")


class Mpi:
    """An MPI library supported by this build of Tarry."""

    def __init__(self, name, compiler, launcher):
        self.name, self.compiler, self.launcher = name, compiler, launcher

    def version(self):
        number = re.search(r"\d+\.\d+\S*", output_of([self.launcher, "--version"]))
        return number.group(0) if number else "unknown"


def output_of(line):
    try:
        return subprocess.run(line, capture_output=True, text=True, check=False).stdout
    except OSError:
        return ""


def find_mpis(build):
    found = []
    for name, launcher in (("openmpi", "mpirun"), ("mpich", "mpiexec")):
        served = os.path.exists(os.path.join(build, "lib", f"libtarry-record-{name}.so"))
        compiler, launcher = shutil.which(f"mpicc.{name}"), shutil.which(f"{launcher}.{name}")
        if served and compiler and launcher:
            found.append(Mpi(name, compiler, launcher))
    return found


def compile_one(line):
    result = subprocess.run(line, capture_output=True, text=True, check=False)
    if result.returncode:
        sys.exit(f"{' '.join(line)} failed:\n{result.stderr}")


def spread(values):
    """Median and quartiles."""
    if len(values) < 2:
        return {"median": values[0], "low": values[0], "high": values[0]}
    low, middle, high = quantiles(values, n=4, method="inclusive")
    return {"median": middle, "low": low, "high": high}


def describe_machine():
    model = [line.split(":")[1].strip() for line in output_of(["lscpu"]).splitlines() if "Model name" in line]
    release = platform.freedesktop_os_release() if os.path.exists("/etc/os-release") else {}
    return {"processor": model[0] if model else platform.machine(), "architecture": platform.machine(),
            "cores": os.cpu_count(), "kernel": platform.release(), "system": release.get("PRETTY_NAME", "")}
