! pair: check=window.accumulate-type ranks=2 at=1 dies
!
! MPI_Accumulate takes types of one basic type only.
program accumulate_type
  use mpi
  implicit none
  integer :: rank, ierr, win, mixed, plain
  integer, asynchronous, save :: memory(4), values(2)
  integer(MPI_ADDRESS_KIND) :: places(2) = [0_MPI_ADDRESS_KIND, 4_MPI_ADDRESS_KIND], first = 0

  call mpi_init(ierr)
  call mpi_comm_rank(MPI_COMM_WORLD, rank, ierr)
  values = 1
  memory = 0
  call mpi_win_create(memory, 16_MPI_ADDRESS_KIND, 4, MPI_INFO_NULL, MPI_COMM_WORLD, win, ierr)
  call mpi_win_set_errhandler(win, MPI_ERRORS_RETURN, ierr)
  call mpi_type_create_struct(2, [1, 1], places, [MPI_INTEGER, MPI_REAL], mixed, ierr)
  call mpi_type_create_struct(2, [1, 1], places, [MPI_INTEGER, MPI_INTEGER], plain, ierr)
  call mpi_type_commit(mixed, ierr)
  call mpi_type_commit(plain, ierr)
  call mpi_win_fence(0, win, ierr)
#ifdef WRONG
  if (rank == 1) call mpi_accumulate(values, 1, mixed, 0, first, 1, mixed, MPI_REPLACE, win, ierr) ! FOUND
#else
  if (rank == 1) call mpi_accumulate(values, 1, plain, 0, first, 1, plain, MPI_REPLACE, win, ierr)
#endif
  call mpi_win_fence(0, win, ierr)
  call mpi_type_free(mixed, ierr)
  call mpi_type_free(plain, ierr)
  call mpi_win_free(win, ierr)
  call mpi_finalize(ierr)
#ifndef WRONG
  if (rank == 0 .and. memory(2) == 1) print '(a)', 'ok'
#endif
end program
