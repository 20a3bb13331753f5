/* Reading a part while its process writes it: the events that came since the last look, and the call that each thread is in.
 *
 *	struct followed_part *part = followed_part_new();
 *	for (;;) {
 *		followed_part_note(part, fd);                         how far each thread is
 *		follow_barrier();                                     once for all parts
 *		followed_part_read(part, &sink, bytes_at_most);       events to the sink
 *		for (size_t i = 0; i < part->stream_count; i++)
 *			use(part->streams[i]->open.call);
 *	}
 *	followed_part_free(part);
 *
 * The process knows nothing of it: a chunk's header says how far it was written and which call is open, for the case that
 * the process is killed. The writer orders its stores for its own processor only, which is why others need the barrier. It costs the
 * writer nothing.
 *
 * Memory is that of the chunk that each thread is writing: distinct calls are forgotten with their chunk, as each chunk defines its own.
 * A stream that writes more than may be read loses whole chunks, which `skipped_bytes` counts. */
#ifndef TARRY_TRACE_FOLLOW_H
#define TARRY_TRACE_FOLLOW_H

#include "trace/reader.h"

/* A process of the trace, with what its own records have told so far: mostly one in a part. */
struct followed_process {
	struct reader *reader;
	struct process *process; /* rank is PROCESS_UNKNOWN before MPI_Init */
	const struct chunk_header *first;
	uint32_t number; /* in its part */
	void *data;      /* of the sink; NULL at first */
};

/* A chunk in the file that was seen and not read. */
struct waiting_chunk {
	uint64_t offset;
	uint32_t capacity;
	uint32_t length;
};

struct followed_stream {
	uint32_t number;
	struct followed_process *process;
	/* The chunk that is read: */
	struct reader *reader; /* of it alone; NULL: there is none yet */
	const struct chunk_header *header;
	struct process *
		own; /* the process as far as symbols need it, and its calls, whose ids begin with each chunk */
	struct event_iter iter;
	struct chunk_header noted; /* the header, as it was at the last look */
	ARRAY(struct waiting_chunk) waiting;
	struct open_call open; /* none: NULL */
	bool is_behind;        /* not all could be read that there was */
	bool is_unreadable;    /* the chunk makes no sense; the next one may */
	bool is_interrupted;   /* nothing is recorded just now, or any more */
	uint64_t last_end;     /* ticks; 0: no event yet */
	uint64_t read_bytes, skipped_bytes;
	void *data; /* of the sink; NULL at first */
};

struct followed_part {
	struct followed_process **processes;
	size_t process_count;
	struct followed_stream **streams;
	size_t stream_count;
	uint64_t end; /* of the chunks that were seen */
	struct arena arena;
};

struct follow_sink {
	void *context;
	/* A new chunk: the ids of calls begin anew. */
	void (*chunk)(void *context, struct followed_stream *stream);
	void (*event)(void *context, struct followed_stream *stream, const struct event *event);
};

struct followed_part *followed_part_new(void);
void followed_part_free(struct followed_part *part);

/* Notes what there is in the file by now. */
void followed_part_note(struct followed_part *part, int fd);
/* Reads what was noted, about `most` bytes of each thread, to the sink. */
void followed_part_read(struct followed_part *part, int fd, const struct follow_sink *sink, size_t most);

/* Whatever other processors have written before what this one has noted can be read after it. */
void follow_barrier(void);

#endif
