/* The linker redirects calls of these functions here (`--wrap`): compilers do not report
 * their loads and stores. */
#include "job/cc/runtime.h"

/* NOLINTBEGIN(bugprone-reserved-identifier): the linker names them */

#define COPY(name) \
	void *__real_##name(void *to, const void *from, size_t bytes); \
	void *__wrap_##name(void *to, const void *from, size_t bytes) \
	{ \
		range_check(from, bytes, false, RETURN_ADDRESS); \
		range_check(to, bytes, true, RETURN_ADDRESS); \
		return __real_##name(to, from, bytes); \
	} \
	void *__real___##name##_chk(void *to, const void *from, size_t bytes, size_t room); \
	void *__wrap___##name##_chk(void *to, const void *from, size_t bytes, size_t room) \
	{ \
		range_check(from, bytes, false, RETURN_ADDRESS); \
		range_check(to, bytes, true, RETURN_ADDRESS); \
		return __real___##name##_chk(to, from, bytes, room); \
	}

COPY(memcpy)
COPY(memmove)

void *__real_memset(void *to, int value, size_t bytes);
void *__wrap_memset(void *to, int value, size_t bytes)
{
	range_check(to, bytes, true, RETURN_ADDRESS);
	return __real_memset(to, value, bytes);
}

void *__real___memset_chk(void *to, int value, size_t bytes, size_t room);
void *__wrap___memset_chk(void *to, int value, size_t bytes, size_t room)
{
	range_check(to, bytes, true, RETURN_ADDRESS);
	return __real___memset_chk(to, value, bytes, room);
}

/* Clang calls these instead (-fsanitize=thread). */

void *__tsan_memcpy(void *to, const void *from, size_t bytes)
{
	return __wrap_memcpy(to, from, bytes);
}

void *__tsan_memmove(void *to, const void *from, size_t bytes)
{
	return __wrap_memmove(to, from, bytes);
}

void *__tsan_memset(void *to, int value, size_t bytes)
{
	return __wrap_memset(to, value, bytes);
}

/* NOLINTEND(bugprone-reserved-identifier) */
