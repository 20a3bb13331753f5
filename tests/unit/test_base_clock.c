/* The processor's counter: its assumed frequency, and when it is not usable as a clock. */
#include "base/clock.h"
#include "base/machine.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static void a_stated_frequency_is_checked(void **state)
{
	(void)state;
	assert_int_equal(clock_believed(2500000000, 2500000900),
	                 2500000000); /* stated, which is more exact */
	assert_int_equal(clock_believed(2500000000, 2499000000), 2500000000);
	assert_int_equal(clock_believed(2500000000, 2400000000), 2400000000); /* another machine's */
	assert_int_equal(clock_believed(24000000, 2400000000), 2400000000);
	assert_int_equal(clock_believed(0, 2400000123), 2400000123);
}

static void the_kernel_knows_an_unstable_counter(void **state)
{
	(void)state;
	assert_true(machine_sources_trust_counter("tsc", "tsc hpet acpi_pm"));
	assert_true(machine_sources_trust_counter("tsc", ""));
	assert_false(machine_sources_trust_counter("hpet", "hpet acpi_pm"));
	assert_true(machine_sources_trust_counter("kvm-clock", "kvm-clock tsc acpi_pm"));
	assert_true(machine_sources_trust_counter("kvm-clock", "tsc kvm-clock"));
	assert_false(machine_sources_trust_counter("kvm-clock", "kvm-clock hpet acpi_pm"));
	assert_false(machine_sources_trust_counter("xen", "xen tsc-early"));
	assert_false(
		machine_sources_trust_counter("hyperv_clocksource_tsc_page", "hyperv_clocksource_tsc_page"));
	assert_true(machine_sources_trust_counter("kvm-clock", "")); /* the list cannot be read */
	assert_true(machine_sources_trust_counter("arch_sys_counter", "arch_sys_counter"));
}

/* Whatever the frequency, a tick is about a nanosecond, or as long as the counter makes it. */
static void ticks_are_no_shorter_than_a_nanosecond_needs(void **state)
{
	(void)state;
	assert_int_equal(clock_spare_bits(25000000), 0);
	assert_int_equal(clock_spare_bits(1000000000), 0);
	assert_int_equal(clock_spare_bits(1020000000), 0);
	assert_int_equal(clock_spare_bits(2000000000), 1);
	assert_int_equal(clock_spare_bits(2500000000), 2);
	assert_int_equal(clock_spare_bits(3000000000), 2);
	assert_int_equal(clock_spare_bits(5000000000), 3);
	for (uint64_t frequency = 1020000000; frequency < UINT64_C(50000000000); frequency += 37000001) {
		uint64_t rate = frequency >> clock_spare_bits(frequency);

		assert_in_range(rate, 510000000, 1020000000);
	}
}

static void the_measured_frequency_is_that_of_the_counter(void **state)
{
	(void)state;
	assert_in_range(clock_frequency(), 1000000, UINT64_C(20000000000));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_stated_frequency_is_checked),
		cmocka_unit_test(the_kernel_knows_an_unstable_counter),
		cmocka_unit_test(ticks_are_no_shorter_than_a_nanosecond_needs),
		cmocka_unit_test(the_measured_frequency_is_that_of_the_counter),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
