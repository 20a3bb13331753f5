! Rank 0 writes for all ranks, or each writes a file of its own.
program serial_writer
  use mpi
  implicit none
  integer, parameter :: block = 2**20 / 8, blocks = 16
  integer :: ierr, rank, i
  character(16) :: name
  real(8) :: values(block)

  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  values = 1
#ifdef GOOD
  write (name, '(a, i0)') 'results.', rank
  if (.true.) then
#else
  name = 'results.dat'
  if (rank == 0) then
#endif
    open (10, file=name, access='stream', form='unformatted', status='replace') ! @io.serial-writer rank=0 time=write
    do i = 1, blocks
      write (10) values
    end do
    close (10)
  end if
  call MPI_Barrier(MPI_COMM_WORLD, ierr)
  call MPI_Finalize(ierr)
end program serial_writer
