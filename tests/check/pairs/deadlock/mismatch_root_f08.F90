! pair: check=deadlock.mismatch also=collective.root-mismatch ranks=2 at=0,1
program mismatch_root
  use mpi_f08
  implicit none
  integer, parameter :: count = 262144
  integer :: rank, ranks, root, ierr
  integer, allocatable :: own(:), all(:)
  logical :: good
  call mpi_init(ierr)
  call mpi_comm_rank(MPI_COMM_WORLD, rank, ierr)
  call mpi_comm_size(MPI_COMM_WORLD, ranks, ierr)
  allocate (own(count), all(count * ranks))
  own = rank
  root = 0
#ifdef WRONG
  root = rank
#endif
  call mpi_gather(own, count, MPI_INTEGER, all, count, MPI_INTEGER, root, MPI_COMM_WORLD) ! FOUND FOUND: collective.root-mismatch
  good = rank /= 0 .or. all(count * ranks) == ranks - 1
  call mpi_finalize(ierr)
  if (rank == 0 .and. good) print '(a)', 'ok'
end program
