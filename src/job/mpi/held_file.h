/* A file or socket of ours in the user's process, with a high descriptor and a check of its identity. A
 * program may close descriptors that it did not open, and then reuse them. Without the check, we would write
 * into the program's files. */
#ifndef TARRY_JOB_MPI_HELD_FILE_H
#define TARRY_JOB_MPI_HELD_FILE_H

#include <stdbool.h>
#include <sys/types.h>

struct held_file {
	int fd; /* -1: none */
	dev_t device;
	ino_t inode;
};

/* Moves the file to another descriptor. False with errno: it is closed, or was -1. */
bool held_file_take(struct held_file *held, int fd);
/* Whether the descriptor is still our file; if not, errno is EBADF. */
bool held_file_is_ours(const struct held_file *held);
/* Closes it if it is still ours. */
void held_file_close(struct held_file *held);

#endif
