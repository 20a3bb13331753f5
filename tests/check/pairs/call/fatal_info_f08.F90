! pair: check=call.fatal ranks=2 at=0 dies
program fatal_info
  use mpi_f08
  implicit none
  integer :: rank
  type(MPI_Info) :: info

  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  call MPI_Info_create(info)
#ifndef WRONG
  call MPI_Info_set(info, 'there', 'yes')
#endif
  if (rank == 0) call MPI_Info_delete(info, 'there') ! FOUND
  call MPI_Barrier(MPI_COMM_WORLD)
  call MPI_Info_free(info)
  call MPI_Finalize()
  if (rank == 0) print '(a)', 'ok'
end program
