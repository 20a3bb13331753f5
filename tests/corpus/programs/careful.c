/* corpus: ranks=4 unrecorded=MPI_Error_string,MPI_Finalized
 *
 * A program that deals with errors itself (MPI_ERRORS_RETURN, and a handler of its own that keeps a record of them). It reads
 * settings from a file that may not exist, collects replies whose length it guesses first and learns from the failure
 * (a truncated receive), asks a rank that there is not, and cuts a group in a way that is not possible. Its first and its
 * last question to MPI are whether it has begun and whether it has ended.
 *
 * Check: each error is the expected one, and after all of them communication still works. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { REPLIES = 8, GUESS = 4, LONG_REPLY = 9, TAG_REPLY = 1, TAG_SIZE = 2 };

static int errors_seen, rank, size, wrong;

/* Ours: notes the error and lets the call return it. */
static void note_error(MPI_Comm *comm, int *code, ...)
{
	char text[MPI_MAX_ERROR_STRING];
	int length;

	(void)comm;
	MPI_Error_string(*code, text, &length);
	errors_seen += length > 0;
}

static void expect(const char *what, int code, int wanted)
{
	int class;

	MPI_Error_class(code, &class);
	if (class != wanted) {
		fprintf(stderr, "%s: class %d, not %d\n", what, class, wanted);
		wrong++;
	}
}

/* The settings file is missing, so there are defaults. */
static int read_settings(void)
{
	MPI_File file;
	int code = MPI_File_open(MPI_COMM_SELF, "no-such-folder/settings", MPI_MODE_RDONLY, MPI_INFO_NULL,
	                         &file);

	if (code == MPI_SUCCESS)
		MPI_File_close(&file);
	else
		expect("missing file", code, MPI_ERR_NO_SUCH_FILE);
	return GUESS;
}

/* Odd ranks reply at length, which a receiver cannot know. */
static void reply(int round)
{
	int count = rank % 2 ? LONG_REPLY : GUESS, numbers[LONG_REPLY];

	for (int i = 0; i < count; i++)
		numbers[i] = rank * 100 + round * 10 + i;
	MPI_Send(&count, 1, MPI_INT, 0, TAG_SIZE, MPI_COMM_WORLD);
	MPI_Send(numbers, count, MPI_INT, 0, TAG_REPLY, MPI_COMM_WORLD);
}

/* Returns how many numbers arrived whole; a message that did not fit is lost, and its sender's later ones are asked for
 * with the right size. */
static int collect(int round, int *room)
{
	int arrived = 0;

	for (int from = 1; from < size; from++) {
		int numbers[LONG_REPLY] = {0}, count, code;
		MPI_Status status;

		MPI_Recv(&count, 1, MPI_INT, from, TAG_SIZE, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		code = MPI_Recv(numbers, room[from], MPI_INT, from, TAG_REPLY, MPI_COMM_WORLD, &status);
		if (code == MPI_SUCCESS) {
			arrived += count;
			wrong += numbers[count - 1] != from * 100 + round * 10 + count - 1;
		} else {
			expect("long reply", code, MPI_ERR_TRUNCATE);
			room[from] = count;
		}
	}
	return arrived;
}

static void ask_nobody(void)
{
	int value = 0;

	expect("unknown rank", MPI_Send(&value, 1, MPI_INT, size + 7, 0, MPI_COMM_WORLD), MPI_ERR_RANK);
	expect("negative count", MPI_Send(&value, -1, MPI_INT, 0, 0, MPI_COMM_WORLD), MPI_ERR_COUNT);
	expect("unknown root", MPI_Bcast(&value, 1, MPI_INT, size + 7, MPI_COMM_WORLD), MPI_ERR_ROOT);
}

static void cut_badly(void)
{
	int ranks[2] = {0, size + 1};
	MPI_Group all, part = MPI_GROUP_NULL;

	MPI_Comm_group(MPI_COMM_WORLD, &all);
	expect("group of strangers", MPI_Group_incl(all, 2, ranks, &part), MPI_ERR_RANK);
	MPI_Group_free(&all);
}

int main(int argc, char **argv)
{
	int arrived = 0, sum = 0, room[64], one = 1, begun, ended;
	MPI_Errhandler handler;

	MPI_Initialized(&begun);
	if (!begun)
		MPI_Init(&argc, &argv);
	MPI_Comm_create_errhandler(note_error, &handler);
	MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	for (int i = 0, guess = read_settings(); i < size; i++)
		room[i] = guess;

	MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler);
	for (int round = 0; round < REPLIES; round++)
		if (rank > 0)
			reply(round);
		else
			arrived += collect(round, room);
	ask_nobody();
	cut_badly();
	MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
	MPI_Errhandler_free(&handler);

	MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
	wrong += sum != size;
	MPI_Allreduce(MPI_IN_PLACE, &wrong, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
	if (rank == 0)
		printf("%s : %d numbers arrived, %d errors were met\n", wrong ? "wrong" : "ok", arrived,
		       errors_seen);
	MPI_Finalize();
	MPI_Finalized(&ended);
	return ended ? 0 : 1;
}
