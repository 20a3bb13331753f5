# corpus: ranks=3
#
# Integrating a curve, in Python without any module for MPI: the library is loaded late, and its functions are called
# through ctypes, as programs do that find MPI themselves. Rank 0 broadcasts the number of steps, each rank adds up its
# strips, the sum comes back with Reduce; then the parts go round in a ring (Isend, Recv, Wait) until each rank has them
# all, and they are compared with Allgather.
#
# Check: the integral is known.
import ctypes
import math
import os
import sys

library = ctypes.CDLL(os.environ["MPI_LIBRARY"], mode=ctypes.RTLD_GLOBAL)
mpi = ctypes.CDLL(None)  # finds functions in the order in which libraries were loaded
OPEN_MPI = os.environ["MPI_NAME"] == "openmpi"


def handle(name, number):
    """A constant of mpi.h: the address of an object in Open MPI, a number in MPICH."""
    if OPEN_MPI:
        return ctypes.c_void_p(ctypes.addressof(ctypes.c_char.in_dll(library, name)))
    return ctypes.c_int(number)


WORLD = handle("ompi_mpi_comm_world", 0x44000000)
INT = handle("ompi_mpi_int", 0x4C000405)
DOUBLE = handle("ompi_mpi_double", 0x4C00080B)
SUM = handle("ompi_mpi_op_sum", 0x58000003)
STATUS_IGNORE = ctypes.c_void_p(0 if OPEN_MPI else 1)
Request = ctypes.c_void_p if OPEN_MPI else ctypes.c_int


def integer_of(function):
    value = ctypes.c_int()
    function(WORLD, ctypes.byref(value))
    return value.value


def area_of_strips(rank, size, steps):
    width = 1 / steps
    return sum(4 / (1 + ((i + 0.5) * width) ** 2) for i in range(rank, steps, size)) * width


def pass_round(rank, size, own):
    """Everybody's part, own first."""
    parts = [own]
    for _ in range(size - 1):
        out, arrived, request = ctypes.c_double(parts[-1]), ctypes.c_double(), Request()
        mpi.MPI_Isend(ctypes.byref(out), 1, DOUBLE, (rank + 1) % size, 3, WORLD, ctypes.byref(request))
        mpi.MPI_Recv(ctypes.byref(arrived), 1, DOUBLE, (rank - 1) % size, 3, WORLD, STATUS_IGNORE)
        mpi.MPI_Wait(ctypes.byref(request), STATUS_IGNORE)
        parts.append(arrived.value)
    return parts


def main():
    mpi.MPI_Init(None, None)
    rank, size = integer_of(mpi.MPI_Comm_rank), integer_of(mpi.MPI_Comm_size)
    steps = ctypes.c_int(2000 if rank == 0 else 0)
    mpi.MPI_Bcast(ctypes.byref(steps), 1, INT, 0, WORLD)
    own, area = ctypes.c_double(area_of_strips(rank, size, steps.value)), ctypes.c_double()
    mpi.MPI_Reduce(ctypes.byref(own), ctypes.byref(area), 1, DOUBLE, SUM, 0, WORLD)
    parts, gathered = pass_round(rank, size, own.value), (ctypes.c_double * size)()
    mpi.MPI_Allgather(ctypes.byref(own), 1, DOUBLE, gathered, 1, DOUBLE, WORLD)
    if rank == 0:
        right = abs(area.value - math.pi) < 1e-6 and sorted(parts) == sorted(gathered)
        print("ok" if right else "wrong", f": the integral is {area.value:.8f}")
    sys.stdout.flush()
    mpi.MPI_Finalize()


main()
