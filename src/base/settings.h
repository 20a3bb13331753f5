/* Settings that the front end passes to the libraries in the user's job through the environment. Only this
 * file contains their names.
 *
 * Launchers change or drop values: Open MPI 4.1 drops a variable of mca_base_env_list whose value has a '=',
 * others split lists at commas, blanks or semicolons. So a value is written with letters, digits and
 * SETTING_PLAIN only; any other byte is %XX. Read values with setting_get(); the front end writes them with
 * setting_set() (cli/job_settings.h).
 *
 *	const char *folder = setting_get(SETTING_CHECK);
 *
 * Processes of a job may still have different settings: a launcher may not forward them to other nodes. So no
 * process may assume that another process has the same settings. */
#ifndef TARRY_BASE_SETTINGS_H
#define TARRY_BASE_SETTINGS_H

#include <stddef.h>

#define SETTING_PLAIN "/._-+:@"

/* NULL: not set, or no memory. The text is valid until the process ends. */
const char *setting_get(const char *name);

/* Encodes and decodes a value. `out` needs SETTING_ENCODED(strlen(value)) bytes for encoding, and the size of
 * `value` for decoding. */
#define SETTING_ENCODED(length) (3 * (length) + 1)
void setting_encode(const char *value, char *out);
void setting_decode(const char *value, char *out);

/* Absolute path of the trace to make, "/home/u/run.tarry". Without it the libraries do nothing. */
#define SETTING_OUTPUT "TARRY_OUTPUT"
/* Absolute path of the preloaded library, for programs that can load it themselves where a launcher drops
 * LD_PRELOAD. Not encoded, like LD_PRELOAD, since these programs cannot decode it. */
#define SETTING_PRELOAD "TARRY_PRELOAD"
/* Bytes of memory a process may use for recording; decimal. */
#define SETTING_BUFFER "TARRY_BUFFER"
/* Recorded depth of the call stack; decimal. Without it, or with 0: only the call site. */
#define SETTING_CALLPATH "TARRY_CALLPATH"
/* 16 hexadecimal digits, the same in all processes started by one `tarry run`. */
#define SETTING_RUN "TARRY_RUN"

/* The clock to record with, one of the names below; without it, the best available clock. */
#define SETTING_TIMER "TARRY_TIMER"
#define TIMER_COUNTER "counter"
#define TIMER_CLOCK_GETTIME "clock_gettime"
#define TIMER_GETTIMEOFDAY "gettimeofday"
#define TIMER_MPI_WTIME "MPI_Wtime"
/* Counters of the processor, "cycles,instructions" (base/counters.h); without it none. */
#define SETTING_COUNTERS "TARRY_COUNTERS"
/* Set: sum up accesses to files (base/file_hooks.h). */
#define SETTING_IO "TARRY_IO"
/* Where to ask for the reference time: see base/clock_service.h. */
#define SETTING_CLOCK "TARRY_CLOCK"

/* The selection to record, in the syntax of the options of the same names; without them
 * everything is recorded. */
#define SETTING_ONLY "TARRY_ONLY"
#define SETTING_NOT "TARRY_NOT"
#define SETTING_FROM "TARRY_FROM"
#define SETTING_TO "TARRY_TO"
/* Set: record only totals of the calls, no events. */
#define SETTING_SUMMARY "TARRY_SUMMARY"
/* Set: the process that merges the trace keeps the parts. */
#define SETTING_KEEP_PARTS "TARRY_KEEP_PARTS"

/* Set: the processes analyse the parts in MPI_Finalize (base/in_job.h). */
#define SETTING_IN_JOB "TARRY_IN_JOB"

/* Arguments of MPI's functions that rules need besides what every trace has:
 * "MPI_Comm_split:color/MPI_Cart_create:dims[0]" (calls/arguments.h). Without it no more are recorded. */
#define SETTING_ARGUMENTS "TARRY_ARGUMENTS"
enum { ARGUMENT_LIST_MAX = 60000 }; /* bytes: Linux starts no program with a variable of 128 KiB */

/* Absolute path of the folder of a checked run, "/home/u/app.check": docs/check-protocol.md. Without it
 * nothing is checked; without SETTING_OUTPUT nothing is recorded. */
#define SETTING_CHECK "TARRY_CHECK"
/* Seconds without progress after which a checked run is ended; decimal. 0: never; without it
 * HANG_TIMEOUT_DEFAULT. */
#define SETTING_HANG_TIMEOUT "TARRY_HANG_TIMEOUT"
enum { HANG_TIMEOUT_DEFAULT = 300 };
/* 1: each analyser of a checked run executes the calls of its own processes as long as these are
 * plain; 0: the first analyser executes all calls. Without it: 1 if the launcher says that the
 * job has several nodes. */
#define SETTING_CHECK_PARTS "TARRY_CHECK_PARTS"
/* How many other analysers connect to one; decimal. Without it 16 (check/analyser/tree.c). */
#define SETTING_CHECK_CHILDREN "TARRY_CHECK_CHILDREN"

/* How many MPI objects of a kind may exist at a time: "communicators=50,requests=0"
 * (base/object_limits.h). */
#define SETTING_LIMITS "TARRY_LIMITS"

/* Which buffers in use are watched: BUFFERS_SEND, send buffers; BUFFERS_ALL, also receive
 * buffers; without it none. */
#define SETTING_BUFFERS "TARRY_BUFFERS"
#define BUFFERS_OFF "off"
#define BUFFERS_SEND "send"
#define BUFFERS_ALL "all"
#define BUFFERS_DEFAULT BUFFERS_ALL

/* Absolute path of the folder of a run with libtarry-coll, "/home/u/app.coll". Each process writes its chosen
 * algorithms into a file there. Without it all collectives are MPI's. */
#define SETTING_COLL "TARRY_COLL"
/* Fixed algorithms instead of chosen ones, "allgather=ring,bcast=mpi"; or COLL_OFF. */
#define SETTING_COLL_ALGORITHM "TARRY_COLL_ALGORITHM"
#define COLL_OFF "off"
/* Latency and bandwidth of each level, "node=3e-07,1e+10 network=2e-05,1.2e+08". Without it rough
 * defaults. */
#define SETTING_COLL_LEVELS "TARRY_COLL_LEVELS"
#define COLL_SUFFIX ".coll"
/* In that folder: the algorithms that a process has chosen, "chosen-HOST-PID". */
#define COLL_CHOSEN_PREFIX "chosen-"
/* In that folder: the switches above each node (job/coll/location.h). */
#define COLL_SWITCHES_FILE "switches"

#define CHECK_SUFFIX ".check"
/* In that folder: the key of the run, and logs of analysers, "analyser-HOST-PID.log". Its notes are a
 * NOTES_FILE. */
#define CHECK_KEY_FILE "key"
/* The addresses of a node's analyser, "node-HOST", and of the first analyser. */
#define CHECK_NODE_PREFIX "node-"
#define CHECK_LEADER_FILE "leader"
#define CHECK_LOG_PREFIX "analyser-"
#define CHECK_LOG_SUFFIX ".log"
/* Exists as soon as the run is ended because of a deadlock or a hang; its content does not matter. */
#define CHECK_STOPPED_FILE "stopped"
/* Exists when all processes of a job are gone and one of them crashed, aborted or exited early. */
#define CHECK_CRASHED_FILE "crashed"
/* Exists when the command that started the job has ended: this folder gets no other job. */
#define CHECK_ENDED_FILE "ended"
/* Exists if a signal to Tarry ended the job. */
#define CHECK_INTERRUPTED_FILE "interrupted"
/* The number of the run, if it was also recorded; its trace has the same number. */
#define CHECK_RECORDED_FILE "recorded"
#define ANALYSER_PROGRAM "tarry-analyser"

#define TRACE_SUFFIX ".tarry"
/* Suffix of the folder for the chunks while the job runs: one file for each node, HOST-KEY.part
 * (trace/node_part.h). */
#define PARTS_SUFFIX ".parts"
#define PART_SUFFIX ".part"
/* In the parts folder: messages of the libraries, one sentence per line. They never use the program's
 * own streams. */
#define NOTES_FILE "notes"
/* Locked by the `tarry run` that waits for the job. */
#define OWNER_FILE "owner"
/* Exists while a process merges the parts of a world; also the prefix of its output
 * before that gets its name. */
#define MERGING_PREFIX "merging"
#define DRAFT_PREFIX "draft"
/* Empty files by which processes find each other while the job runs. */
#define MEETING_PREFIX "meet-"
/* Such a file says that a process has called a traced function, or at least contains it. */
#define PROBE_SEEN_PREFIX MEETING_PREFIX "seen-"
#define PROBE_FOUND_PREFIX MEETING_PREFIX "found-"

enum { CALLPATH_DEFAULT = 32, CALLPATH_MAX = 128 };
enum { BUFFER_DEFAULT = 16 << 20, BUFFER_MIN = 1 << 20 };

#endif
