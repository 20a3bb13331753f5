! pair: check=memory.receive-read ranks=2 at=1 always=--buffers=all
! The library of the compiler writes the buffer to a file.
program reads
  use mpi
  implicit none
  integer, parameter :: n = 65536
  integer :: rank, error, request
  double precision, allocatable :: halo(:)

  call mpi_init(error)
  call mpi_comm_rank(MPI_COMM_WORLD, rank, error)
  allocate(halo(n))
  halo = rank
  open(10, status='scratch', form='unformatted', access='stream')
  if (rank == 0) then
    call mpi_send(halo, n, MPI_DOUBLE_PRECISION, 1, 0, MPI_COMM_WORLD, error)
  else
    call mpi_irecv(halo, n, MPI_DOUBLE_PRECISION, 0, 0, MPI_COMM_WORLD, request, error) ! PARTNER
#ifdef WRONG
    write(10) halo ! USED
#endif
    call mpi_wait(request, MPI_STATUS_IGNORE, error) ! FOUND
    write(10) halo
    if (any(halo /= 0)) print '(a)', 'not so'
  end if
  close(10)
  call mpi_finalize(error)
  if (rank == 0) print '(a)', 'ok'
end program
