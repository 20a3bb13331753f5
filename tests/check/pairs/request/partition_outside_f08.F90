! pair: check=request.partition-outside ranks=2 at=0 mpi=mpich dies
!
! Fortran counts from 1, partitions from 0.
program partition_outside
  use mpi_f08
  implicit none
  integer :: rank, i
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
#ifdef WRONG
    do i = 1, 3
      call mpi_pready(i, request) ! FOUND
    end do
    call mpi_pready(0, request)
#else
    do i = 0, 2
      call mpi_pready(i, request)
    end do
#endif
  end if
  call mpi_wait(request, MPI_STATUS_IGNORE)
  call mpi_request_free(request)
  call mpi_finalize()
  if (rank == 0 .and. all(values == 7)) print '(a)', 'ok'
end program
