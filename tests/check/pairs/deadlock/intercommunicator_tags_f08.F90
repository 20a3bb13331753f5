! pair: check=deadlock.cycle also=message.tag-mismatch ranks=2 at=0,1
program intercommunicator_tags
  use mpi_f08
  implicit none
  integer :: rank, theirs, tag
  type(MPI_Comm) :: inter
  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  theirs = -1
#ifdef WRONG
  tag = rank
#else
  tag = 1
#endif
  call MPI_Intercomm_create(MPI_COMM_SELF, 0, MPI_COMM_WORLD, 1 - rank, tag, inter) ! FOUND FOUND: message.tag-mismatch
  call MPI_Sendrecv(rank, 1, MPI_INTEGER, 0, 0, theirs, 1, MPI_INTEGER, 0, 0, inter, MPI_STATUS_IGNORE)
  call MPI_Comm_free(inter)
  call MPI_Finalize()
  if (rank == 0 .and. theirs == 1) print '(a)', 'ok'
end program
