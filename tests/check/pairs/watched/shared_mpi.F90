! pair: check=race.shared-memory ranks=2 watched=gcc-O0
!
! Fortran: rank 0 stores into shared memory, rank 1 loads from it, with or without a barrier between them.
program shared_memory
  use mpi
  use iso_c_binding
  implicit none
  integer :: rank, window, unit, ierr, total
  integer(MPI_ADDRESS_KIND) :: bytes
  type(c_ptr) :: place
  integer, pointer :: memory(:)

  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  bytes = 64
  call MPI_Win_allocate_shared(bytes, 4, MPI_INFO_NULL, MPI_COMM_WORLD, place, window, ierr)
  call MPI_Win_shared_query(window, 0, bytes, unit, place, ierr)
  call c_f_pointer(place, memory, [16])
  total = 0
  call MPI_Win_lock_all(0, window, ierr)
  if (rank == 0) memory(3) = 5 ! ACCESSED
#ifndef WRONG
  call MPI_Win_sync(window, ierr)
  call MPI_Barrier(MPI_COMM_WORLD, ierr)
  call MPI_Win_sync(window, ierr)
#endif
  if (rank == 1) total = memory(3) ! ACCESSED
  call MPI_Win_unlock_all(window, ierr)
  call MPI_Win_free(window, ierr)
  call MPI_Finalize(ierr)
  if (rank == 0 .and. total == 0) print '(a)', 'ok'
end program
