! pair: check=race.message ranks=3 at=0,1,2
program barriers
  use mpi_f08
  implicit none
  integer :: rank, a, b
  integer, asynchronous :: mine
  type(MPI_Request) :: request

  call mpi_init()
  call mpi_comm_rank(MPI_COMM_WORLD, rank)
  request = MPI_REQUEST_NULL
  mine = rank
  a = 0
  if (rank == 0) call mpi_recv(a, 1, MPI_INTEGER, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE) ! FOUND
  if (rank == 1) call mpi_isend(mine, 1, MPI_INTEGER, 0, 0, MPI_COMM_WORLD, request) ! PARTNER
#ifdef WRONG
  if (rank == 2) call mpi_isend(mine, 1, MPI_INTEGER, 0, 0, MPI_COMM_WORLD, request) ! PARTNER
  call mpi_barrier(MPI_COMM_WORLD)
#else
  call mpi_barrier(MPI_COMM_WORLD)
  if (rank == 2) call mpi_isend(mine, 1, MPI_INTEGER, 0, 0, MPI_COMM_WORLD, request)
#endif
  if (rank == 0) then
    call mpi_recv(b, 1, MPI_INTEGER, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE)
    if (a + b /= 3) print *, 'sum', a + b
  end if
  call mpi_wait(request, MPI_STATUS_IGNORE)
  call mpi_finalize()
  if (rank == 0) print '(a)', 'ok'
end program
