# Builds the checkout in which this file lies:
#
#	spack repo add packaging/spack
#	spack install tarry
import os

from spack.package import *


class Tarry(CMakePackage):
    """Tarry records what MPI and UPC programs do, without recompiling MPI programs, and shows which process waits where
    for whom, and what to do about it."""

    git = "file://" + os.path.realpath(os.path.join(os.path.dirname(__file__), *[os.pardir] * 4))

    license("BSD-3-Clause")

    version("0.1.0", branch="main")

    variant("bench", default=True, description="Build tarry bench, which measures MPI operations")
    variant("history", default=True, description="Keep runs in SQLite files and show their trends")
    variant("otf2", default=True, description="Exchange traces with other tools as OTF2 archives")
    variant("view", default=True, description="Build tarry view, which serves pages of traces to browsers")

    generator("ninja")

    depends_on("c", type="build")
    depends_on("cmake@3.18:", type="build")
    depends_on("ninja", type="build")
    depends_on("pkgconf", type="build")
    depends_on("python@3:", type="build")
    depends_on("bison@3.6:", type="build")
    depends_on("flex@2.6:", type="build")
    depends_on("elfutils")
    depends_on("jansson")
    depends_on("xxhash", type="build")
    depends_on("hwloc", when="+bench")
    depends_on("otf2", when="+otf2")
    depends_on("sqlite@3.38:", when="+history")
    depends_on("libmicrohttpd", when="+view")
    depends_on("mpi")

    def cmake_args(self):
        return [
            self.define("TARRY_TESTS", False),
            self.define("TARRY_MPICC", self.spec["mpi"].mpicc),
        ]
