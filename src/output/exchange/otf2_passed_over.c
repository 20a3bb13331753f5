/* Records that a trace has no place for are counted. */
#include "output/exchange/otf2_thread.h"

/* PASSED(Name, NOTE, parameters behind the common ones) */
#define PASSED_OVER(PASSED) \
	PASSED(Metric, METRICS, OTF2_MetricRef a, uint8_t b, const OTF2_Type *c, const OTF2_MetricValue *d) \
	PASSED(ParameterInt, OTHERS, OTF2_ParameterRef a, int64_t b) \
	PASSED(ParameterUnsignedInt, OTHERS, OTF2_ParameterRef a, uint64_t b) \
	PASSED(ThreadFork, THREADS, OTF2_Paradigm a, uint32_t b) \
	PASSED(ThreadJoin, THREADS, OTF2_Paradigm a) \
	PASSED(ThreadTeamBegin, THREADS, OTF2_CommRef a) \
	PASSED(ThreadTeamEnd, THREADS, OTF2_CommRef a) \
	PASSED(ThreadAcquireLock, THREADS, OTF2_Paradigm a, uint32_t b, uint32_t c) \
	PASSED(ThreadReleaseLock, THREADS, OTF2_Paradigm a, uint32_t b, uint32_t c) \
	PASSED(ThreadTaskCreate, THREADS, OTF2_CommRef a, uint32_t b, uint32_t c) \
	PASSED(ThreadTaskSwitch, THREADS, OTF2_CommRef a, uint32_t b, uint32_t c) \
	PASSED(ThreadTaskComplete, THREADS, OTF2_CommRef a, uint32_t b, uint32_t c) \
	PASSED(CallingContextSample, SAMPLES, OTF2_CallingContextRef a, uint32_t b, \
	       OTF2_InterruptGeneratorRef c) \
	PASSED(BufferFlush, OTHERS, OTF2_TimeStamp a) \
	PASSED(RmaTryLock, OTHERS, OTF2_RmaWinRef a, uint32_t b, uint64_t c, OTF2_LockType d) \
	PASSED(RmaWaitChange, OTHERS, OTF2_RmaWinRef a) \
	PASSED(IoSeek, OTHERS, OTF2_IoHandleRef a, int64_t b, OTF2_IoSeekOption c, uint64_t d) \
	PASSED(IoDuplicateHandle, OTHERS, OTF2_IoHandleRef a, OTF2_IoHandleRef b, OTF2_IoStatusFlag c) \
	PASSED(IoDeleteFile, OTHERS, OTF2_IoParadigmRef a, OTF2_IoFileRef b)

/* The parameters have no meaning here. */
#pragma GCC diagnostic ignored "-Wunused-parameter"

#define PASSED(Name, NOTE, ...) \
	static OTF2_CallbackCode passed_##Name(OTF2_LocationRef location, OTF2_TimeStamp time, \
	                                       uint64_t position, void *context, \
	                                       OTF2_AttributeList *attributes, __VA_ARGS__) \
	{ \
		struct thread_reader *reader = context; \
\
		reader->im->counts[NOTE_##NOTE]++; \
		return OTF2_CALLBACK_SUCCESS; \
	}
PASSED_OVER(PASSED)
#undef PASSED

void set_passed_over_callbacks(OTF2_EvtReaderCallbacks *callbacks)
{
#define PASSED(Name, NOTE, ...) OTF2_EvtReaderCallbacks_Set##Name##Callback(callbacks, passed_##Name);
	PASSED_OVER(PASSED)
#undef PASSED
}
