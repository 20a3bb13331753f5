! Each rank opens its log for every line, or once.
program metadata_storm
  use mpi
  implicit none
  integer, parameter :: steps = 1500
  integer :: ierr, rank, i
  character(16) :: name

  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  write (name, '(a, i0)') 'log.', rank
#ifdef GOOD
  open (10, file=name, position='append')
#endif
  do i = 1, steps
#ifndef GOOD
    open (10, file=name, position='append') ! @io.metadata-storm rank=0,1 time=other
#endif
    if (mod(i, 2) == 0) write (10, '(a, i0)') 'step ', i
#ifndef GOOD
    close (10)
#endif
  end do
#ifdef GOOD
  close (10)
#endif
  call MPI_Barrier(MPI_COMM_WORLD, ierr)
  call MPI_Finalize(ierr)
end program metadata_storm
