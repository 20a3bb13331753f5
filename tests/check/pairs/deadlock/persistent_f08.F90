! pair: check=deadlock.cycle ranks=2 at=0,1
program persistent
  use mpi_f08
  implicit none
  integer :: rank
  integer, asynchronous :: theirs
  type(MPI_Request) :: requests(1)

  call mpi_init()
  call mpi_comm_rank(MPI_COMM_WORLD, rank)
  theirs = -1
  call mpi_recv_init(theirs, 1, MPI_INTEGER, 1 - rank, 0, MPI_COMM_WORLD, requests(1)) ! MAY
  call mpi_startall(1, requests) ! MAY
#ifdef WRONG
  call mpi_waitall(1, requests, MPI_STATUSES_IGNORE) ! FOUND
  call mpi_send(rank, 1, MPI_INTEGER, 1 - rank, 0, MPI_COMM_WORLD)
#else
  call mpi_send(rank, 1, MPI_INTEGER, 1 - rank, 0, MPI_COMM_WORLD)
  call mpi_waitall(1, requests, MPI_STATUSES_IGNORE)
#endif
  call mpi_request_free(requests(1))
  call mpi_finalize()
  if (rank == 0 .and. theirs == 1) print '(a)', 'ok'
end program
