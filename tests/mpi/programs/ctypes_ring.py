# tarry-test: ranks=2 unlocated=1
#
# A Python program that loads the MPI library late, with ctypes. It stands for extension modules linked with
# MPI, such as mpi4py where Debian has none for this MPI: as they do, it finds functions in the order in which
# libraries were loaded. (A function taken from the MPI library's own handle cannot be recorded.)
import ctypes
import os
import sys

library = ctypes.CDLL(os.environ["MPI_LIBRARY"], mode=ctypes.RTLD_GLOBAL)
functions = ctypes.CDLL(None)
openmpi = "openmpi" in os.environ["MPI_NAME"]


def handle(name, number):
    """A constant of mpi.h: a number in MPICH, the address of an object in Open MPI."""
    if openmpi:
        return ctypes.c_void_p(ctypes.addressof(ctypes.c_char.in_dll(library, name)))
    return ctypes.c_int(number)


world = handle("ompi_mpi_comm_world", 0x44000000)
integer = handle("ompi_mpi_int", 0x4C000405)
total_of = handle("ompi_mpi_op_sum", 0x58000003)
ignore = ctypes.c_void_p(0 if openmpi else 1)

rank = ctypes.c_int()
out = (ctypes.c_int * 4)(1, 2, 3, 4)
room = (ctypes.c_int * 8)()
functions.MPI_Init(None, None)
# @* MPI_Init
functions.MPI_Comm_rank(world, ctypes.byref(rank))
if rank.value == 0:
    functions.MPI_Send(out, 4, integer, 1, 5, world)
    # @0 MPI_Send comm=$world peer=1 tag=5 sent=16
else:
    functions.MPI_Recv(room, 8, integer, 0, 5, world, ignore)
    # @1 MPI_Recv comm=$world peer=0 tag=5 room=32 received=16
functions.MPI_Allreduce(out, room, 4, integer, total_of, world)
# @* MPI_Allreduce comm=$world op=3 sent=16
if rank.value == 0:
    print("total", list(room))
sys.stdout.flush()
functions.MPI_Finalize()
# @* MPI_Finalize
# @comm $world size=2 members=0,1
