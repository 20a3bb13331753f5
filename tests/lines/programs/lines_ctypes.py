# Calls by ctypes, as other extension modules make them.
import ctypes
import os

library = ctypes.CDLL(os.environ["MPI_LIBRARY"], mode=ctypes.RTLD_GLOBAL)
functions = ctypes.CDLL(None)
if "openmpi" in os.environ["MPI_NAME"]:
    self = ctypes.c_void_p(ctypes.addressof(ctypes.c_char.in_dll(library, "ompi_mpi_comm_self")))
else:
    self = ctypes.c_int(0x44000001)


def outer():
    size = ctypes.c_int()
    functions.MPI_Comm_size(self, ctypes.byref(size))  # @ outer MPI_Comm_size
    inner(3)


def inner(times):
    for _ in range(times):
        functions.MPI_Barrier(self)  # @ inner MPI_Barrier x3


functions.MPI_Init(None, None)  # @ <module> MPI_Init
outer()
functions.MPI_Finalize()  # @ <module> MPI_Finalize
