#include "calls/calls.h"
#include "output/exchange/otf2_exporter.h"

#include <string.h>

OTF2_StringRef define_string(struct exporter *ex, const char *text)
{
	uint64_t known = ex->strings.count;
	uint64_t number = intern(&ex->strings, text, strlen(text))->number;

	if (number == known)
		wrote(ex, OTF2_GlobalDefWriter_WriteString(ex->defs, (OTF2_StringRef)number, text));
	return (OTF2_StringRef)number;
}

/* What a function does, as OTF2 sorts them; the first row whose class and data flow fit. */
static const struct role_row {
	enum call_class class;
	const char *moves; /* begins with; NULL: any */
	OTF2_RegionRole role;
} role_rows[] = {
	{CLASS_POINT_TO_POINT, NULL, OTF2_REGION_ROLE_POINT2POINT},
	{CLASS_PARTITIONED, NULL, OTF2_REGION_ROLE_POINT2POINT},
	{CLASS_REQUEST, NULL, OTF2_REGION_ROLE_POINT2POINT},
	{CLASS_PROBE, NULL, OTF2_REGION_ROLE_POINT2POINT},
	{CLASS_COLLECTIVE, "bcast", OTF2_REGION_ROLE_COLL_ONE2ALL},
	{CLASS_COLLECTIVE, "scatter", OTF2_REGION_ROLE_COLL_ONE2ALL},
	{CLASS_COLLECTIVE, "gather", OTF2_REGION_ROLE_COLL_ALL2ONE},
	{CLASS_COLLECTIVE, "reduce_", OTF2_REGION_ROLE_COLL_ALL2ALL},
	{CLASS_COLLECTIVE, "reduce", OTF2_REGION_ROLE_COLL_ALL2ONE},
	{CLASS_COLLECTIVE, "all", OTF2_REGION_ROLE_COLL_ALL2ALL},
	{CLASS_COLLECTIVE, NULL, OTF2_REGION_ROLE_COLL_OTHER},
	{CLASS_NEIGHBOURHOOD, NULL, OTF2_REGION_ROLE_COLL_OTHER},
	{CLASS_ONE_SIDED, NULL, OTF2_REGION_ROLE_RMA},
	{CLASS_EPOCH, NULL, OTF2_REGION_ROLE_RMA},
	{CLASS_UPC_COLLECTIVE, NULL, OTF2_REGION_ROLE_COLL_OTHER},
	{CLASS_UPC_ACCESS, NULL, OTF2_REGION_ROLE_RMA},
	{CLASS_UPC_ATOMIC, NULL, OTF2_REGION_ROLE_RMA},
	{CLASS_FILE_DATA, NULL, OTF2_REGION_ROLE_FILE_IO},
	{CLASS_FILE, NULL, OTF2_REGION_ROLE_FILE_IO_METADATA},
};

static OTF2_RegionRole region_role_of(const struct call_info *info)
{
	for (size_t i = 0; i < sizeof role_rows / sizeof *role_rows; i++) {
		const struct role_row *row = &role_rows[i];
		if (info->class == row->class && (!row->moves || text_begins(info->moves, row->moves)))
			return row->role;
	}
	return OTF2_REGION_ROLE_FUNCTION;
}

/* MPI_Barrier and its kin move nothing. */
static OTF2_RegionRole function_role(const char *name)
{
	const struct call_info *info = call_find(name);

	if (!info)
		return OTF2_REGION_ROLE_FUNCTION;
	return strstr(name, "arrier") ? OTF2_REGION_ROLE_BARRIER : region_role_of(info);
}

/* A region is known by its name and by who defined it. */
static bool is_new_region(struct exporter *ex, const char *name, char kind, OTF2_RegionRef *number)
{
	struct text key = {0};
	uint64_t known = ex->regions.count;

	text_add(&key, "%c%s", kind, name);
	*number = (OTF2_RegionRef)intern(&ex->regions, key.bytes, key.length)->number;
	text_release(&key);
	return *number == known;
}

static OTF2_Paradigm paradigm_named(const char *name)
{
	const struct call_info *info = call_find(name);

	if (info && call_is_upc(info))
		return OTF2_PARADIGM_UPC;
	return text_begins(name, "MPI_") ? OTF2_PARADIGM_MPI : OTF2_PARADIGM_USER;
}

OTF2_RegionRef define_function(struct exporter *ex, const char *name)
{
	OTF2_RegionRef self;
	OTF2_StringRef text = define_string(ex, name), none = define_string(ex, "");

	if (is_new_region(ex, name, 'f', &self))
		wrote(ex, OTF2_GlobalDefWriter_WriteRegion(
				  ex->defs, self, text, text, none, function_role(name), paradigm_named(name),
				  OTF2_REGION_FLAG_NONE, OTF2_UNDEFINED_STRING, 0, 0));
	return self;
}

OTF2_RegionRef define_user_region(struct exporter *ex, const char *name, bool is_phase,
                                  const struct location *where)
{
	OTF2_RegionRef self;
	OTF2_StringRef text = define_string(ex, name), none = define_string(ex, "");
	OTF2_StringRef file = where->file ? define_string(ex, where->file) : OTF2_UNDEFINED_STRING;

	if (is_new_region(ex, name, is_phase ? 'p' : 'u', &self))
		wrote(ex, OTF2_GlobalDefWriter_WriteRegion(
				  ex->defs, self, text, text, none, OTF2_REGION_ROLE_CODE, OTF2_PARADIGM_USER,
				  is_phase ? OTF2_REGION_FLAG_PHASE : OTF2_REGION_FLAG_NONE, file,
				  where->file ? (uint32_t)where->line : 0, 0));
	return self;
}

OTF2_SourceCodeLocationRef define_place(struct exporter *ex, const char *file, int line)
{
	OTF2_StringRef text = define_string(ex, file);
	uint32_t key[2] = {text, (uint32_t)line};
	uint64_t known = ex->places.count;
	uint64_t number = intern(&ex->places, key, sizeof key)->number;

	if (number == known)
		wrote(ex, OTF2_GlobalDefWriter_WriteSourceCodeLocation(
				  ex->defs, (OTF2_SourceCodeLocationRef)number, text, (uint32_t)line));
	return (OTF2_SourceCodeLocationRef)number;
}

void define_attributes(struct exporter *ex)
{
#define ATTRIBUTE(id, NAME, name, TYPE, description) \
	wrote(ex, OTF2_GlobalDefWriter_WriteAttribute(ex->defs, id, define_string(ex, name), \
	                                              define_string(ex, description), OTF2_TYPE_##TYPE));
	OTF2_ATTRIBUTES(ATTRIBUTE)
#undef ATTRIBUTE
	wrote(ex, OTF2_GlobalDefWriter_WriteParadigm(
			  ex->defs, ex->paradigm,
			  define_string(ex, ex->paradigm == OTF2_PARADIGM_UPC ? "UPC" : "MPI"),
			  OTF2_PARADIGM_CLASS_PROCESS));
}

void define_parameters(struct exporter *ex)
{
	wrote(ex, OTF2_GlobalDefWriter_WriteParameter(ex->defs, PARAMETER_MARK, define_string(ex, "mark"),
	                                              OTF2_PARAMETER_TYPE_STRING));
	wrote(ex, OTF2_GlobalDefWriter_WriteParameter(ex->defs, PARAMETER_RECORD, define_string(ex, "record"),
	                                              OTF2_PARAMETER_TYPE_STRING));
}

/* Only when all events are written is it known when they were. */
void define_clock(struct exporter *ex)
{
	const struct otf2_times *times = &ex->times;
	uint64_t first = times->first == UINT64_MAX ? 0 : times->first;
	uint64_t length = times->last > first ? times->last - first : 0;
	uint64_t date = OTF2_UNDEFINED_TIMESTAMP;

	if (times->start_ns)
		date = times->start_ns + first;
	wrote(ex, OTF2_GlobalDefWriter_WriteClockProperties(ex->defs, OTF2_TICKS_PER_SECOND, first, length,
	                                                    date));
}
