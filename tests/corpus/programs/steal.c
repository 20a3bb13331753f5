/* corpus: ranks=4
 *
 * Placing queens on a chess board, with work stealing. All work begins on rank 0; a rank that has none asks another,
 * and one that has much gives some away. Between two pieces of work each rank looks for messages (Iprobe); work is
 * given with synchronous sends (Issend), so that the giver knows when it arrived. The end is found with a token that
 * goes round among idle ranks and tells whether a rank gave work away after it had passed.
 *
 * Check: the number of solutions is known. */
#include <mpi.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { QUEENS = 9, KNOWN_SOLUTIONS = 352, DEPTH_OF_PIECES = 3, MOST_PIECES = 4096 };
enum tag { TAG_ASK, TAG_PIECE, TAG_NOTHING, TAG_TOKEN, TAG_STOP };
enum colour { WHITE, BLACK };

/* A board whose first rows are filled. */
struct piece {
	int row;
	unsigned columns, falling, rising; /* squares under attack in that row */
};

struct thief {
	int rank, size, victim;
	struct piece pieces[MOST_PIECES];
	int piece_count;
	bool asking, has_token, stopped;
	enum colour colour; /* BLACK: gave work away since the token came by */
	int token;
	long solutions, stolen;
};

static long place_queens(const struct piece *p)
{
	const unsigned board = (1U << QUEENS) - 1;
	long solutions = 0;

	if (p->row == QUEENS)
		return 1;
	for (unsigned open = board & ~(p->columns | p->falling | p->rising); open; open &= open - 1) {
		unsigned queen = open & -open;
		struct piece next = {p->row + 1, p->columns | queen, (p->falling | queen) >> 1,
		                     (p->rising | queen) << 1};

		solutions += place_queens(&next);
	}
	return solutions;
}

/* Either cuts a piece into smaller ones or does it. */
static void do_piece(struct thief *t)
{
	const unsigned board = (1U << QUEENS) - 1;
	struct piece p = t->pieces[--t->piece_count];

	if (p.row >= DEPTH_OF_PIECES) {
		t->solutions += place_queens(&p);
		return;
	}
	for (unsigned open = board & ~(p.columns | p.falling | p.rising); open; open &= open - 1) {
		unsigned queen = open & -open;

		t->pieces[t->piece_count++] = (struct piece){
			p.row + 1, p.columns | queen, (p.falling | queen) >> 1, (p.rising | queen) << 1};
	}
}

static void answer(struct thief *t, int asker)
{
	MPI_Request request;

	if (t->piece_count < 2) {
		MPI_Send(NULL, 0, MPI_BYTE, asker, TAG_NOTHING, MPI_COMM_WORLD);
		return;
	}
	/* The oldest piece is the largest. */
	MPI_Issend(&t->pieces[0], sizeof(struct piece), MPI_BYTE, asker, TAG_PIECE, MPI_COMM_WORLD, &request);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
	t->piece_count--;
	memmove(&t->pieces[0], &t->pieces[1], (size_t)t->piece_count * sizeof(struct piece));
	t->colour = BLACK;
}

static void receive(struct thief *t, const MPI_Status *found)
{
	switch (found->MPI_TAG) {
	case TAG_ASK:
		MPI_Recv(NULL, 0, MPI_BYTE, found->MPI_SOURCE, TAG_ASK, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		answer(t, found->MPI_SOURCE);
		break;
	case TAG_PIECE:
		MPI_Recv(&t->pieces[t->piece_count++], sizeof(struct piece), MPI_BYTE, found->MPI_SOURCE,
		         TAG_PIECE, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		t->stolen++;
		t->asking = false;
		break;
	case TAG_NOTHING:
		MPI_Recv(NULL, 0, MPI_BYTE, found->MPI_SOURCE, TAG_NOTHING, MPI_COMM_WORLD,
		         MPI_STATUS_IGNORE);
		t->asking = false;
		break;
	case TAG_TOKEN:
		MPI_Recv(&t->token, 1, MPI_INT, found->MPI_SOURCE, TAG_TOKEN, MPI_COMM_WORLD,
		         MPI_STATUS_IGNORE);
		t->has_token = true;
		break;
	default:
		MPI_Recv(NULL, 0, MPI_BYTE, found->MPI_SOURCE, TAG_STOP, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		t->stopped = true;
	}
}

/* Returns whether there was any message. */
static bool look_for_messages(struct thief *t)
{
	bool any = false;

	for (;;) {
		MPI_Status status;
		int there;

		MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &there, &status);
		if (!there)
			return any;
		receive(t, &status);
		any = true;
	}
}

/* An idle rank forwards the token; rank 0 stops all when it returns white to a rank that stayed white. */
static void pass_token(struct thief *t)
{
	if (t->rank == 0 && t->token == WHITE && t->colour == WHITE) {
		for (int i = 1; i < t->size; i++)
			MPI_Send(NULL, 0, MPI_BYTE, i, TAG_STOP, MPI_COMM_WORLD);
		t->stopped = true;
		return;
	}
	if (t->rank == 0)
		t->token = WHITE;
	else if (t->colour == BLACK)
		t->token = BLACK;
	t->colour = WHITE;
	t->has_token = false;
	MPI_Send(&t->token, 1, MPI_INT, (t->rank + 1) % t->size, TAG_TOKEN, MPI_COMM_WORLD);
}

static void be_idle(struct thief *t)
{
	if (t->has_token && !t->asking)
		pass_token(t);
	else if (!t->asking) {
		t->victim = (t->victim + 1) % t->size;
		if (t->victim == t->rank)
			t->victim = (t->victim + 1) % t->size;
		MPI_Send(NULL, 0, MPI_BYTE, t->victim, TAG_ASK, MPI_COMM_WORLD);
		t->asking = true;
	}
	if (!look_for_messages(t))
		usleep(200);
}

/* Questions may still be on their way when all is done: everybody waits for its answer, and answers until all did. */
static void settle(struct thief *t)
{
	MPI_Request request;
	int done = 0;

	while (t->asking)
		look_for_messages(t);
	MPI_Ibarrier(MPI_COMM_WORLD, &request);
	while (!done) {
		look_for_messages(t);
		MPI_Test(&request, &done, MPI_STATUS_IGNORE);
	}
}

int main(int argc, char **argv)
{
	static struct thief t;
	long own[2], all[2];

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &t.rank);
	MPI_Comm_size(MPI_COMM_WORLD, &t.size);
	t.victim = t.rank;
	if (t.rank == 0) {
		t.pieces[t.piece_count++] = (struct piece){0};
		t.has_token = true;
		t.token = BLACK;
	}
	while (!t.stopped) {
		look_for_messages(&t);
		if (t.piece_count)
			do_piece(&t);
		else if (!t.stopped)
			be_idle(&t);
	}
	settle(&t);
	own[0] = t.solutions;
	own[1] = t.stolen;
	MPI_Reduce(own, all, 2, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
	if (t.rank == 0)
		printf("%s : %ld solutions, %ld pieces stolen\n", all[0] == KNOWN_SOLUTIONS ? "ok" : "wrong",
		       all[0], all[1]);
	MPI_Finalize();
	return 0;
}
