! pair: check=argument.null-buffer ranks=2 at=0 dies
!
! The root receives into an array that it has not allocated. Elsewhere that array is not used.
program null_buffer
  use mpi
  implicit none
  integer :: rank, ierr
  integer, allocatable :: all(:)

  call mpi_init(ierr)
  call mpi_comm_rank(MPI_COMM_WORLD, rank, ierr)
  call mpi_comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN, ierr)
#ifdef WRONG
  if (rank == 1) allocate(all(2))
#else
  if (rank == 0) allocate(all(2))
#endif
  call mpi_gather(rank, 1, MPI_INTEGER, all, 1, MPI_INTEGER, 0, MPI_COMM_WORLD, ierr) ! FOUND
  call mpi_finalize(ierr)
  if (rank == 0 .and. allocated(all)) print '(a)', 'ok'
end program
