#include "output/report/phrases.h"

#include <string.h>

/* Words for programs that use UPC, or UPC and MPI; NULL: the same as for MPI. */
static const struct {
	const char *mpi, *upc, *both;
} variants[] = {
	{"rank ", "UPC|thread ", NULL},
	{"ranks ", "UPC|threads ", NULL},
	{"thread ", "system thread ", NULL},
	{"threads ", "system threads ", NULL},
	{"Time by function, all processes", "Time by function, all threads", NULL},
	{"Time by call path, all processes", "Time by call path, all threads", NULL},
	{"computing (not MPI)", "computing (not UPC)", "computing (not MPI, UPC)"},
	{"Messages by size", "Remote accesses by size", "Messages and remote accesses by size"},
	{"Bytes sent (rows send, columns receive)", "Bytes moved (rows send, columns receive)",
         "Bytes moved (rows send, columns receive)"},
	{" ranks", " threads", NULL},
	{"ranks lose", "threads lose", NULL},
	{"ranks lose $1, $2 of their time", "threads lose $1, $2 of their time", NULL},
	{", ranks lose $1", ", threads lose $1", NULL},
	{"$1 summed over ranks", "$1 summed over threads", NULL},
	{"$1 summed over ranks: ", "$1 summed over threads: ", NULL},
	{"$1 while other ranks wait: ", "$1 while other threads wait: ", NULL},
	{"$1 hidden (ranks lose $2); --all shows it", "$1 hidden (threads lose $2); --all shows it", NULL},
	{"$1 hidden (ranks lose $2); --all shows them", "$1 hidden (threads lose $2); --all shows them",
         NULL},
	{"MPI_Finalize up to $1", "upc_exit up to $1", NULL},
	{"in MPI", "in UPC", "in MPI, UPC"},
	{"Bytes moved by collective operations (rows send, columns receive)",
         "Bytes moved by collective operations (rows send, columns receive)", NULL},
	{"all processes were recorded completely", "all threads were recorded completely", NULL},
	{"$1 of the time is in MPI, but no known pattern explains it: see the profile (--all).",
         "$1 of the time is in UPC, but no known pattern explains it: see the profile (--all).", NULL},
	{"$1 of the time is in MPI, but the findings explain only $2: see the profile (--all).",
         "$1 of the time is in UPC, but the findings explain only $2: see the profile (--all).", NULL},
	{"$1 of $2 ended without MPI_Finalize", "$1 of $2 ended without upc_exit", NULL},
	{"$1 of $2 ended without MPI_Finalize; the first was rank $3, after $4",
         "$1 of $2 ended without upc_exit; the first was thread $3, after $4", NULL},
	{"$1 of $2 ended without MPI_Finalize; the first was rank $3, in $4",
         "$1 of $2 ended without upc_exit; the first was thread $3, in $4", NULL},
	{"the trace contains only $1 of $2 processes", "the trace contains only $1 of $2 threads", NULL},
	{"Delays caused by this are excluded. Run one process per core.",
         "Delays caused by this are excluded. Run one thread per core.", NULL},
	{"Delays caused by this are excluded. Other programs or further threads use the same cores.",
         "Delays caused by this are excluded. Other programs use the same cores.", NULL},
	{"recording was paused (MPI_Pcontrol)", "recording was paused", NULL},
	{"process", "thread", NULL},
	{"processes", "threads", NULL},
	{"other rank", "other thread", NULL},
	{"other ranks", "other threads", NULL},
	{"message", "access", NULL},
	{"messages", "accesses", NULL},
	{"of|process", "of|thread", NULL},
	{"of|processes", "of|threads", NULL},
	{"collective operation lacks a process", "collective operation lacks a thread", NULL},
	{"collective operations lack processes", "collective operations lack threads", NULL},
};

/* The same for programs that use OpenSHMEM, or OpenSHMEM and MPI. */
static const struct {
	const char *mpi, *shmem, *both;
} shmem_variants[] = {
	{"computing (not MPI)", "computing (not OpenSHMEM)", "computing (not MPI, OpenSHMEM)"},
	{"Messages by size", "Remote accesses by size", "Messages and remote accesses by size"},
	{"Bytes sent (rows send, columns receive)", "Bytes moved (rows send, columns receive)",
         "Bytes moved (rows send, columns receive)"},
	{"MPI_Finalize up to $1", "shmem_finalize up to $1", NULL},
	{"in MPI", "in OpenSHMEM", "in MPI, OpenSHMEM"},
	{"$1 of the time is in MPI, but no known pattern explains it: see the profile (--all).",
         "$1 of the time is in OpenSHMEM, but no known pattern explains it: see the profile (--all).", NULL},
	{"$1 of the time is in MPI, but the findings explain only $2: see the profile (--all).",
         "$1 of the time is in OpenSHMEM, but the findings explain only $2: see the profile (--all).", NULL},
	{"$1 of $2 ended without MPI_Finalize", "$1 of $2 ended without shmem_finalize", NULL},
	{"$1 of $2 ended without MPI_Finalize; the first was rank $3, after $4",
         "$1 of $2 ended without shmem_finalize; the first was rank $3, after $4", NULL},
	{"$1 of $2 ended without MPI_Finalize; the first was rank $3, in $4",
         "$1 of $2 ended without shmem_finalize; the first was rank $3, in $4", NULL},
	{"message", "access", NULL},
	{"messages", "accesses", NULL},
};

static const char *shmem_variant(enum paradigm paradigm, const char *words)
{
	for (size_t i = 0; i < sizeof shmem_variants / sizeof *shmem_variants; i++)
		if (strcmp(shmem_variants[i].mpi, words) == 0)
			return paradigm == PARADIGM_SHMEM ? shmem_variants[i].shmem : shmem_variants[i].both;
	return NULL;
}

static const char *variant(struct language language, const char *words)
{
	const char *own = NULL;

	if (language.paradigm == PARADIGM_SHMEM || language.paradigm == PARADIGM_MPI_SHMEM)
		own = shmem_variant(language.paradigm, words);
	for (size_t i = 0; language.paradigm != PARADIGM_MPI && i < sizeof variants / sizeof *variants; i++)
		if (strcmp(variants[i].mpi, words) == 0)
			own = language.paradigm == PARADIGM_UPC ? variants[i].upc : variants[i].both;
	return own ? own : words;
}

const char *language_phrase(struct language language, const char *words)
{
	return translate(language.lang, variant(language, words));
}

void add_filled_phrase(struct text *out, struct language language, const char *words,
                       const char *const *values)
{
	add_filled(out, language_phrase(language, words), values);
}

const char *noun_form(struct language language, uint64_t number, const char *one, const char *many)
{
	return translate_noun(language.lang, number, variant(language, one), variant(language, many));
}

void add_counted(struct text *out, struct language language, uint64_t number, const char *one,
                 const char *many)
{
	add_count_in(out, language.lang, number, variant(language, one), variant(language, many));
}
