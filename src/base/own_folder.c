/* O_PATH: search permission for a folder is enough. */
#define _GNU_SOURCE
#include "base/own_folder.h"

#include "base/files.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Another process may remove the empty folder between its creation and its opening. */
enum { ATTEMPTS = 10 };

/* Opens the parent folder and keeps the last component of the path. */
static bool open_above(const char *path, struct own_folder *folder)
{
	char above[PATH_MAX];
	size_t length = strlen(path), start;

	while (length > 1 && path[length - 1] == '/')
		length--;
	for (start = length; start && path[start - 1] != '/';)
		start--;
	if (length >= PATH_MAX || length - start > NAME_MAX) {
		errno = ENAMETOOLONG;
		return false;
	}
	snprintf(folder->name, sizeof folder->name, "%.*s", (int)(length - start), path + start);
	snprintf(above, sizeof above, "%.*s", start ? (int)start : 1, start ? path : ".");
	folder->above = open_uncounted(AT_FDCWD, above, O_PATH | O_DIRECTORY | O_CLOEXEC, 0);
	return folder->above >= 0;
}

static bool is_ours(int fd)
{
	struct stat about;

	if (fstat(fd, &about) != 0)
		return false;
	errno = EPERM;
	return is_private(&about);
}

static bool close_all(struct own_folder *folder)
{
	int error = errno;

	if (folder->fd >= 0)
		close(folder->fd);
	close(folder->above);
	errno = error;
	return false;
}

static bool open_inside(struct own_folder *folder)
{
	folder->fd = open_uncounted(folder->above, folder->name,
	                            O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC, 0);
	return folder->fd >= 0;
}

bool own_folder_open(const char *path, struct own_folder *folder)
{
	if (!open_above(path, folder))
		return false;
	return (open_inside(folder) && is_ours(folder->fd)) || close_all(folder);
}

bool own_folder_make(const char *path, struct own_folder *folder)
{
	bool opened = false;

	if (!open_above(path, folder))
		return false;
	folder->fd = -1;
	errno = ENOENT;
	for (int i = 0; i < ATTEMPTS && !opened && (errno == ENOENT || errno == EINTR); i++) {
		if (mkdirat(folder->above, folder->name, 0700) != 0 && errno != EEXIST)
			return close_all(folder);
		opened = open_inside(folder);
	}
	return (opened && is_ours(folder->fd)) || close_all(folder);
}

int private_folder_open(const char *path)
{
	struct own_folder folder;

	if (!own_folder_make(path, &folder))
		return -1;
	close(folder.above);
	return folder.fd;
}

int private_folder_find(const char *path)
{
	struct own_folder folder;

	if (!own_folder_open(path, &folder))
		return -1;
	close(folder.above);
	return folder.fd;
}

void own_folder_close(const struct own_folder *folder)
{
	close(folder->fd);
	close(folder->above);
}

DIR *folder_list(int folder)
{
	int fd = open_uncounted(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0);
	DIR *listing = fd < 0 ? NULL : fdopendir(fd);

	if (fd >= 0 && !listing)
		close(fd);
	return listing;
}

bool folder_has_file(int folder, const char *prefix)
{
	DIR *listing = folder_list(folder);
	bool found = false;

	for (struct dirent *entry; listing && !found && (entry = readdir(listing));)
		found = strncmp(entry->d_name, prefix, strlen(prefix)) == 0;
	if (listing)
		closedir(listing);
	return found;
}

void own_folder_remove_files(const struct own_folder *folder, bool (*is_removed)(const char *name))
{
	DIR *listing = folder_list(folder->fd);

	for (struct dirent *entry; listing && (entry = readdir(listing));)
		if (is_removed(entry->d_name))
			unlinkat(folder->fd, entry->d_name, 0);
	if (listing)
		closedir(listing);
}

/* True if the name of the folder still refers to it. */
static bool is_in_place(const struct own_folder *folder)
{
	struct stat here, there;

	if (fstat(folder->fd, &here) != 0 ||
	    fstatat(folder->above, folder->name, &there, AT_SYMLINK_NOFOLLOW) != 0)
		return false;
	errno = ENOENT;
	return here.st_dev == there.st_dev && here.st_ino == there.st_ino;
}

bool own_folder_remove(const struct own_folder *folder)
{
	return is_in_place(folder) && unlinkat(folder->above, folder->name, AT_REMOVEDIR) == 0;
}

void own_folder_discard(const char *path, bool (*is_removed)(const char *name))
{
	struct own_folder folder;

	if (!own_folder_open(path, &folder))
		return;
	own_folder_remove_files(&folder, is_removed);
	own_folder_remove(&folder);
	own_folder_close(&folder);
}

/* If somebody creates a folder with the new name in between, it is not empty, and therefore not replaced. */
bool own_folder_rename(const struct own_folder *folder, const char *name)
{
	if (faccessat(folder->above, name, F_OK, AT_SYMLINK_NOFOLLOW) == 0) {
		errno = EEXIST;
		return false;
	}
	return is_in_place(folder) && renameat(folder->above, folder->name, folder->above, name) == 0;
}
