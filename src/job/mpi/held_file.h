/* An open file or socket of ours in the user's process: out of the way of the program's own, and known again. Programs close files that they did
 * not open, and get the numbers for their own: whatever we wrote there then would be in the program's data. */
#ifndef TARRY_JOB_MPI_HELD_FILE_H
#define TARRY_JOB_MPI_HELD_FILE_H

#include <stdbool.h>
#include <sys/types.h>

#pragma GCC visibility push(hidden)

struct held_file {
	int fd; /* -1: none */
	dev_t device;
	ino_t inode;
};

/* Takes the file, under another number. False, with the reason in errno: it is closed, or was -1. */
bool held_file_take(struct held_file *held, int fd);
/* It is still the file that was taken; if not, errno is EBADF. */
bool held_file_is_ours(const struct held_file *held);
/* Closes it, if it is. */
void held_file_close(struct held_file *held);

#pragma GCC visibility pop

#endif
