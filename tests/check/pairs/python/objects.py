# pair: check=none ranks=3 races mpi=openmpi
from mpi4py import MPI

world = MPI.COMM_WORLD
part = world.Split(world.rank % 2, 0)
numbers = part.allreduce([world.rank], op=MPI.SUM)
requests = [world.isend({"from": world.rank}, dest=other, tag=world.rank) for other in range(world.size)]
received = [world.recv(source=MPI.ANY_SOURCE) for _ in range(world.size)]
MPI.Request.waitall(requests)
total = world.reduce(len(received), op=MPI.SUM, root=0)
part.Free()
if world.rank == 0 and total == 9 and numbers == [0, 2]:
    print("ok")
