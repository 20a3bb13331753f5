# tarry-test: ranks=2 mpi=openmpi needs=mpi4py unlocated=1
#
# A Python program: the MPI library comes with an extension module, which the interpreter loads late.
import sys
from array import array

from mpi4py import MPI
# @* MPI_Init_thread
# @* MPI_Finalize

world = MPI.COMM_WORLD
rank = world.Get_rank()
peer = 1 - rank
out = array("i", range(10 * rank, 10 * rank + 6))
room = array("i", 10 * [0])

if rank == 0:
    world.Send(out, dest=1, tag=1)
    # @0 MPI_Send comm=$world peer=1 tag=1 sent=24
else:
    world.Recv(room, source=MPI.ANY_SOURCE, tag=MPI.ANY_TAG)
    # @1 MPI_Recv comm=$world peer=any tag=-1 room=40 received=24 source=0 source_tag=1
requests = [world.Irecv(room, source=peer, tag=2), world.Isend(out[:3], dest=peer, tag=2)]
# @* MPI_Irecv comm=$world tag=2 room=40 request=0
# @* MPI_Isend comm=$world tag=2 sent=12 request=1
MPI.Request.Waitall(requests)
# @* MPI_Waitall count=2 done=0 received=12 done=1
total = array("i", 6 * [0])
world.Allreduce(out, total, op=MPI.SUM)
# @* MPI_Allreduce comm=$world op=3 sent=24
half = world.Split(color=0, key=-rank)
# @* MPI_Comm_split comm=$world color=0 newcomm=$half
half.Barrier()
# @* MPI_Barrier comm=$half
half.Free()
# @* MPI_Comm_free comm=$half
if rank == 0:
    print("total", total.tolist(), room.tolist())
sys.stdout.flush()
# @comm $half size=2 members=1,0 parent=$world
