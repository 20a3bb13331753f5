! pair: check=collective.blocking-mismatch also=end.abort ranks=2 at=0,1 exit=any
program blocking_mismatch
  use mpi_f08
  implicit none
  integer :: rank, nothing(1)
  integer, asynchronous :: values(2)
  type(MPI_Request) :: request

  call mpi_init()
  call mpi_comm_rank(MPI_COMM_WORLD, rank)
  values = 3 - rank
#ifdef WRONG
  if (rank == 0) then
    call mpi_bcast(values, 2, MPI_INTEGER, 0, MPI_COMM_WORLD) ! FOUND
    call mpi_send(nothing, 0, MPI_INTEGER, 1, 0, MPI_COMM_WORLD)
    call mpi_recv(nothing, 0, MPI_INTEGER, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE)
  else
    call mpi_ibcast(values, 2, MPI_INTEGER, 0, MPI_COMM_WORLD, request) ! FOUND
    call mpi_recv(nothing, 0, MPI_INTEGER, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE)
    call mpi_abort(MPI_COMM_WORLD, 3) ! FOUND: end.abort
  end if
#else
  call mpi_ibcast(values, 2, MPI_INTEGER, 0, MPI_COMM_WORLD, request)
  call mpi_wait(request, MPI_STATUS_IGNORE)
#endif
  call mpi_finalize()
  if (rank == 0 .and. all(values == 3)) print '(a)', 'ok'
end program
