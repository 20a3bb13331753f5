! pair: check=deadlock.potential-send-collective ranks=2 at=0,1
program potential_send_collective
	use mpi
	implicit none
	integer :: rank, ierror, value, sum

	call MPI_Init(ierror)
	call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
	value = 5
	if (rank == 1) then
#ifdef WRONG
		call MPI_Send(value, 1, MPI_INTEGER, 0, 0, MPI_COMM_WORLD, ierror) ! FOUND
		call MPI_Reduce(value, sum, 1, MPI_INTEGER, MPI_SUM, 1, MPI_COMM_WORLD, ierror)
#else
		call MPI_Reduce(value, sum, 1, MPI_INTEGER, MPI_SUM, 1, MPI_COMM_WORLD, ierror)
		call MPI_Send(value, 1, MPI_INTEGER, 0, 0, MPI_COMM_WORLD, ierror)
#endif
	else
		call MPI_Reduce(value, sum, 1, MPI_INTEGER, MPI_SUM, 1, MPI_COMM_WORLD, ierror) ! PARTNER
		call MPI_Recv(value, 1, MPI_INTEGER, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierror)
	end if
	call MPI_Finalize(ierror)
	if (rank == 0) print '(a)', 'ok'
end program
