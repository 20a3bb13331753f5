! pair: check=leak.info ranks=2 at=1
program leak_info
  use mpi_f08
  implicit none
  integer :: rank
  logical :: there
  character(len=20) :: value
  type(MPI_Info) :: info, copy

  call mpi_init()
  call mpi_comm_rank(MPI_COMM_WORLD, rank)
  call mpi_info_create(info)
  call mpi_info_set(info, 'tarry_key', 'value')
  call mpi_info_get(info, 'tarry_key', 20, value, there)
  if (rank == 1) then
    call mpi_info_dup(info, copy) ! FOUND
#ifndef WRONG
    call mpi_info_free(copy)
#endif
  end if
  call mpi_info_free(info)
  call mpi_finalize()
  if (rank == 0 .and. there .and. value == 'value') print '(a)', 'ok'
end program
