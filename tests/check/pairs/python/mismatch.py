# pair: check=message.type-mismatch ranks=2 at=0,1 mpi=openmpi
import sys

from mpi4py import MPI

wrong = sys.argv[1] == "wrong"
world = MPI.COMM_WORLD
if world.rank == 0:
    world.Send([bytearray(8), 2, MPI.INT], dest=1, tag=3)  # FOUND
else:
    place = bytearray(8)
    world.Recv([place, 2, MPI.FLOAT if wrong else MPI.INT], source=0, tag=3)  # FOUND
things = world.allgather({"rank": world.rank})
if world.rank == 0 and things[1] == {"rank": 1}:
    print("ok")
