/* The tool interface, in which both implementations agree. Needs <stdarg.h>, which not both include. */
#ifndef GASP_INTERFACE_H
#define GASP_INTERFACE_H

#define GASP_VERSION 20060914

typedef enum {
	GASP_MODEL_UPC,
	GASP_MODEL_TITANIUM,
	GASP_MODEL_CAF,
	GASP_MODEL_MPI,
	GASP_MODEL_SHMEM
} gasp_model_t;
typedef enum { GASP_START, GASP_END, GASP_ATOMIC } gasp_evttype_t;
typedef struct _gasp_context_S *gasp_context_t;

gasp_context_t gasp_init(gasp_model_t srcmodel, int *argc, char ***argv);
void gasp_event_notify(gasp_context_t context, unsigned evttag, gasp_evttype_t type, const char *filename,
                       int linenum, int colnum, ...);
void gasp_event_notifyVA(gasp_context_t context, unsigned evttag, gasp_evttype_t type, const char *filename,
                         int linenum, int colnum, va_list arguments);
int gasp_control(gasp_context_t context, int on);
unsigned gasp_create_event(gasp_context_t context, const char *name, const char *desc);

#endif
