/* pair: check=leak.group ranks=2 at=0,1 */
#include "../pair.h"

int main(int argc, char **argv)
{
	int *memory;
	MPI_Group group, other, both;
	MPI_Win win;

	start(&argc, &argv);
	MPI_Win_allocate(sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
	MPI_Win_get_group(win, &group); /* FOUND */
	MPI_Comm_group(MPI_COMM_SELF, &other);
	MPI_Group_union(group, other, &both);
	MPI_Group_free(&both);
	MPI_Group_difference(other, group, &both);
	expect(both == MPI_GROUP_EMPTY);
	MPI_Group_free(&other);
	MPI_Win_free(&win);
#ifndef WRONG
	MPI_Group_free(&group);
#endif
	return finish();
}
