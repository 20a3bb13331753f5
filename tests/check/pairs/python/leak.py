# pair: check=leak.communicator ranks=2 at=0,1 mpi=openmpi
import sys

from mpi4py import MPI

wrong = sys.argv[1] == "wrong"
copy = MPI.COMM_WORLD.Dup()  # FOUND
text = copy.bcast("hello" if copy.rank == 0 else None, root=0)
kind = MPI.DOUBLE.Create_vector(2, 1, 3).Commit()
kind.Free()
if not wrong:
    copy.Free()
if MPI.COMM_WORLD.rank == 0 and text == "hello":
    print("ok")
