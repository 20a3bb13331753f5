/* A folder of this user in a place that others can write to: /tmp, a project's folder. Between two steps another user can put
 * a link or a folder of his own under the same name. So the path is resolved once; each later step works relative to the open
 * folder and the open folder above it.
 *
 *	struct own_folder folder;
 *
 *	if (own_folder_open("app.check", &folder)) {
 *		own_folder_remove_files(&folder, is_temporary);
 *		own_folder_remove(&folder);                          only if it is empty
 *		own_folder_close(&folder);
 *	}
 *
 * All return false with the reason in errno. EPERM: the folder belongs to another user, or others can write to it. */
#ifndef TARRY_BASE_OWN_FOLDER_H
#define TARRY_BASE_OWN_FOLDER_H

#include <dirent.h>
#include <limits.h>
#include <stdbool.h>

struct own_folder {
	int above, fd;           /* the folder that it is in, and itself */
	char name[NAME_MAX + 1]; /* in the folder above */
};

/* Only a folder that is there. A link is not a folder: ENOTDIR. */
bool own_folder_open(const char *path, struct own_folder *folder);
/* Made if it is not there. */
bool own_folder_make(const char *path, struct own_folder *folder);
void own_folder_close(const struct own_folder *folder);

/* The same where the folder above is not needed: its descriptor, or -1. */
int private_folder_find(const char *path);
int private_folder_open(const char *path); /* made if it is not there */

/* The names in any open folder, by a position of its own; NULL: it cannot be listed. */
DIR *folder_list(int folder);
/* Is there a file whose name begins so? */
bool folder_has_file(int folder, const char *prefix);
/* Files whose names the function accepts; folders stay. */
void own_folder_remove_files(const struct own_folder *folder, bool (*is_removed)(const char *name));
/* Fails if something is left in it, or its name stands for another folder by now. */
bool own_folder_remove(const struct own_folder *folder);
/* All of it: the files that the function accepts, then the folder, if nothing is left in it. */
void own_folder_discard(const char *path, bool (*is_removed)(const char *name));
/* Another name in the folder above. Nothing is replaced: EEXIST. */
bool own_folder_rename(const struct own_folder *folder, const char *name);

#endif
