! pair: check=thread.finalize ranks=2 at=0,1 flags=-fopenmp
!
! The thread that initialized MPI finalizes it.
program finalize
  use omp_lib, only: omp_get_thread_num
  use mpi_f08
  implicit none
  integer :: rank, provided

  call mpi_init_thread(MPI_THREAD_MULTIPLE, provided)
  call mpi_comm_rank(MPI_COMM_WORLD, rank)
  !$omp parallel num_threads(2)
  if (omp_get_thread_num() == 1) then
    call mpi_barrier(MPI_COMM_WORLD)
#ifdef WRONG
    call mpi_finalize() ! FOUND
#endif
  end if
  !$omp end parallel
#ifndef WRONG
  call mpi_finalize()
#endif
  if (rank == 0) print '(a)', 'ok'
end program
