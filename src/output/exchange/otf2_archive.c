#include "base/memory.h"
#include "output/exchange/otf2_exporter.h"

#include <stdlib.h>

/* The library would print. What goes wrong is told by status codes all the same. */
static OTF2_ErrorCode keep_silent(void *context, const char *file, uint64_t line, const char *function,
                                  OTF2_ErrorCode code, const char *format, va_list args)
{
	(void)context, (void)file, (void)line, (void)function, (void)format, (void)args;
	return code;
}

void otf2_silence(void)
{
	OTF2_Error_RegisterCallback(keep_silent, NULL);
}

static OTF2_FlushType before_flush(void *context, OTF2_FileType type, OTF2_LocationRef location, void *caller,
                                   bool final)
{
	(void)context, (void)type, (void)location, (void)caller, (void) final;
	return OTF2_FLUSH;
}

static const OTF2_FlushCallbacks flush_callbacks = {.otf2_pre_flush = before_flush};

static enum status told(OTF2_ErrorCode code)
{
	return code == OTF2_SUCCESS ? OK
	                            : fail("cannot write the archive: %s", OTF2_Error_GetDescription(code));
}

enum status exporter_open(struct exporter *ex, const char *folder)
{
	otf2_silence();
	ex->archive = OTF2_Archive_Open(folder, OTF2_ARCHIVE, OTF2_FILEMODE_WRITE,
	                                OTF2_CHUNK_SIZE_EVENTS_DEFAULT, OTF2_CHUNK_SIZE_DEFINITIONS_DEFAULT,
	                                OTF2_SUBSTRATE_POSIX, OTF2_COMPRESSION_NONE);
	if (!ex->archive)
		return fail("cannot create an archive in '%s'", folder);
	wrote(ex, OTF2_Archive_SetFlushCallbacks(ex->archive, &flush_callbacks, NULL));
	wrote(ex, OTF2_Archive_SetSerialCollectiveCallbacks(ex->archive));
	wrote(ex, OTF2_Archive_SetCreator(ex->archive, "tarry"));
	wrote(ex, OTF2_Archive_OpenEvtFiles(ex->archive));
	wrote(ex, OTF2_Archive_OpenDefFiles(ex->archive));
	ex->defs = OTF2_Archive_GetGlobalDefWriter(ex->archive);
	return ex->defs ? told(ex->failed) : fail("cannot write definitions into '%s'", folder);
}

enum status exporter_close(struct exporter *ex)
{
	if (!ex->archive)
		return OK;
	wrote(ex, OTF2_Archive_CloseEvtFiles(ex->archive));
	wrote(ex, OTF2_Archive_CloseDefFiles(ex->archive));
	wrote(ex, OTF2_Archive_CloseGlobalDefWriter(ex->archive, ex->defs));
	wrote(ex, OTF2_Archive_Close(ex->archive));
	return told(ex->failed);
}
