! pair: check=argument.null-buffer ranks=2 at=0 dies
!
! An array that is not allocated has no elements to send. A message without data needs none.
program null_buffer
  use mpi_f08
  implicit none
  integer :: rank, ierr
  integer, allocatable :: field(:)

  call mpi_init()
  call mpi_comm_rank(MPI_COMM_WORLD, rank)
  call mpi_comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN)
  if (rank == 0) then
    call mpi_send(field, 0, MPI_INTEGER, 1, 0, MPI_COMM_WORLD)
#ifdef WRONG
    call mpi_send(field, 3, MPI_INTEGER, 1, 1, MPI_COMM_WORLD, ierr) ! FOUND
#else
    allocate(field(3))
    field = 4
    call mpi_send(field, 3, MPI_INTEGER, 1, 1, MPI_COMM_WORLD, ierr)
#endif
  else
    call mpi_recv(field, 0, MPI_INTEGER, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE)
#ifndef WRONG
    allocate(field(3))
    call mpi_recv(field, 3, MPI_INTEGER, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
#endif
  end if
  call mpi_finalize()
  if (rank == 0) print '(a)', 'ok'
end program
