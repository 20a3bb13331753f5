! pair: check=deadlock.mismatch also=collective.blocking-mismatch ranks=3 at=0,1,2
program mismatch_form
  use mpi_f08
  implicit none
  type(MPI_Request) :: request
  integer :: rank
  call mpi_init()
  call mpi_comm_rank(MPI_COMM_WORLD, rank)
  request = MPI_REQUEST_NULL
#ifdef WRONG
  if (rank == 1) then
    call mpi_ibarrier(MPI_COMM_WORLD, request) ! MAY FOUND: collective.blocking-mismatch
  else
    call mpi_barrier(MPI_COMM_WORLD) ! FOUND: collective.blocking-mismatch
  end if
#else
  call mpi_ibarrier(MPI_COMM_WORLD, request)
#endif
  call mpi_barrier(MPI_COMM_WORLD) ! FOUND
  call mpi_wait(request, MPI_STATUS_IGNORE) ! FOUND
  call mpi_finalize()
  if (rank == 0) print '(a)', 'ok'
end program
