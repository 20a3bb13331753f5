#include "analysis/model/moved_requests.h"

#include "base/memory.h"

/* As many as a call may complete at a time. Only damaged traces have more, and each is searched. */
enum { MOVED_MAX = 1024 };

static struct moved_request *place_for(struct moved_requests *moved)
{
	for (size_t i = 0; i < moved->count; i++)
		if (!*moved->items[i].is_under_way)
			return &moved->items[i];
	return moved->count < MOVED_MAX ? array_new_item(moved) : NULL;
}

void *moved_requests_add(struct moved_requests *moved, struct moved_request request, size_t size,
                         size_t flag_offset)
{
	struct moved_request *place = place_for(moved);

	if (!place)
		return NULL;
	request.state = place->state ? place->state : memory_new(1, size);
	request.is_under_way = (const bool *)((const char *)request.state + flag_offset);
	*place = request;
	return request.state;
}

static bool has_number(const struct moved_request *request, int64_t number)
{
	return request->number == number && *request->is_under_way;
}

void *moved_requests_own(const struct moved_requests *moved, int64_t number, uint32_t thread)
{
	for (size_t i = 0; i < moved->count; i++)
		if (has_number(&moved->items[i], number) && moved->items[i].thread == thread)
			return moved->items[i].state;
	return NULL;
}

void *moved_requests_find(const struct moved_requests *moved, int64_t number, uint32_t thread, int64_t start)
{
	const struct moved_request *earliest = NULL;
	void *own = moved_requests_own(moved, number, thread);

	for (size_t i = 0; i < moved->count && !own; i++) {
		const struct moved_request *request = &moved->items[i];
		if (has_number(request, number) && start < request->until &&
		    (!earliest || request->until < earliest->until))
			earliest = request;
	}
	return own ? own : earliest ? earliest->state : NULL;
}

void moved_requests_release(struct moved_requests *moved)
{
	for (size_t i = 0; i < moved->count; i++)
		free(moved->items[i].state);
	array_release(moved);
}
