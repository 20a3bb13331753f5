#include "check/checks/checks.h"

#include <string.h>

const struct check_info *check_info(uint32_t check)
{
	return check > CHECK_NONE && check < CHECKS_END ? &check_table[check] : NULL;
}

enum check check_find(const char *id)
{
	for (uint32_t check = CHECK_NONE + 1; check < CHECKS_END; check++) {
		if (strcmp(check_table[check].id, id) == 0)
			return (enum check)check;
	}
	return CHECK_NONE;
}

const char *severity_id(enum check_severity severity)
{
	static const char *const ids[CHECK_SEVERITIES] = {"error", "warning", "note"};

	return ids[severity];
}

bool check_is_of_shmem(const struct check_info *info)
{
	return strcmp(info->group, "shmem") == 0;
}
