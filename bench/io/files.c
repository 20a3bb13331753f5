/* Prints the CPU time of calls on files, in ns for each: {"write_4k": 1130, …}. The smallest of several rounds, because other programs
 * on the machine only make it longer. */
#include <fcntl.h>
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { ROUNDS = 5, KINDS = 7 };

static char block[1 << 20];
static int data;
static FILE *text;
static struct stat found;

static void write_4k(int i)
{
	if (pwrite(data, block, 4096, (i % 1000) * 4096L) < 0)
		MPI_Abort(MPI_COMM_WORLD, 1);
}

static void write_1m(int i)
{
	if (pwrite(data, block, sizeof block, (i % 4) * (long)sizeof block) < 0)
		MPI_Abort(MPI_COMM_WORLD, 1);
}

static void read_4k(int i)
{
	if (pread(data, block, 4096, (i % 1000) * 4096L) < 0)
		MPI_Abort(MPI_COMM_WORLD, 1);
}

static void fwrite_8(int i)
{
	fwrite(&block[i % 1000], 8, 1, text);
}

static void fprintf_line(int i)
{
	fprintf(text, "%d %g\n", i, i * 0.1);
}

static void query(int i)
{
	(void)i;
	stat("text", &found);
}

static void open_close(int i)
{
	(void)i;
	close(open("text", O_RDONLY));
}

static const struct {
	const char *name;
	void (*call)(int i);
	int times;
} kinds[KINDS] = {{"write_4k", write_4k, 20000},    {"write_1m", write_1m, 200},
                  {"read_4k", read_4k, 20000},      {"fwrite_8", fwrite_8, 200000},
                  {"fprintf", fprintf_line, 50000}, {"stat", query, 5000},
                  {"open_close", open_close, 3000}};

static double cpu_ns(void)
{
	struct timespec time;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
	return 1e9 * (double)time.tv_sec + (double)time.tv_nsec;
}

int main(int argc, char **argv)
{
	double least[KINDS] = {0};

	MPI_Init(&argc, &argv);
	for (int round = 0; round < ROUNDS; round++) {
		data = open("data", O_CREAT | O_RDWR | O_TRUNC, 0644);
		text = fopen("text", "w");
		for (int kind = 0; kind < KINDS; kind++) {
			double start = cpu_ns(), each;
			for (int i = 0; i < kinds[kind].times; i++)
				kinds[kind].call(i);
			each = (cpu_ns() - start) / kinds[kind].times;
			least[kind] = !round || each < least[kind] ? each : least[kind];
		}
		fclose(text);
		close(data);
	}
	for (int kind = 0; kind < KINDS; kind++)
		printf("%s\"%s\": %.1f", kind ? ", " : "{", kinds[kind].name, least[kind]);
	printf("}\n");
	MPI_Finalize();
	return 0;
}
