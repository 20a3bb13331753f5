/* Reads a part while its processes write it: new events, and the open call of each thread.
 *
 *	struct followed_part *part = followed_part_new();
 *	for (;;) {
 *		followed_part_note(part, fd);                         position of each thread
 *		follow_barrier();                                     once for all parts
 *		followed_part_read(part, &sink, bytes_at_most);       events to the sink
 *		for (size_t i = 0; i < part->stream_count; i++)
 *			use(part->streams[i]->open.call);
 *	}
 *	followed_part_free(part);
 *
 * The process does not take part: a chunk's header has its length and its open call anyway, in case the process is killed. The writer
 * orders its stores only for its own processor, so a reader on another one needs the barrier, which costs the writer nothing.
 *
 * The memory of a stream is that of its current chunk, because each chunk defines its own calls. A stream that writes faster than the
 * limit loses whole chunks; `skipped_bytes` counts them. */
#ifndef TARRY_TRACE_FOLLOW_H
#define TARRY_TRACE_FOLLOW_H

#include "trace/reader.h"

/* A process of a part and its records so far. */
struct followed_process {
	struct reader *reader;
	struct process *process; /* rank is PROCESS_UNKNOWN before MPI_Init */
	const struct chunk_header *first;
	uint32_t number; /* in its part */
	void *data;      /* of the sink; NULL at first */
};

/* A chunk in the file that was noted but not read. */
struct waiting_chunk {
	uint64_t offset;
	uint32_t capacity;
	uint32_t length;
};

struct followed_stream {
	uint32_t number;
	uint32_t pid; /* of the system process: numbers of its threads are its own */
	struct followed_process *process;
	struct reader *reader; /* of the current chunk; NULL: none yet */
	const struct chunk_header *header;
	struct process *own; /* the data of the process that symbols need, and the calls of this chunk */
	struct event_iter iter;
	struct chunk_header noted; /* the header at the last followed_part_note() */
	ARRAY(struct waiting_chunk) waiting;
	struct open_call open; /* its call is NULL: none */
	bool is_behind;        /* some noted bytes are not read yet */
	bool is_unreadable;    /* the chunk is damaged; the next one may be valid */
	bool is_interrupted;   /* recording is paused or has ended */
	uint64_t last_end;     /* ticks; 0: no event yet */
	uint64_t read_bytes, skipped_bytes;
	void *data; /* of the sink; NULL at first */
};

struct followed_part {
	struct followed_process **processes;
	size_t process_count;
	struct followed_stream **streams;
	size_t stream_count;
	uint64_t end;               /* of the noted chunks */
	ARRAY(uint64_t) gaps;       /* pages before it that were handed out but had no chunk yet */
	struct part_header *header; /* a copy; NULL: none yet, or the part begins with a chunk */
	struct arena arena;
};

struct follow_sink {
	void *context;
	/* A new chunk begins, with new ids of calls. */
	void (*chunk)(void *context, struct followed_stream *stream);
	void (*event)(void *context, struct followed_stream *stream, const struct event *event);
};

struct followed_part *followed_part_new(void);
void followed_part_free(struct followed_part *part);

/* Notes the header of the file alone. */
void followed_part_note_header(struct followed_part *part, int fd);
/* Notes how much of the file is written. */
void followed_part_note(struct followed_part *part, int fd);
/* The entry of this process in the noted header; NULL: none. */
const struct part_entry *followed_process_entry(const struct followed_part *part,
                                                const struct followed_process *process);
/* Passes the noted events to the sink, about `most` bytes of each thread. */
void followed_part_read(struct followed_part *part, int fd, const struct follow_sink *sink, size_t most);

/* After it, all stores that precede the noted ones are visible to this processor. */
void follow_barrier(void);

#endif
