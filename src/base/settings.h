/* What the front end tells the libraries in the user's job, through the environment: the one place
 * where these names are spelled.
 *
 * Launchers change or drop values: Open MPI 4.1 drops a variable of mca_base_env_list whose value has a '=', others split lists at
 * commas, blanks or semicolons. So a value is written with letters, digits and SETTING_PLAIN only; any other byte is %XX. Whoever reads one
 * asks setting_get(), the front end writes with setting_set() (cli/job_settings.h).
 *
 *	const char *folder = setting_get(SETTING_CHECK);
 *
 * Processes of a job may still have different settings: a launcher may carry none of them to another node. No process may
 * conclude from its own settings what another process does. */
#ifndef TARRY_BASE_SETTINGS_H
#define TARRY_BASE_SETTINGS_H

#include <stddef.h>

#define SETTING_PLAIN "/._-+:@"

/* NULL: it is not set, or there is no memory. The text stays as long as the process. */
const char *setting_get(const char *name);

/* A value as it is written, and back. `out` has room for SETTING_ENCODED(strlen(value)) bytes, or as many as `value` has. */
#define SETTING_ENCODED(length) (3 * (length) + 1)
void setting_encode(const char *value, char *out);
void setting_decode(const char *value, char *out);

/* Absolute path of the trace to make, "/home/u/run.tarry". Without it the libraries do nothing. */
#define SETTING_OUTPUT "TARRY_OUTPUT"
/* Absolute path of the library that is preloaded, for programs that can load it themselves where a launcher drops LD_PRELOAD. As it is, like
 * LD_PRELOAD: they have nothing else of ours. */
#define SETTING_PRELOAD "TARRY_PRELOAD"
/* Bytes of memory a process may use for recording; decimal. */
#define SETTING_BUFFER "TARRY_BUFFER"
/* How many sites of the way to a call are recorded; decimal. Without it, or with 0: only the call's own. */
#define SETTING_CALLPATH "TARRY_CALLPATH"
/* 16 hexadecimal digits, common to all processes that one `tarry run` started. */
#define SETTING_RUN "TARRY_RUN"

/* The clock to record with, one of the names below; without it, the best there is. */
#define SETTING_TIMER "TARRY_TIMER"
#define TIMER_COUNTER "counter"
#define TIMER_CLOCK_GETTIME "clock_gettime"
#define TIMER_GETTIMEOFDAY "gettimeofday"
#define TIMER_MPI_WTIME "MPI_Wtime"
/* Where to ask for the time that clocks are compared with: see base/clock_service.h. */
#define SETTING_CLOCK "TARRY_CLOCK"

/* What is to be recorded, each as the option of that name says it; without them all is. */
#define SETTING_ONLY "TARRY_ONLY"
#define SETTING_NOT "TARRY_NOT"
#define SETTING_FROM "TARRY_FROM"
#define SETTING_TO "TARRY_TO"
/* Set: only sums are recorded of the calls, no events. */
#define SETTING_SUMMARY "TARRY_SUMMARY"
/* Set: the process that makes the trace does not remove the parts. */
#define SETTING_KEEP_PARTS "TARRY_KEEP_PARTS"

/* Arguments of MPI's functions that rules need besides what every trace has: "MPI_Comm_split:color/MPI_Cart_create:dims[0]" (calls/arguments.h).
 * Without it no more are recorded. */
#define SETTING_ARGUMENTS "TARRY_ARGUMENTS"
enum { ARGUMENT_LIST_MAX = 60000 }; /* bytes of it: Linux starts no program with a variable of 128 KiB */

/* Absolute path of the folder of a checked run, "/home/u/app.check": docs/check-protocol.md. Without it nothing is checked; without
 * SETTING_OUTPUT nothing is recorded. */
#define SETTING_CHECK "TARRY_CHECK"
/* Seconds without progress after which a checked run is ended; decimal. 0: never; without it HANG_TIMEOUT_DEFAULT. */
#define SETTING_HANG_TIMEOUT "TARRY_HANG_TIMEOUT"
enum { HANG_TIMEOUT_DEFAULT = 300 };
/* 1: analysers of a checked run execute the calls of their own processes, as long as these are plain; 0: the first analyser executes all. Without it:
 * 1 if the launcher says that the job has several nodes. */
#define SETTING_CHECK_PARTS "TARRY_CHECK_PARTS"

/* How many MPI objects of a kind may exist at a time: "communicators=50,requests=0" (base/object_limits.h). */
#define SETTING_LIMITS "TARRY_LIMITS"

/* Which buffers in use are watched: BUFFERS_SEND, those of sends; BUFFERS_ALL, also those of receives; without it none. */
#define SETTING_BUFFERS "TARRY_BUFFERS"
#define BUFFERS_OFF "off"
#define BUFFERS_SEND "send"
#define BUFFERS_ALL "all"
#define BUFFERS_DEFAULT BUFFERS_ALL

/* Absolute path of the folder of a run with libtarry-coll, "/home/u/app.coll": what was chosen is written there, a file for each process.
 * Without it all collectives are MPI's. */
#define SETTING_COLL "TARRY_COLL"
/* What to do: algorithms that are not to be chosen but given, "allgather=ring,bcast=mpi"; or COLL_OFF. */
#define SETTING_COLL_ALGORITHM "TARRY_COLL_ALGORITHM"
#define COLL_OFF "off"
/* Latency and bandwidth of each level, "node=3e-07,1e+10 network=2e-05,1.2e+08". Without it rough defaults. */
#define SETTING_COLL_LEVELS "TARRY_COLL_LEVELS"
#define COLL_SUFFIX ".coll"
/* In that folder: what processes have chosen, "chosen-HOST-PID". */
#define COLL_CHOSEN_PREFIX "chosen-"
/* In that folder: the switches above each node (job/coll/location.h). */
#define COLL_SWITCHES_FILE "switches"

#define CHECK_SUFFIX ".check"
/* In that folder: the key of the run, and logs of analysers, "analyser-HOST-PID.log". Its notes are a NOTES_FILE. */
#define CHECK_KEY_FILE "key"
/* The addresses of the analyser of a node, "node-HOST", and of the first one. */
#define CHECK_NODE_PREFIX "node-"
#define CHECK_LEADER_FILE "leader"
#define CHECK_LOG_PREFIX "analyser-"
#define CHECK_LOG_SUFFIX ".log"
/* There as soon as the run is ended because of a deadlock or a hang; its content does not matter. */
#define CHECK_STOPPED_FILE "stopped"
/* There when all processes of a job are gone and one of them had crashed, aborted or left. */
#define CHECK_CRASHED_FILE "crashed"
/* There when the command that started the job has ended: no other job follows in this folder. */
#define CHECK_ENDED_FILE "ended"
/* There if a signal to Tarry ended the job. */
#define CHECK_INTERRUPTED_FILE "interrupted"
/* The number of the run, if it was recorded as well: its trace has the same. */
#define CHECK_RECORDED_FILE "recorded"
#define ANALYSER_PROGRAM "tarry-analyser"

#define TRACE_SUFFIX ".tarry"
/* Added to the trace's name: where the chunks lie while the job runs, one file for each process. */
#define PARTS_SUFFIX ".parts"
#define PART_SUFFIX ".part"
/* Of a part whose process has finished it: WORLD-RANK-HOST-PID.done.part, with RANK+N if N other ranks are in it. */
#define DONE_SUFFIX ".done" PART_SUFFIX
/* In the parts folder: what the libraries have to say, a sentence a line. They never use the program's
 * own streams. */
#define NOTES_FILE "notes"
/* Locked by the `tarry run` that waits for the job. */
#define OWNER_FILE "owner"
/* There while one process makes the trace of a world's parts, and what it makes before it gets its name. */
#define MERGING_PREFIX "merging"
#define DRAFT_PREFIX "draft"
/* Files by which processes find each other while the job runs; nothing is in them. */
#define MEETING_PREFIX "meet-"
/* Those that say of a traced function that a process has called it, or at least has it. */
#define PROBE_SEEN_PREFIX MEETING_PREFIX "seen-"
#define PROBE_FOUND_PREFIX MEETING_PREFIX "found-"

enum { CALLPATH_DEFAULT = 32, CALLPATH_MAX = 128 };
enum { BUFFER_DEFAULT = 16 << 20, BUFFER_MIN = 1 << 20 };

#endif
