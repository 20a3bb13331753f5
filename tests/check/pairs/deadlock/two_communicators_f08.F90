! pair: check=deadlock.cycle ranks=2 at=0,1
program two_communicators
  use mpi_f08
  implicit none
  integer :: rank, ranks, ierr, theirs
  logical :: good
  type(MPI_Comm) :: twin, used(2)
  integer :: total, i
  call mpi_init(ierr)
  call mpi_comm_rank(MPI_COMM_WORLD, rank, ierr)
  call mpi_comm_size(MPI_COMM_WORLD, ranks, ierr)
  theirs = -1
  good = .true.
  call mpi_comm_dup(MPI_COMM_WORLD, twin)
  used = [MPI_COMM_WORLD, twin]
#ifdef WRONG
  if (rank == 1) used = [twin, MPI_COMM_WORLD]
#endif
  do i = 1, 2
    call mpi_allreduce(rank, total, 1, MPI_INTEGER, MPI_SUM, used(i)) ! FOUND
  end do
  call mpi_comm_free(twin)
  good = total == 1
  call mpi_finalize(ierr) ! MAY
  if (rank == 0 .and. good) print '(a)', 'ok'
end program
