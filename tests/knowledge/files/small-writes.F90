! Each rank writes every particle to the disk, or leaves that to the runtime.
program small_writes
  use mpi
  implicit none
  integer, parameter :: particles = 3000
  integer :: ierr, rank, i
  character(16) :: name
  real(8) :: particle(7)

  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  particle = 1
  write (name, '(a, i0)') 'particles.', rank
  open (10, file=name, access='stream', form='unformatted', status='replace') ! @io.small-writes rank=0,1 time=write
  do i = 1, particles
    write (10) particle
#ifndef GOOD
    flush (10)
#endif
  end do
  close (10)
  call MPI_Barrier(MPI_COMM_WORLD, ierr)
  call MPI_Finalize(ierr)
end program small_writes
