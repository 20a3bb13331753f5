! pair: check=memory.overlap ranks=2 at=1
! MPI_Unpack writes to a buffer that MPI sends from.
program overlap_local
	use mpi_f08
	implicit none
	integer :: rank, number, other, position
	character :: packed(64)
	type(MPI_Request) :: request

	call MPI_Init()
	call MPI_Comm_rank(MPI_COMM_WORLD, rank)
	number = 7
	position = 0
	call MPI_Pack(number, 1, MPI_INTEGER, packed, 64, position, MPI_COMM_WORLD)
	position = 0
	if (rank == 0) then
		call MPI_Recv(other, 1, MPI_INTEGER, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE)
	else
		call MPI_Isend(number, 1, MPI_INTEGER, 0, 0, MPI_COMM_WORLD, request) ! PARTNER
#ifndef WRONG
		call MPI_Wait(request, MPI_STATUS_IGNORE)
#endif
		call MPI_Unpack(packed, 64, position, number, 1, MPI_INTEGER, MPI_COMM_WORLD) ! FOUND
#ifdef WRONG
		call MPI_Wait(request, MPI_STATUS_IGNORE)
#endif
	end if
	call MPI_Finalize()
	if (rank == 0) print '(a)', 'ok'
end program
