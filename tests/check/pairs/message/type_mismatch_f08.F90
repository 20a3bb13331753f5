! pair: check=message.type-mismatch ranks=4 at=0,3
program type_mismatch
  use mpi_f08
  implicit none
  integer :: rank, i
  complex, asynchronous :: waves(2)
  real, asynchronous :: parts(4)
  type(MPI_Request) :: requests(3)
  type(MPI_Datatype) :: every

  call mpi_init()
  call mpi_comm_rank(MPI_COMM_WORLD, rank)
  waves = rank
  parts = -1
  call mpi_type_create_hvector(1, 1, 100_MPI_ADDRESS_KIND, MPI_COMPLEX, every)
  call mpi_type_commit(every)
  if (rank == 0) then
    do i = 1, 2
      call mpi_irecv(waves(i), 1, MPI_COMPLEX, i, 0, MPI_COMM_WORLD, requests(i))
    end do
#ifdef WRONG
    call mpi_irecv(parts, 4, MPI_REAL, 3, 0, MPI_COMM_WORLD, requests(3)) ! FOUND
#else
    call mpi_irecv(parts, 2, MPI_COMPLEX, 3, 0, MPI_COMM_WORLD, requests(3))
#endif
    call mpi_waitall(3, requests, MPI_STATUSES_IGNORE)
  else
    call mpi_send(waves, 1, every, 0, 0, MPI_COMM_WORLD) ! FOUND
  end if
  call mpi_type_free(every)
  call mpi_finalize()
  if (rank == 0 .and. real(waves(2)) == 2) print '(a)', 'ok'
end program
