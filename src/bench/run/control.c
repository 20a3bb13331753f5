#include "bench/run/control.h"

#include "bench/run/agreement.h"

#include <string.h>

enum { NAME_ROOM = 256, DESCRIPTION_ROOM = 16 * 1024 };

static bool have_begun;

enum status controls_begin(void)
{
	int level;

	TRY(mpi_status(MPI_T_init_thread(MPI_THREAD_SINGLE, &level), "MPI_T_init_thread"));
	have_begun = true;
	return OK;
}

void controls_end(void)
{
	if (have_begun)
		MPI_T_finalize();
	have_begun = false;
}

/* Properties of a setting. */
struct particulars {
	MPI_Datatype type;
	MPI_T_enum names;
	char description[DESCRIPTION_ROOM];
};

static bool find(const char *name, int *index, struct particulars *about)
{
	char own_name[NAME_ROOM];
	int name_length = sizeof own_name, length = sizeof about->description, verbosity, binding, scope;

	if (MPI_T_cvar_get_index(name, index) != MPI_SUCCESS)
		return false;
	about->names = MPI_T_ENUM_NULL;
	return MPI_T_cvar_get_info(*index, own_name, &name_length, &verbosity, &about->type, &about->names,
	                           about->description, &length, &binding, &scope) == MPI_SUCCESS;
}

bool control_open(const char *name, struct control *control)
{
	struct particulars about;
	int index, count;

	control->handle = MPI_T_CVAR_HANDLE_NULL;
	if (!find(name, &index, &about) || about.type != MPI_INT ||
	    MPI_T_cvar_handle_alloc(index, NULL, &control->handle, &count) != MPI_SUCCESS)
		return false;
	control->names = about.names;
	if (count == 1 && MPI_T_cvar_read(control->handle, &control->usual) == MPI_SUCCESS)
		return true;
	control_close(control);
	return false;
}

bool control_set(const struct control *control, int value)
{
	return MPI_T_cvar_write(control->handle, &value) == MPI_SUCCESS;
}

bool control_restore(const struct control *control)
{
	return control_set(control, control->usual);
}

void control_close(struct control *control)
{
	if (control->handle != MPI_T_CVAR_HANDLE_NULL)
		MPI_T_cvar_handle_free(&control->handle);
	control->handle = MPI_T_CVAR_HANDLE_NULL;
}

const char *control_description(const char *name, struct arena *arena)
{
	struct particulars about;
	int index;

	return find(name, &index, &about) ? arena_text(arena, about.description) : "";
}
