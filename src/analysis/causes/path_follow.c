#include "analysis/causes/path_follow.h"

#include "analysis/model/spans.h"
#include "base/memory.h"

struct critical_walk {
	const struct run_spans *run;
	int64_t start_ns;
	ARRAY(struct path_segment) segments; /* from the end to the start */
};

static uint32_t process_of(const struct run_spans *run, uint32_t thread)
{
	return (uint32_t)sorted_find(1, run->process_count, i, run->processes[i].first_thread <= thread) - 1;
}

static int64_t last_work(const struct thread_span *thread)
{
	return thread->end - thread->waits_ns;
}

/* The last active thread; NO_NODE: none. */
static uint32_t last_thread(const struct run_spans *run)
{
	uint32_t last = NO_NODE;

	for (uint32_t i = 0; i < run->process_count; i++) {
		const struct process_span *process = &run->processes[i];
		for (uint32_t j = process->first_thread; j < process->first_thread + process->thread_count;
		     j++) {
			const struct thread_span *thread = &run->threads[j];
			if (thread->has_events && thread->end > thread->start &&
			    (last == NO_NODE || last_work(thread) > last_work(&run->threads[last])))
				last = j;
		}
	}
	return last;
}

static int64_t start_of(const struct critical_walk *walk, uint32_t thread)
{
	return walk->run->threads[thread].start - walk->start_ns;
}

/* Goes back at most to the start of the thread. Returns the start of the segment. */
static int64_t add_segment(struct critical_walk *walk, uint32_t thread, int64_t from, int64_t to)
{
	uint32_t process = process_of(walk->run, thread);

	from = max_ns(from, start_of(walk, thread));
	if (from >= to)
		return to;
	array_add(
		&walk->segments,
		((struct path_segment){from, process, thread - walk->run->processes[process].first_thread}));
	return from;
}

/* A thread that was started later: before that, its process was on the first thread. */
static int64_t add_first_thread(struct critical_walk *walk, uint32_t thread, int64_t to)
{
	uint32_t first = walk->run->processes[process_of(walk->run, thread)].first_thread;

	return first == thread || !walk->run->threads[first].has_events
	               ? to
	               : add_segment(walk, first, INT64_MIN, to);
}

static void reverse(struct path_segment *segments, size_t count)
{
	for (size_t i = 0; i < count / 2; i++) {
		struct path_segment first = segments[i];
		segments[i] = segments[count - 1 - i];
		segments[count - 1 - i] = first;
	}
}

struct critical_path *path_follow(struct path_tree *tree, const struct reader *reader,
                                  const struct run_spans *run, int64_t start_ns)
{
	struct critical_walk walk = {.run = run, .start_ns = start_ns};
	uint32_t thread = last_thread(run), number;
	struct critical_path *path;
	int64_t now;

	if (thread == NO_NODE)
		return NULL;
	path = memory_new(1, sizeof *path);
	path->to = now = last_work(&run->threads[thread]) - start_ns;
	for (number = path_tree_at(tree, thread, now); number != NO_NODE;) {
		const struct critical_node *node = &tree->nodes.items[number];
		now = add_segment(&walk, node->thread, node->from, now);
		if (node->parent == NO_NODE && node->from == INT64_MIN)
			now = add_first_thread(&walk, node->thread, now);
		path->is_cut = node->parent == NO_NODE && node->from != INT64_MIN &&
		               node->from > start_of(&walk, node->thread);
		number = node->from > start_of(&walk, node->thread) ? node->parent : NO_NODE;
	}
	if (!walk.segments.count) {
		free(path);
		return NULL;
	}
	path->from = now;
	path->missed = tree->missed;
	path->segments = walk.segments.items;
	path->segment_count = walk.segments.count;
	reverse(path->segments, path->segment_count);
	path->of_process = memory_new(reader->process_count + 1, sizeof *path->of_process);
	for (size_t i = 0; i < path->segment_count; i++) {
		const struct path_segment *segment = &path->segments[i];
		int64_t to = i + 1 < path->segment_count ? segment[1].from : path->to;
		path->of_process[segment->process] = saturating_add(path->of_process[segment->process],
		                                                    interval_ns(segment->from, to));
	}
	return path;
}

void critical_path_free(struct critical_path *path)
{
	if (!path)
		return;
	free(path->segments);
	free(path->parts);
	free(path->of_process);
	free(path);
}
