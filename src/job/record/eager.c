#include "job/record/eager.h"

#include "job/mpi/flavour.h"
#include "job/record/process.h"

#include <stdio.h>
#include <string.h>

enum distance { NODE, NETWORK, DISTANCES };

/* In the trace. */
static const char *const distance_names[DISTANCES] = {"node", "network"};

/* A control variable with a limit. The library's first variable for a distance counts. */
struct eager_variable {
	const char *name;
	enum distance distance;
	int header_bytes;           /* that the library counts as part of the message */
	const char *needs_variable; /* valid only together with this variable; NULL: always */
	const char *needs_version;  /* valid only if the library's version text has this; NULL: always */
};

static const struct eager_variable variables[] = {EAGER_VARIABLES};

static bool find_variable(const char *name, int *index)
{
	return PMPI_T_cvar_get_index(name, index) == MPI_SUCCESS;
}

static bool is_valid(const struct eager_variable *variable, const char *version)
{
	int index;

	return (!variable->needs_variable || find_variable(variable->needs_variable, &index)) &&
	       (!variable->needs_version || strstr(version, variable->needs_version));
}

static MPI_Datatype type_of(int index)
{
	int name_room = 0, text_room = 0, verbosity, bind, scope;
	MPI_Datatype type = MPI_DATATYPE_NULL;
	MPI_T_enum names;

	if (PMPI_T_cvar_get_info(index, NULL, &name_room, &verbosity, &type, &names, NULL, &text_room, &bind,
	                         &scope) != MPI_SUCCESS)
		return MPI_DATATYPE_NULL;
	return type;
}

/* The value of a variable with one number; negative if it has not. */
static long long read_variable(int index)
{
	union {
		int number;
		unsigned unsigned_number;
		unsigned long size;
		unsigned long long long_size;
	} value = {.long_size = 0};
	MPI_Datatype type = type_of(index);
	MPI_T_cvar_handle handle;
	long long bytes = -1;
	int count = 0;

	if (PMPI_T_cvar_handle_alloc(index, NULL, &handle, &count) != MPI_SUCCESS)
		return -1;
	if (count == 1 &&
	    (type == MPI_INT || type == MPI_UNSIGNED || type == MPI_UNSIGNED_LONG ||
	     type == MPI_UNSIGNED_LONG_LONG) &&
	    PMPI_T_cvar_read(handle, &value) == MPI_SUCCESS)
		bytes = type == MPI_INT             ? value.number
		        : type == MPI_UNSIGNED      ? (long long)value.unsigned_number
		        : type == MPI_UNSIGNED_LONG ? (long long)value.size
		                                    : (long long)value.long_size;
	PMPI_T_cvar_handle_free(&handle);
	return bytes;
}

static void write_limits(void)
{
	char version[MPI_MAX_LIBRARY_VERSION_STRING] = "";
	bool known[DISTANCES] = {false};
	int length = 0, index;

	PMPI_Get_library_version(version, &length);
	for (size_t i = 0; i < sizeof variables / sizeof *variables; i++) {
		const struct eager_variable *variable = &variables[i];
		const char *distance = distance_names[variable->distance];
		char source[128];
		long long value;

		if (known[variable->distance] || !is_valid(variable, version) ||
		    !find_variable(variable->name, &index))
			continue;
		value = read_variable(index);
		if (value < variable->header_bytes)
			continue; /* the library chooses the limit itself */
		process_write(RECORD_EAGER,
		              &(struct eager){(uint64_t)(value - variable->header_bytes), distance});
		snprintf(source, sizeof source, "%s: %s = %lld", distance, variable->name, value);
		process_property("eager", source);
		known[variable->distance] = true;
	}
	for (int i = 0; i < DISTANCES; i++) {
		char sentence[32];
		snprintf(sentence, sizeof sentence, "%s: not told", distance_names[i]);
		if (!known[i])
			process_property("eager", sentence);
	}
}

void eager_find(void)
{
	int level = MPI_THREAD_SINGLE, given;

	if (process.rank != 0 || process.size < 2)
		return;
	PMPI_Query_thread(&level);
	if (PMPI_T_init_thread(level, &given) != MPI_SUCCESS)
		return;
	write_limits();
	PMPI_T_finalize();
}
