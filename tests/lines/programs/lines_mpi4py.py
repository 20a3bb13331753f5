# Calls from functions, methods, lambdas and threads of a Python program, by mpi4py. What else mpi4py calls by the way is
# not marked.
import threading
from array import array

from mpi4py import MPI

COMM = MPI.COMM_SELF
ROOM = array("i", [0])


def outer():
    inner()
    COMM.Bcast(ROOM, root=0)  # @ outer MPI_Bcast


def inner():
    COMM.Barrier()  # @ inner MPI_Barrier
    COMM.Allreduce(MPI.IN_PLACE, ROOM,  # @ inner MPI_Allreduce
                   op=MPI.SUM)


class Halo:
    def exchange(self, times):
        for _ in range(times):
            COMM.Sendrecv(ROOM, dest=MPI.PROC_NULL, recvbuf=None, source=MPI.PROC_NULL)  # @ Halo.exchange MPI_Sendrecv x3
            request = COMM.Ibarrier()  # @ Halo.exchange MPI_Ibarrier x3
            request.Wait()  # @ Halo.exchange MPI_Wait x3


def in_thread():
    COMM.Scan(ROOM, array("i", [0]))  # @ in_thread MPI_Scan


outer()
Halo().exchange(3)
(lambda: COMM.Gather(ROOM, array("i", [0])))()  # @ <lambda> MPI_Gather
values = [COMM.Scatter(ROOM, array("i", [0])) for _ in range(2)]  # @ <listcomp> MPI_Scatter x2
if MPI.Query_thread() >= MPI.THREAD_SERIALIZED:
    thread = threading.Thread(target=in_thread)
    thread.start()
    thread.join()
else:
    in_thread()
exec(compile("COMM.Reduce(ROOM, array('i', [0]))", "made_up.py", "exec"))
MPI.COMM_WORLD.Barrier()  # @ <module> MPI_Barrier
