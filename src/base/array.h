/* A growing array: any struct with `items`, `count` and `room`.
 *
 *	ARRAY(struct flow) flows = {0};
 *	array_add(&flows, (struct flow){.from = 1, .to = 2});
 *	array_new_item(&flows)->from = 3;
 *	for (size_t i = 0; i < flows.count; i++)
 *		use(&flows.items[i]);
 *	flows.count--;                                     removes the last
 *	array_release(&flows);
 *
 *	array_extend(&calls, id + 1)->items[id].count++;   indexed by number: new items are zero
 *
 * A list that functions pass on is a named struct with the same three members; `count` and `room` may have
 * any unsigned type, which limits their size. A pointer to an item is valid until the array grows.
 *
 * When memory is exhausted, these functions end the program (base/memory.h), so libraries in the user's job
 * must not use them. A test checks that. */
#ifndef TARRY_BASE_ARRAY_H
#define TARRY_BASE_ARRAY_H

#include "base/arena.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define ARRAY(type) \
	struct { \
		type *items; \
		size_t count, room; \
	}

/* Room for at least `wanted` items. */
#define array_reserve(array, wanted) \
	({ \
		__auto_type reserve_a = (array); \
		array_fit(reserve_a->items, reserve_a->room, (wanted)); \
		reserve_a; \
	})

/* At least `wanted` items; the new ones are zero. Returns `array`. */
#define array_extend(array, wanted) \
	({ \
		__auto_type extend_a = (array); \
		size_t extend_n = (wanted); \
		if (extend_n > extend_a->count) { \
			array_reserve(extend_a, extend_n); \
			array_zero_up_to(extend_a, extend_n); \
		} \
		extend_a; \
	})

/* A pointer to a new last item, zeroed. */
#define array_new_item(array) \
	({ \
		__auto_type new_a = (array); \
		array_extend(new_a, (size_t)new_a->count + 1); \
		&new_a->items[new_a->count - 1]; \
	})

#define array_add(array, ...) \
	({ \
		__auto_type add_a = (array); \
		__typeof__(*add_a->items) add_item = (__VA_ARGS__); \
		if (add_a->count == add_a->room) \
			array_reserve(add_a, (size_t)add_a->count + 1); \
		add_a->items[add_a->count++] = add_item; \
	})

/* The same in an arena: the old memory stays in the arena. */
#define array_add_in(arena, array, ...) \
	({ \
		__auto_type add_a = (array); \
		__typeof__(*add_a->items) add_item = (__VA_ARGS__); \
		if (add_a->count == add_a->room) { \
			size_t add_room = add_a->room; \
			add_a->items = array_grow_in((arena), add_a->items, &add_room, sizeof add_item); \
			add_a->room = (__typeof__(add_a->room))add_room; \
		} \
		add_a->items[add_a->count++] = add_item; \
	})

/* For a list whose members are not together in a struct: room for at least `wanted` items. */
#define array_fit(list, list_room, wanted) \
	({ \
		size_t fit_n = (wanted), fit_room = (list_room); \
		if (fit_n > fit_room) { \
			void *fit_items = (list); \
			array_grow(&fit_items, &fit_room, fit_n, sizeof *(list), \
			           (__typeof__(list_room))SIZE_MAX); \
			(list) = fit_items; \
			(list_room) = (__typeof__(list_room))fit_room; \
		} \
	})

/* The same for a list without a count that is indexed by numbers: new items are zero. */
#define array_fit_zeroed(list, list_room, wanted) \
	({ \
		size_t zeroed_from = (list_room); \
		array_fit(list, list_room, wanted); \
		if (zeroed_from < (list_room)) \
			memset((list) + zeroed_from, 0, ((list_room)-zeroed_from) * sizeof *(list)); \
	})

#define array_release(array) \
	({ \
		__auto_type release_a = (array); \
		free(release_a->items); \
		release_a->items = NULL; \
		release_a->count = release_a->room = 0; \
	})

/* Binary search: the first number from `first` up to `end` for which the condition on `number` is false. The
 * condition must be true for all smaller numbers and false for all larger ones.
 *
 *	size_t later = sorted_find(0, list.count, i, list.items[i].ns <= now); */
#define sorted_find(first, end, number, condition) \
	({ \
		uint64_t find_low = (first), find_end = (end); \
		while (find_low < find_end) { \
			const uint64_t number = find_low + (find_end - find_low) / 2; \
			if (condition) \
				find_low = number + 1; \
			else \
				find_end = number; \
		} \
		find_low; \
	})

/* The same if consecutive results are usually close together: searches from `near`, the last
 * result, in growing steps. */
#define sorted_find_near(first, end, near, number, condition) \
	({ \
		uint64_t near_low = (first), near_end = (end), near_step = 1; \
		const uint64_t near_from = (near); \
		if (near_from > near_low && near_from < near_end && \
		    array_test(near_from, number, condition)) { \
			near_low = near_from + 1; \
			while (near_step < near_end - near_from && \
			       array_test(near_from + near_step, number, condition)) { \
				near_low = near_from + near_step + 1; \
				near_step *= 2; \
			} \
			if (near_step < near_end - near_from) \
				near_end = near_from + near_step; \
		} else if (near_from > near_low && near_from < near_end) { \
			near_end = near_from; \
			while (near_step <= near_from - near_low && \
			       !array_test(near_from - near_step, number, condition)) { \
				near_end = near_from - near_step; \
				near_step *= 2; \
			} \
			if (near_step <= near_from - near_low) \
				near_low = near_from - near_step + 1; \
		} \
		sorted_find(near_low, near_end, number, condition); \
	})

/* Implementation of the macros */

#define array_test(at, number, condition) \
	({ \
		const uint64_t number = (at); \
		(condition); \
	})

/* Ends the program when memory is exhausted, or `most` is less than wanted. */
void array_grow(void **items, size_t *room, size_t wanted, size_t size, size_t most);
/* Doubles the room and copies all items. */
void *array_grow_in(struct arena *arena, const void *items, size_t *room, size_t size);
/* At least doubles the room, so that adding items one by one copies each item about once. */
size_t array_next_room(size_t room, size_t wanted, size_t most);

/* Large arrays are mostly accessed at random, and with small pages a TLB miss costs as much as the access
 * itself. Without large pages in the system, nothing changes. Returns `memory`. */
void *array_on_large_pages(void *memory, size_t bytes);

#define array_zero_up_to(array, wanted) \
	({ \
		memset((array)->items + (array)->count, 0, \
		       ((wanted) - (array)->count) * sizeof *(array)->items); \
		(array)->count = (__typeof__((array)->count))(wanted); \
	})

#endif
