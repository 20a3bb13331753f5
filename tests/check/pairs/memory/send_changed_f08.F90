! pair: check=memory.send-changed ranks=2 at=0,1 always=--buffers=send
program changed
  use mpi_f08
  implicit none
  integer :: rank
  integer, asynchronous :: mine(10), all(20)
  type(MPI_Request) :: request

  call mpi_init()
  call mpi_comm_rank(MPI_COMM_WORLD, rank)
  mine = rank
  call mpi_iallgather(mine, 10, MPI_INTEGER, all, 10, MPI_INTEGER, MPI_COMM_WORLD, request) ! PARTNER
#ifdef WRONG
  mine(10) = 5
#endif
  call mpi_wait(request, MPI_STATUS_IGNORE) ! FOUND
  mine = 5
  call mpi_finalize()
  if (rank == 0 .and. all(11) == 1) print '(a)', 'ok'
end program
