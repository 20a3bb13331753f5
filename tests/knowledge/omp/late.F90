! omp-case: ranks=2 late=mpi.barrier-wait
#include "omp_case.F90"
program late
  use omp_case
  implicit none
  integer :: rank, error
  call start()
  call mpi_comm_rank(MPI_COMM_WORLD, rank, error)
  if (rank == 0) then
    !$omp parallel num_threads(3) ! @omp.barrier-wait rank=0 total=0.2 count=2
    call work_of_thread(100, 400, 100)
    !$omp end parallel
  else
    !$omp parallel num_threads(3)
    call work(200)
    !$omp end parallel
  end if
  call mpi_barrier(MPI_COMM_WORLD, error) ! @mpi.barrier-wait rank=1 total=0.2 count=1 partner=0
  call finish()
end program late
