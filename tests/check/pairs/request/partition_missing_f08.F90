! pair: check=request.partition-missing ranks=2 at=0 mpi=mpich dies
!
! The wrong program would wait forever; a timer ends it.
program partition_missing
  use mpi_f08
  implicit none
  integer :: rank, i
  integer(MPI_COUNT_KIND), parameter :: one = 1
  integer, asynchronous :: values(3)
  type(MPI_Request) :: request
  interface
    function alarm_after(seconds) bind(c, name='alarm')
      use, intrinsic :: iso_c_binding, only: c_int
      integer(c_int), value :: seconds
      integer(c_int) :: alarm_after
    end function
  end interface

  call mpi_init()
  call mpi_comm_rank(MPI_COMM_WORLD, rank)
  call mpi_comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN)
  values = 7
  if (rank == 0) then
    call mpi_psend_init(values, 3, one, MPI_INTEGER, 1, 0, MPI_COMM_WORLD, MPI_INFO_NULL, request) ! MAY
  else
    call mpi_precv_init(values, 3, one, MPI_INTEGER, 0, 0, MPI_COMM_WORLD, MPI_INFO_NULL, request)
  end if
  call mpi_start(request) ! MAY
  if (rank == 0) then
    call mpi_pready(0, request)
    call mpi_pready(2, request)
#ifdef WRONG
    i = alarm_after(1)
#else
    call mpi_pready(1, request)
#endif
  end if
  call mpi_wait(request, MPI_STATUS_IGNORE) ! FOUND
  call mpi_request_free(request)
  call mpi_finalize()
  if (rank == 0 .and. all(values == 7)) print '(a)', 'ok'
end program
