! pair: check=thread.single ranks=2 at=0,1 flags=-fopenmp
!
! A team of threads in a program that called MPI_Init.
program single
  use mpi
  implicit none
  integer :: rank, ierr, i, provided, total = 0

#ifdef WRONG
  call mpi_init(ierr) ! FOUND
#else
  call mpi_init_thread(MPI_THREAD_FUNNELED, provided, ierr)
#endif
  call mpi_comm_rank(MPI_COMM_WORLD, rank, ierr) ! SEEN, the compiler gives this line to the team
  !$omp parallel do num_threads(2) reduction(+:total) ! SEEN
  do i = 1, 10
    total = total + 1
  end do
  !$omp end parallel do
  call mpi_barrier(MPI_COMM_WORLD, ierr)
  call mpi_finalize(ierr)
  if (rank == 0 .and. total == 10) print '(a)', 'ok'
end program
