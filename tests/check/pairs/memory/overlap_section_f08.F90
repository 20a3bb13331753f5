! pair: check=memory.overlap ranks=2 at=0,1 mpi=mpich
!
! Sections with gaps come as descriptors: odd and even elements lie between each other.
program overlap
  use mpi_f08
  implicit none
  integer :: rank, ierr
  integer, asynchronous :: values(100), mine(50)
  type(MPI_Request) :: requests(4)

  call mpi_init()
  call mpi_comm_rank(MPI_COMM_WORLD, rank)
  mine = rank + 1
  call mpi_irecv(values(1:99:2), 50, MPI_INTEGER, 1 - rank, 1, MPI_COMM_WORLD, requests(1)) ! PARTNER
#ifdef WRONG
  call mpi_irecv(values(3:98:5), 20, MPI_INTEGER, 1 - rank, 2, MPI_COMM_WORLD, requests(2)) ! FOUND
#else
  call mpi_irecv(values(2:100:2), 50, MPI_INTEGER, 1 - rank, 2, MPI_COMM_WORLD, requests(2))
#endif
  call mpi_isend(mine, 50, MPI_INTEGER, 1 - rank, 1, MPI_COMM_WORLD, requests(3))
  call mpi_isend(mine, 20, MPI_INTEGER, 1 - rank, 2, MPI_COMM_WORLD, requests(4))
  call mpi_waitall(4, requests, MPI_STATUSES_IGNORE)
  call mpi_finalize()
  if (rank == 0 .and. values(99) == 2) print '(a)', 'ok'
end program
