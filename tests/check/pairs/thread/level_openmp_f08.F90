! pair: check=thread.level ranks=2 at=0,1 flags=-fopenmp
!
! With MPI_THREAD_FUNNELED only the main thread calls MPI: a section for the master, not for any other one.
program level
  use mpi_f08
  use omp_lib, only: omp_get_thread_num
  implicit none
  integer :: rank, provided, members, caller = 0

  call mpi_init_thread(MPI_THREAD_FUNNELED, provided)
  call mpi_comm_rank(MPI_COMM_WORLD, rank)
#ifdef WRONG
  caller = 1
#endif
  !$omp parallel num_threads(2)
  if (omp_get_thread_num() == caller) call mpi_comm_size(MPI_COMM_WORLD, members) ! FOUND
  !$omp end parallel
  call mpi_barrier(MPI_COMM_WORLD)
  call mpi_finalize()
  if (rank == 0 .and. members == 2) print '(a)', 'ok'
end program
