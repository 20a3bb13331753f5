#include "analysis/rules/native.h"

#define TYPE_OF_BOOL \
	{ \
		.base = TYPE_BOOL \
	}
#define TYPE_OF_COUNT \
	{ \
		.base = TYPE_NUMBER \
	}
#define TYPE_OF_TIME \
	{ \
		.base = TYPE_NUMBER, .seconds = 1 \
	}
#define TYPE_OF_ESTIMATE \
	{ \
		.base = TYPE_NUMBER, .seconds = 1, .is_late = true \
	}
#define TYPE_OF_INSTANT \
	{ \
		.base = TYPE_NUMBER, .seconds = 1, .is_instant = true \
	}
#define TYPE_OF_BYTES \
	{ \
		.base = TYPE_NUMBER, .bytes = 1 \
	}
#define TYPE_OF_RANK \
	{ \
		.base = TYPE_RANK \
	}
#define TYPE_OF_TEXT \
	{ \
		.base = TYPE_TEXT \
	}
#define TYPE_OF_FUNCTION \
	{ \
		.base = TYPE_FUNCTION \
	}
#define TYPE_OF_PLACE \
	{ \
		.base = TYPE_PLACE \
	}
#define TYPE_OF_EVENT \
	{ \
		.base = TYPE_EVENT \
	}
#define IDENTITY_OF(kind) \
	{ \
		.base = TYPE_IDENTITY, .thing = kind \
	}
#define TYPE_OF_EVENT_ID IDENTITY_OF(THING_EVENT)
#define TYPE_OF_PROCESS IDENTITY_OF(THING_PROCESS)
#define TYPE_OF_THREAD IDENTITY_OF(THING_THREAD)
#define TYPE_OF_NODE IDENTITY_OF(THING_NODE)
#define TYPE_OF_COMM IDENTITY_OF(THING_COMM)
#define TYPE_OF_WINDOW IDENTITY_OF(THING_WINDOW)
#define TYPE_OF_FILE IDENTITY_OF(THING_FILE)
#define TYPE_OF_REQUEST IDENTITY_OF(THING_REQUEST)
#define TYPE_OF_MUTEX IDENTITY_OF(THING_MUTEX)
#define TYPE_OF_INSTANCE IDENTITY_OF(THING_INSTANCE)
#define TYPE_OF_COMPLETION IDENTITY_OF(THING_COMPLETION)
#define TYPE_OF_PHASE IDENTITY_OF(THING_PHASE)

const struct native_value call_columns[] = {
#define CALL(NAME, text, type, what) {RELATION_CALL, text, TYPE_OF_##type, what},
	CALL_COLUMNS(CALL)
#undef CALL
};

const struct native_value native_columns[] = {
#define NATIVE(RELATION, NAME, text, type, what) {RELATION_##RELATION, text, TYPE_OF_##type, what},
	NATIVE_COLUMNS(NATIVE)
#undef NATIVE
};

const struct native_value run_figures[] = {
#define RUN(NAME, text, type, what) {RELATIONS_END, text, TYPE_OF_##type, what},
	RUN_FIGURES(RUN)
#undef RUN
};

const struct native_relation native_relations[] = {
#define RELATION(NAME, text, what) {text, what},
	RELATIONS(RELATION)
#undef RELATION
};
