! pair: check=request.partition-inactive ranks=2 at=0 mpi=mpich dies
!
! Partitions of a request that completed, before it is started again.
program partition_inactive
  use mpi_f08
  implicit none
  integer :: rank
  integer(MPI_COUNT_KIND), parameter :: one = 1
  integer, asynchronous :: values(3)
  type(MPI_Request) :: request

  call mpi_init()
  call mpi_comm_rank(MPI_COMM_WORLD, rank)
  call mpi_comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN)
  values = 7
  if (rank == 0) then
    call mpi_psend_init(values, 3, one, MPI_INTEGER, 1, 0, MPI_COMM_WORLD, MPI_INFO_NULL, request) ! MAY
  else
    call mpi_precv_init(values, 3, one, MPI_INTEGER, 0, 0, MPI_COMM_WORLD, MPI_INFO_NULL, request)
  end if
  call mpi_start(request)
  if (rank == 0) then
    call mpi_pready_range(0, 2, request)
  end if
  call mpi_wait(request, MPI_STATUS_IGNORE)
#ifdef WRONG
  if (rank == 0) call mpi_pready(0, request) ! FOUND
#endif
  call mpi_request_free(request)
  call mpi_finalize()
  if (rank == 0 .and. all(values == 7)) print '(a)', 'ok'
end program
