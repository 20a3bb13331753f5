#include "base/disclosure.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void only_what_mpi_goes_by_is_recorded(void **state)
{
	static const struct {
		const char *variable;
		enum disclosure disclosure;
	} cases[] = {
		{"OMPI_MCA_btl=self", DISCLOSE_ALL},
		{"MPICH_ASYNC_PROGRESS=1", DISCLOSE_ALL},
		{"PMI_RANK=0", DISCLOSE_ALL},
		{"I_MPI_FABRICS=shm", DISCLOSE_ALL},
		{"FI_PROVIDER=tcp", DISCLOSE_ALL},
		{"UCX_TLS=all", DISCLOSE_ALL},
		{"SLURM_JOB_ID=7", DISCLOSE_ALL},
		{"SLURM_NTASKS_PER_NODE=7", DISCLOSE_ALL},
		{"OMP_NUM_THREADS=4", DISCLOSE_ALL},
		{"LD_LIBRARY_PATH=/opt", DISCLOSE_ALL},
		{"TARRY_RUN=1", DISCLOSE_ALL},
		/* All that a shell exports besides. */
		{"HOME=/home/u", DISCLOSE_NOTHING},
		{"PATH=/bin", DISCLOSE_NOTHING},
		{"SSH_CLIENT=10.0.0.1", DISCLOSE_NOTHING},
		{"SLURM_JOB_USER=u", DISCLOSE_NOTHING},
		{"SLURM_JOB_IDENTITY=u", DISCLOSE_NOTHING},
		{"MY_OMP_THREADS=4", DISCLOSE_NOTHING},
		{"LD_LIBRARY_PATHS=/opt", DISCLOSE_NOTHING},
		{"omp_num_threads=4", DISCLOSE_NOTHING},
		{"GITHUB_TOKEN=x", DISCLOSE_NOTHING},
		{"", DISCLOSE_NOTHING},
		{"=x", DISCLOSE_NOTHING},
		/* Of the right kind, and still a secret. */
		{"OMPI_MCA_auth_token=x", DISCLOSE_NAME},
		{"PMIX_SERVER_KEY=x", DISCLOSE_NAME},
		{"SLURM_STEP_COOKIE=x", DISCLOSE_NAME},
		{"UCX_Password=x", DISCLOSE_NAME},
		{"OMPI_ARGV=--password x", DISCLOSE_NAME},
		{"TARRY_CLOCK=host 1 key", DISCLOSE_NAME},
		/* As Open MPI, PMIx and Hydra export them to each process. */
		{"OMPI_MCA_orte_precondition_transports=295f5a81-a602d74c", DISCLOSE_NAME},
		{"PRTE_MCA_prte_precondition_transports=295f5a81-a602d74c", DISCLOSE_NAME},
		{"OMPI_MCA_orte_hnp_uri=569573376.0;tcp://192.0.2.2:50179", DISCLOSE_NAME},
		{"OMPI_MCA_orte_local_daemon_uri=569573376.0;tcp://192.0.2.2:50179", DISCLOSE_NAME},
		{"PMIX_SERVER_URI41=569573376.0;tcp4://127.0.0.1:45261", DISCLOSE_NAME},
		{"PMI_PORT=node7:41234", DISCLOSE_NAME},
		{"I_MPI_HYDRA_UUID=70001", DISCLOSE_NAME},
		{"PMIX_NAMESPACE=569573377", DISCLOSE_ALL},
		{"PMIX_SECURITY_MODE=native", DISCLOSE_ALL},
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		assert_int_equal(variable_disclosure(cases[i].variable, strcspn(cases[i].variable, "=")),
		                 cases[i].disclosure);
}

static void arguments_that_follow_a_secret_word_are_masked(void **state)
{
	static const char *const cases[][2] = {
		{"./app", "./app"},
		{"--password", "--password"},
		{"hunter2", "***"},
		{"input.dat", "input.dat"},
		{"--token=abc", "--token=***"},
		{"input.dat", "input.dat"},
		{"--api_key", "--api_key"},
		{"--secret", "***"},
		{"input.dat", "input.dat"},
		{"-p", "-p"},
		{"5", "5"},
		{"--passes", "--passes"},
		{"6", "6"},
		{"DB_PASSWORD=abc", "DB_PASSWORD=***"},
		{"--DB-Credentials", "--DB-Credentials"},
		{"", "***"},
		{"token", "token"},
		{"x=token", "x=token"},
		{"--secret-file", "--secret-file"},
	};
	bool is_secret = false;
	char masked[64];

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		assert_string_equal(argument_disclose(cases[i][0], &is_secret, masked, sizeof masked),
		                    cases[i][1]);
}

static void what_is_masked_has_room(void **state)
{
	bool is_secret = false;
	char masked[8];

	(void)state;
	assert_string_equal(argument_disclose("--password=x", &is_secret, masked, sizeof masked), "--passw");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(only_what_mpi_goes_by_is_recorded),
		cmocka_unit_test(arguments_that_follow_a_secret_word_are_masked),
		cmocka_unit_test(what_is_masked_has_room),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
