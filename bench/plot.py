"""Line plots as SVG, for docs/plots.

    lines("docs/plots/x.svg", "Bcast", ("bytes", "us"), {"ours": [(1, 2.5), (16, 3.0)]}, log_x=2, log_y=10)"""

import math

SVG = "http://www.w3.org/2000/svg"
WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 560, 330, 62, 16, 34, 78
COLOURS = ("#0068a8", "#d1490a", "#2f7d32", "#7b4ea3", "#8a8f98", "#000000", "#b5179e")
DASHES = ("", "6 3", "2 3", "8 3 2 3", "1 3", "12 4", "4 2 1 2")
TICKS = 6
LEGEND_COLUMNS, LEGEND_ROWS, LEGEND_STEP = 3, 2, 16  # in HEIGHT there is room for so many rows


class Axis:
    """From values to places; with a base, logarithmic."""

    def __init__(self, values, base, begin, end):
        self.base, self.begin, self.end = base, begin, end
        low, high = min(values), max(values)
        self.low, self.high = (self.scale(low), self.scale(high)) if base else (min(0, low), high * 1.05)
        if self.high <= self.low:
            self.high = self.low + 1

    def scale(self, value):
        return math.log(value, self.base) if self.base else value

    def place(self, value):
        return self.begin + (self.scale(value) - self.low) / (self.high - self.low) * (self.end - self.begin)

    def ticks(self):
        if self.base:
            first, last = math.ceil(self.low - 1e-9), math.floor(self.high + 1e-9)
            step = max(1, math.ceil((last - first) / TICKS))
            factors = (1, 2, 5) if self.base == 10 and last - first < 2 else (1,)
            ticks = [factor * self.base ** power for power in range(first - 1, last + 1, step) for factor in factors]
            return [tick for tick in ticks if self.low - 1e-9 <= self.scale(tick) <= self.high + 1e-9]
        raw = (self.high - self.low) / TICKS
        power = 10 ** math.floor(math.log10(raw))
        step = next(factor * power for factor in (1, 2, 5, 10) if factor * power >= raw)
        return [step * number for number in range(math.ceil(self.low / step - 1e-9), math.floor(self.high / step + 1e-9) + 1)]


def label(value):
    for size, letter in ((1 << 20, "M"), (1 << 10, "K")):
        if value >= size and value % size == 0:
            return f"{value // size:g}{letter}"
    return f"{value:g}"


def grid(x, y, names):
    parts = []
    for tick in y.ticks():
        parts.append(f'<path d="M{LEFT} {y.place(tick):.1f}H{WIDTH - RIGHT}" stroke="#e4e7eb"/>'
                     f'<text x="{LEFT - 6}" y="{y.place(tick) + 4:.1f}" text-anchor="end">{tick:g}</text>')
    for tick in x.ticks():
        parts.append(f'<path d="M{x.place(tick):.1f} {TOP}V{HEIGHT - BOTTOM}" stroke="#f0f2f4"/>'
                     f'<text x="{x.place(tick):.1f}" y="{HEIGHT - BOTTOM + 16}" text-anchor="middle">{label(tick)}</text>')
    parts.append(f'<text x="{(LEFT + WIDTH - RIGHT) / 2}" y="{HEIGHT - BOTTOM + 34}" text-anchor="middle">{names[0]}</text>'
                 f'<text transform="translate(14 {(TOP + HEIGHT - BOTTOM) / 2}) rotate(-90)" text-anchor="middle">{names[1]}</text>')
    return parts


def curve(points, x, y, number):
    colour = COLOURS[number % len(COLOURS)]
    places = [(x.place(a), y.place(b)) for a, b in points]
    path = "L".join(f"{a:.1f} {b:.1f}" for a, b in places)
    dash = f' stroke-dasharray="{DASHES[number % len(DASHES)]}"' if DASHES[number % len(DASHES)] else ""
    return [f'<path d="M{path}" fill="none" stroke="{colour}" stroke-width="2"{dash}/>',
            *(f'<circle cx="{a:.1f}" cy="{b:.1f}" r="3" fill="{colour}"><title>{point[0]:g}: {point[1]:.4g}</title></circle>'
              for (a, b), point in zip(places, points))]


def legend(names):
    parts = []
    for number, name in enumerate(names):
        left = LEFT + number % LEGEND_COLUMNS * (WIDTH - LEFT) / LEGEND_COLUMNS
        top = HEIGHT - 28 + number // LEGEND_COLUMNS * LEGEND_STEP
        parts.append(f'<path d="M{left:.1f} {top}h18" stroke="{COLOURS[number % len(COLOURS)]}" stroke-width="2" '
                     f'stroke-dasharray="{DASHES[number % len(DASHES)]}"/>'
                     f'<text x="{left + 22:.1f}" y="{top + 4}" font-size="11">{name}</text>')
    return parts


def lines(path, title, names, series, log_x=None, log_y=None):
    """A curve for each of `series`, from its name to points (x, y); `names` are those of the axes."""
    points = [point for curve_points in series.values() for point in curve_points]
    x = Axis([point[0] for point in points], log_x, LEFT + 8, WIDTH - RIGHT)
    y = Axis([point[1] for point in points], log_y, HEIGHT - BOTTOM, TOP)
    height = HEIGHT + LEGEND_STEP * max(0, math.ceil(len(series) / LEGEND_COLUMNS) - LEGEND_ROWS)
    parts = [f'<svg xmlns="{SVG}" viewBox="0 0 {WIDTH} {height}" font-family="sans-serif" font-size="12">',
             f'<rect width="{WIDTH}" height="{height}" fill="#fff"/>',
             f'<text x="{WIDTH / 2}" y="20" text-anchor="middle" font-weight="bold">{title}</text>', *grid(x, y, names)]
    for number, curve_points in enumerate(series.values()):
        parts += curve(curve_points, x, y, number)
    parts += [*legend(series), "</svg>"]
    with open(path, "w", encoding="utf-8") as file:
        file.write("\n".join(parts) + "\n")
