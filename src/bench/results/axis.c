#include "bench/results/axis.h"

#include <math.h>

static const double MUCH = 8; /* the ratio from which times and rates get logarithms */
static const double ROOM = 0.04;
static const double ZERO_BYTES = 0.5; /* the place of 0 among powers of two */
static const double LARGEST = 1e30;   /* what is beyond, no machine measures: it lies at the end */

static double logarithm(const struct axis *axis, double value)
{
	return axis->scale == SCALE_LOG2 ? log2(value) : log10(value);
}

/* 1, 2 or 5 times a power of ten, at least as large as this. */
static double round_up(double value)
{
	double power = pow(10, floor(log10(value)));
	static const double STEPS[] = {1, 2, 5, 10};

	for (size_t i = 0; i < 4; i++) {
		if (value <= STEPS[i] * power * (1 + 1e-9))
			return STEPS[i] * power;
	}
	return 10 * power;
}

static void fit_logarithms(struct axis *axis, double low, double high)
{
	double room;

	low = fmax(low, 1 / LARGEST);
	high = fmax(high, low);
	room = log(high / low) * ROOM;

	if (!(room > 0.02))
		room = 0.5;
	axis->low = low / exp(room);
	axis->high = high * exp(room);
}

static void fit_from_zero(struct axis *axis, double high)
{
	axis->low = 0;
	axis->high = high > 1 / LARGEST ? high * (1 + 2 * ROOM) : 1;
}

static void fit_around(struct axis *axis, double low, double high)
{
	double room = (high - low) * ROOM;

	if (!(room > 0))
		room = low != 0 ? fabs(low) / 2 : 1;
	axis->low = low - room;
	axis->high = high + room;
}

static void choose_scale(struct axis *axis, double low, double high)
{
	bool is_wide = low > 0 && high / low > MUCH;

	axis->scale = SCALE_LINEAR;
	if (axis->unit == UNIT_BYTES || (is_wide && (axis->unit == UNIT_COUNT || axis->unit == UNIT_MEMORY)))
		axis->scale = SCALE_LOG2;
	else if (is_wide && (axis->unit == UNIT_SECONDS || axis->unit == UNIT_RATE))
		axis->scale = SCALE_LOG10;
}

void axis_fit(struct axis *axis, double low, double high)
{
	if (!isfinite(low) || !isfinite(high) || low > high)
		low = high = 1;
	low = fmin(fmax(low, -LARGEST), LARGEST);
	high = fmin(fmax(high, -LARGEST), LARGEST);
	choose_scale(axis, low, high);
	if (axis->unit == UNIT_BYTES)
		fit_logarithms(axis, fmax(low, ZERO_BYTES), fmax(high, ZERO_BYTES));
	else if (axis->scale != SCALE_LINEAR)
		fit_logarithms(axis, low, high);
	else if (axis->unit == UNIT_PERCENT)
		fit_from_zero(axis, fmax(high, 1) / (1 + ROOM));
	else if (axis->unit == UNIT_SECONDS || axis->unit == UNIT_RATE || axis->unit == UNIT_MEMORY)
		fit_from_zero(axis, high);
	else
		fit_around(axis, low, high);
}

bool axis_has(const struct axis *axis, double value)
{
	return isfinite(value) && (value > 0 || axis->scale == SCALE_LINEAR || axis->unit == UNIT_BYTES);
}

double axis_share(const struct axis *axis, double value)
{
	double low = axis->low, high = axis->high;

	if (axis->unit == UNIT_BYTES)
		value = fmax(value, ZERO_BYTES);
	if (axis->scale != SCALE_LINEAR) {
		low = logarithm(axis, low);
		high = logarithm(axis, high);
		value = logarithm(axis, value);
	}
	return fmin(fmax((value - low) / (high - low), 0), 1);
}

struct prefix {
	double factor;
	const char *name;
};

static const struct prefix SECONDS[] = {{1, "s"}, {1e-3, "ms"}, {1e-6, "µs"}, {1e-9, "ns"}, {0, NULL}};
static const struct prefix RATES[] = {{1e12, "TB/s"}, {1e9, "GB/s"}, {1e6, "MB/s"},
                                      {1e3, "kB/s"},  {1, "B/s"},    {0, NULL}};
static const struct prefix SIZES[] = {{0x1p60, "E"}, {0x1p50, "P"}, {0x1p40, "T"}, {0x1p30, "G"},
                                      {0x1p20, "M"}, {0x1p10, "K"}, {1, ""},       {0, NULL}};

/* The one in which a value like `typical` has few digits. */
static const struct prefix *choose_prefix(const struct prefix *table, double typical)
{
	while (table[1].name && fabs(typical) < table->factor * (1 - 1e-9))
		table++;
	return table;
}

static void add_tick(struct tick *ticks, size_t *count, double value, bool is_labelled)
{
	if (*count < TICKS_MAX)
		ticks[(*count)++] = (struct tick){value, is_labelled};
}

/* Of a scale whose labels are in units of this. */
static double linear_step(const struct axis *axis, size_t labels, double unit)
{
	return round_up((axis->high - axis->low) / (double)labels / unit) * unit;
}

static size_t linear_ticks(const struct axis *axis, size_t labels, struct tick *ticks)
{
	double unit = axis->unit == UNIT_MEMORY ? choose_prefix(SIZES, axis->high)->factor : 1;
	double step = linear_step(axis, labels, unit), first;
	size_t count = 0;

	if (axis->unit == UNIT_COUNT && step < 1)
		step = 1;
	first = ceil(axis->low / step);
	while (count < TICKS_MAX && (first + (double)count) * step <= axis->high)
		add_tick(ticks, &count, (first + (double)count) * step + 0.0, true);
	return count;
}

/* So that 1, 1K, 1M are among them. */
static int power_step(int powers, size_t labels)
{
	static const int STEPS[] = {1, 2, 5, 10, 20, 50, 100};

	for (size_t i = 0; i < sizeof(STEPS) / sizeof(*STEPS); i++) {
		if (powers <= STEPS[i] * (int)labels)
			return STEPS[i];
	}
	return 200;
}

static size_t power_ticks(const struct axis *axis, double base, size_t labels, struct tick *ticks)
{
	int from = (int)ceil(logarithm(axis, axis->low) - 1e-9);
	int to = (int)floor(logarithm(axis, axis->high) + 1e-9);
	int step = power_step(to - from + 1, labels);
	bool is_dense = to - from >= TICKS_MAX;
	size_t count = 0;

	for (int n = from; n <= to; n++) {
		bool is_labelled = n % step == 0 || (axis->unit == UNIT_BYTES && n == -1);

		if (is_labelled || !is_dense)
			add_tick(ticks, &count, pow(base, n), is_labelled);
	}
	return count;
}

/* 2 to 9 times each power of ten; with labels at 2 and 5 when there are few powers. */
static size_t decimal_ticks(const struct axis *axis, bool with_labels, struct tick *ticks)
{
	int from = (int)floor(log10(axis->low)), to = (int)ceil(log10(axis->high));
	size_t count = 0;

	for (int n = from; n <= to; n++) {
		for (int i = 1; i < 10; i++) {
			double value = i * pow(10, n);

			if (value >= axis->low && value <= axis->high)
				add_tick(ticks, &count, value, i == 1 || (with_labels && (i == 2 || i == 5)));
		}
	}
	return count;
}

size_t axis_ticks(const struct axis *axis, size_t labels, struct tick ticks[TICKS_MAX])
{
	double decades;

	if (axis->scale == SCALE_LINEAR)
		return linear_ticks(axis, labels, ticks);
	if (axis->scale == SCALE_LOG2)
		return power_ticks(axis, 2, labels, ticks);
	decades = log10(axis->high / axis->low);
	if (decades > (double)labels)
		return power_ticks(axis, 10, labels, ticks);
	return decimal_ticks(axis, decades < 2.5, ticks);
}

void axis_label(const struct axis *axis, double value, struct text *out)
{
	double typical = axis->scale == SCALE_LINEAR ? axis->high : value;
	const struct prefix *prefix;

	if (axis->unit == UNIT_SECONDS || axis->unit == UNIT_RATE) {
		prefix = choose_prefix(axis->unit == UNIT_SECONDS ? SECONDS : RATES, typical);
		text_add(out, "%.4g %s", value / prefix->factor, prefix->name);
	} else if (axis->unit == UNIT_BYTES || axis->unit == UNIT_MEMORY) {
		value = value <= ZERO_BYTES ? 0 : value;
		prefix = choose_prefix(SIZES, value);
		text_add(out, "%.4g%s", value / prefix->factor, prefix->name);
	} else if (axis->unit == UNIT_PERCENT) {
		text_add(out, "%.4g %%", value * 100);
	} else {
		text_add(out, "%.10g", value);
	}
}

static void add_bytes(struct text *out, double value)
{
	if (fabs(value) < 0x1p63) {
		text_add(out, "%s", value < 0 ? "-" : "");
		text_add_size(out, (uint64_t)fabs(value));
	} else {
		text_add(out, "%.3g bytes", value);
	}
}

void add_value(struct text *out, enum unit unit, double value)
{
	const struct prefix *prefix;

	if (!isfinite(value)) {
		text_add(out, "unknown");
	} else if (unit == UNIT_SECONDS || unit == UNIT_RATE) {
		prefix = choose_prefix(unit == UNIT_SECONDS ? SECONDS : RATES, value);
		text_add(out, "%.4g %s", value / prefix->factor, prefix->name);
	} else if (unit == UNIT_BYTES || unit == UNIT_MEMORY) {
		add_bytes(out, value);
	} else if (unit == UNIT_PERCENT) {
		text_add(out, "%.3g %%", value * 100);
	} else {
		text_add(out, "%.4g", value);
	}
}
