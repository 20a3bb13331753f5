/* Checks of files: access modes, split collective accesses, types that do not match the view, pending
 * operations of a closed file. */
#ifndef TARRY_JOB_CHECK_OBJECTS_FILES_H
#define TARRY_JOB_CHECK_OBJECTS_FILES_H

#include "job/check/wire/agent_call.h"

bool files_are_concerned(enum call_id id);
/* Before objects_before, because MPI_File_close ends the file. */
void files_before(struct agent_call *call);
void files_after(struct agent_call *call, int rc);

#endif
