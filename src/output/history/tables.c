#include "output/history/tables.h"

#include "output/report/fields.h"

const char history_schema[] = "CREATE TABLE runs (\n"
			      "  id INTEGER PRIMARY KEY,\n"
			      "  added TEXT NOT NULL DEFAULT CURRENT_TIMESTAMP,\n"
			      "  commit_id TEXT NOT NULL,\n"
			      "  machine TEXT NOT NULL,\n"
			      "  program TEXT NOT NULL,\n"
			      "  trace TEXT NOT NULL,\n"
			      "  identity TEXT UNIQUE,\n"
			      "  ranks INTEGER NOT NULL,\n"
			      "  threads INTEGER NOT NULL,\n"
			      "  nodes INTEGER NOT NULL,\n"
			      "  can_judge INTEGER NOT NULL,\n"
			      "  length_s REAL NOT NULL,\n"
			      "  computing_s REAL NOT NULL,\n"
			      "  longest_computing_s REAL NOT NULL,\n"
			      "  ideal_length_s REAL NOT NULL,\n"
			      "  openmp REAL NOT NULL,\n"
			      "  counted_s REAL NOT NULL,\n"
			      "  cycles REAL NOT NULL,\n"
			      "  instructions REAL NOT NULL,\n"
			      "  parallel REAL NOT NULL,\n"
			      "  load_balance REAL NOT NULL);\n"
			      "CREATE INDEX runs_by_series ON runs (program, machine, ranks, threads);\n"
			      "CREATE TABLE findings (\n"
			      "  run INTEGER NOT NULL REFERENCES runs (id),\n"
			      "  pattern TEXT NOT NULL,\n"
			      "  name TEXT NOT NULL,\n"
			      "  place TEXT NOT NULL,\n"
			      "  occurrences INTEGER NOT NULL,\n"
			      "  total_s REAL NOT NULL,\n"
			      "  share REAL NOT NULL,\n"
			      "  saves_s REAL);\n"
			      "CREATE INDEX findings_by_run ON findings (run);\n"
			      "PRAGMA user_version = 1;\n";

const char history_insert_run[] =
	"INSERT INTO runs (commit_id, machine, program, trace, identity, ranks, threads, nodes, can_judge, length_s, computing_s, "
	"longest_computing_s, ideal_length_s, openmp, counted_s, cycles, instructions, parallel, load_balance) "
	"VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (identity) DO NOTHING";

const char history_insert_findings[] =
	"INSERT INTO findings (run, pattern, name, place, occurrences, total_s, share, saves_s) "
	"SELECT ?1, value ->> 'pattern', value ->> 'name', coalesce(value ->> 'place', ''), value ->> 'occurrences', "
	"value ->> 'total_s', value ->> 'share', value ->> 'saves_s' FROM json_each(?2, '$.findings')";

const char history_select_runs[] =
	"SELECT id, added, commit_id, machine, program, trace, ranks, threads, nodes, can_judge, length_s, computing_s, "
	"longest_computing_s, ideal_length_s, openmp, counted_s, cycles, instructions, parallel, load_balance FROM runs "
	"WHERE (?1 IS NULL OR program = ?1) AND (?2 IS NULL OR machine = ?2) AND (?3 = 0 OR ranks = ?3) ORDER BY id";

/* Lines move when a program is edited: the same problem in the same function is not new. The cost is what the run would save, or if that is not
 * predictable, what processes lose. */
const char history_select_new_findings[] =
	"SELECT name, place, coalesce(saves_s / nullif(length_s, 0), share) AS cost, saves_s, total_s "
	"FROM findings AS new JOIN runs ON runs.id = run WHERE run = ?1 AND cost > ?3 AND NOT EXISTS "
	"(SELECT 1 FROM findings AS old WHERE old.run = ?2 AND old.pattern = new.pattern) ORDER BY cost DESC";

/* Items of a list, numbered from 1. */
#define ITEMS(path) "json_each(?1, '" path "') AS item"
#define NUMBER "item.key + 1 AS number"
/* Items of a list that each finding has. */
#define ITEMS_OF_FINDINGS(path) \
	"json_each(?1, '$.findings') AS finding, json_each(finding.value, '" path "') AS item"
#define FINDING "finding.key + 1 AS finding"
/* One object: a table of one row, or none if it is null. */
#define OBJECT(path) "(SELECT json_extract(?1, '" path "') AS value) AS item WHERE item.value IS NOT NULL"

const struct report_table report_tables[] = {
	{"report", "?1 AS json", {0}, "version trace complete trust.verdict trust.can_judge", OBJECT("$")},
	{"run",
         "1 AS id",
         {0},
         "program library length_s time_s elapsed_s processes nodes calls uncertainty_s without_processor_s",
         OBJECT("$.run")},
	{"efficiency", "1 AS id", {efficiency_fields}, "", OBJECT("$.summary.efficiency")},
	{"hybrid", "1 AS id", {hybrid_fields}, "", OBJECT("$.summary.hybrid")},
	{"communication", "1 AS id", {communication_fields}, "", OBJECT("$.summary.communication")},
	{"counters", "1 AS id", {counted_fields}, "", OBJECT("$.summary.counters")},
	{"findings",
         NUMBER,
         {finding_fields},
         "call file line function place explained_by advice description",
         ITEMS("$.findings")},
	{"finding_ranks", FINDING, {cost_fields}, "rank", ITEMS_OF_FINDINGS("$.by_rank")},
	{"finding_partners",
         FINDING,
         {partner_fields},
         "call file line function place",
         ITEMS_OF_FINDINGS("$.partners")},
	{"finding_causes",
         FINDING,
         {cause_fields},
         "kind text region times_mean",
         ITEMS_OF_FINDINGS("$.causes")},
	{"finding_time",
         FINDING ", item.key * (finding.value ->> '$.over_time.bin_s') AS start_s, item.value AS total_s",
         {0},
         "",
         ITEMS_OF_FINDINGS("$.over_time.total_s")},
	{"ranks",
         NUMBER,
         {rank_time_fields, rank_fields},
         "rank waiting_s counters.cycles counters.instructions",
         ITEMS("$.summary.ranks")},
	{"phases",
         NUMBER,
         {phase_fields},
         "efficiency.parallel efficiency.load_balance efficiency.communication",
         ITEMS("$.summary.phases")},
	{"iterations", NUMBER, {iteration_group_fields}, "", ITEMS("$.summary.iterations")},
	{"functions",
         NUMBER,
         {profile_fields, local_fields},
         "call share most.rank",
         ITEMS("$.summary.functions")},
	{"call_paths",
         NUMBER,
         {profile_fields, local_fields},
         "call file line function place share most.rank",
         ITEMS("$.summary.call_paths")},
	{"traffic",
         "item.value ->> 'from' AS sender, item.value ->> 'to' AS receiver",
         {traffic_fields},
         "",
         ITEMS("$.summary.matrix")},
	{"critical_path", NUMBER, {0}, "kind text total_s share excess_s", ITEMS("$.critical_path.places")},
	{"metrics", "item.key AS metric", {metric_fields}, "", ITEMS("$.metrics")},
	{"notes", "item.value AS text", {0}, "", ITEMS("$.notes")},
	{0},
};
