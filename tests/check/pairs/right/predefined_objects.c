/* pair: check=none ranks=1
 *
 * Predefined objects of MPI, as functions take and return them. They need not be freed. */
#include "../pair.h"

/* What MPI_Type_get_contents returns of a copy is the type itself. */
static void unpacked(MPI_Datatype type)
{
	MPI_Datatype copy, part = MPI_DATATYPE_NULL;
	int number;
	MPI_Aint address;

	if (type == MPI_DATATYPE_NULL)
		return;
	MPI_Type_dup(type, &copy);
	MPI_Type_get_contents(copy, 0, 0, 1, &number, &address, &part);
	MPI_Type_free(&copy);
	expect(part == type);
}

static const MPI_Datatype types[] = {
	MPI_CHAR,
	MPI_SIGNED_CHAR,
	MPI_UNSIGNED_CHAR,
	MPI_BYTE,
	MPI_PACKED,
	MPI_WCHAR,
	MPI_SHORT,
	MPI_UNSIGNED_SHORT,
	MPI_INT,
	MPI_UNSIGNED,
	MPI_LONG,
	MPI_UNSIGNED_LONG,
	MPI_LONG_LONG,
	MPI_LONG_LONG_INT,
	MPI_UNSIGNED_LONG_LONG,
	MPI_FLOAT,
	MPI_DOUBLE,
	MPI_LONG_DOUBLE,
	MPI_C_BOOL,
	MPI_INT8_T,
	MPI_INT16_T,
	MPI_INT32_T,
	MPI_INT64_T,
	MPI_UINT8_T,
	MPI_UINT16_T,
	MPI_UINT32_T,
	MPI_UINT64_T,
	MPI_C_COMPLEX,
	MPI_C_FLOAT_COMPLEX,
	MPI_C_DOUBLE_COMPLEX,
	MPI_C_LONG_DOUBLE_COMPLEX,
	MPI_AINT,
	MPI_COUNT,
	MPI_OFFSET,
	MPI_FLOAT_INT,
	MPI_DOUBLE_INT,
	MPI_LONG_INT,
	MPI_SHORT_INT,
	MPI_2INT,
	MPI_LONG_DOUBLE_INT,
	MPI_CXX_BOOL,
	MPI_CXX_FLOAT_COMPLEX,
	MPI_CXX_DOUBLE_COMPLEX,
	MPI_CXX_LONG_DOUBLE_COMPLEX,
	MPI_INTEGER,
	MPI_REAL,
	MPI_DOUBLE_PRECISION,
	MPI_COMPLEX,
	MPI_DOUBLE_COMPLEX,
	MPI_LOGICAL,
	MPI_CHARACTER,
	MPI_2REAL,
	MPI_2DOUBLE_PRECISION,
	MPI_2INTEGER,
	MPI_INTEGER1,
	MPI_INTEGER2,
	MPI_INTEGER4,
	MPI_INTEGER8,
	MPI_REAL4,
	MPI_REAL8,
	MPI_REAL16,
	MPI_COMPLEX8,
	MPI_COMPLEX16,
	MPI_COMPLEX32,
#ifdef MPI_INTEGER16
	MPI_INTEGER16,
#endif
#ifdef MPI_LOGICAL1
	MPI_LOGICAL1,
	MPI_LOGICAL2,
	MPI_LOGICAL4,
	MPI_LOGICAL8,
#endif
#ifdef MPIX_C_FLOAT16
	MPIX_C_FLOAT16,
#endif
};

static void datatypes(void)
{
	for (size_t i = 0; i < sizeof types / sizeof *types; i++)
		unpacked(types[i]);
}

/* The view of a file has the types that it was set with. */
static void view(MPI_Datatype type)
{
	MPI_Datatype etype, filetype;
	MPI_Offset offset;
	MPI_File file;
	char name[MPI_MAX_DATAREP_STRING];

	MPI_File_open(MPI_COMM_SELF, "predefined", MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE,
	              MPI_INFO_NULL, &file);
	MPI_File_set_view(file, 0, type, type, "native", MPI_INFO_NULL);
	MPI_File_get_view(file, &offset, &etype, &filetype, name);
	expect(etype == type && filetype == type);
	MPI_File_close(&file);
}

static void operations(void)
{
	const MPI_Op all[] = {MPI_MAX, MPI_MIN,  MPI_SUM,  MPI_PROD,   MPI_LAND,   MPI_BAND,    MPI_LOR,
	                      MPI_BOR, MPI_LXOR, MPI_BXOR, MPI_MAXLOC, MPI_MINLOC, MPI_REPLACE, MPI_NO_OP};

	for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
		int commutes = 1;

		MPI_Op_commutative(all[i], &commutes);
		expect(commutes || all[i] == MPI_REPLACE || all[i] == MPI_NO_OP);
		expect(MPI_Op_f2c(MPI_Op_c2f(all[i])) == all[i]);
	}
}

static void null_handles(void)
{
	expect(MPI_Comm_f2c(MPI_Comm_c2f(MPI_COMM_NULL)) == MPI_COMM_NULL);
	expect(MPI_Type_f2c(MPI_Type_c2f(MPI_DATATYPE_NULL)) == MPI_DATATYPE_NULL);
	expect(MPI_Group_f2c(MPI_Group_c2f(MPI_GROUP_NULL)) == MPI_GROUP_NULL);
	expect(MPI_Op_f2c(MPI_Op_c2f(MPI_OP_NULL)) == MPI_OP_NULL);
	expect(MPI_Win_f2c(MPI_Win_c2f(MPI_WIN_NULL)) == MPI_WIN_NULL);
	expect(MPI_File_f2c(MPI_File_c2f(MPI_FILE_NULL)) == MPI_FILE_NULL);
	expect(MPI_Info_f2c(MPI_Info_c2f(MPI_INFO_NULL)) == MPI_INFO_NULL);
	expect(MPI_Request_f2c(MPI_Request_c2f(MPI_REQUEST_NULL)) == MPI_REQUEST_NULL);
	expect(MPI_Errhandler_f2c(MPI_Errhandler_c2f(MPI_ERRHANDLER_NULL)) == MPI_ERRHANDLER_NULL);
	expect(MPI_Message_f2c(MPI_Message_c2f(MPI_MESSAGE_NULL)) == MPI_MESSAGE_NULL);
}

static void others(void)
{
	char name[MPI_MAX_OBJECT_NAME], value[MPI_MAX_INFO_VAL];
	int length, there, result;
	MPI_Message message;
	MPI_Errhandler handler;

	MPI_Comm_get_name(MPI_COMM_SELF, name, &length);
	MPI_Group_compare(MPI_GROUP_EMPTY, MPI_GROUP_EMPTY, &result);
	expect(result == MPI_IDENT);
	MPI_Info_get(MPI_INFO_ENV, "maxprocs", MPI_MAX_INFO_VAL - 1, value, &there);
	MPI_Mprobe(MPI_PROC_NULL, 0, MPI_COMM_WORLD, &message, MPI_STATUS_IGNORE);
	expect(message == MPI_MESSAGE_NO_PROC);
	MPI_Mrecv(NULL, 0, MPI_INT, &message, MPI_STATUS_IGNORE);
	MPI_File_get_errhandler(MPI_FILE_NULL, &handler);
	expect(handler == MPI_ERRORS_RETURN);
	MPI_Errhandler_free(&handler);
	MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
	MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_ARE_FATAL);
}

int main(int argc, char **argv)
{
	start(&argc, &argv);
	datatypes();
	view(MPI_C_BOOL);
	view(MPI_INTEGER);
#ifdef MPI_LOGICAL1
	view(MPI_LOGICAL1);
#endif
	operations();
	null_handles();
	others();
	return finish();
}
