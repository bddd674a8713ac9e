"""The table that the benchmark prints, as Markdown."""

HEAD = ("what", "measured", "peer", "ratio", "target", "met")


def milliseconds(value):
    if value is None:
        return "not seen"
    return f"{value * 1000:.1f} ms" if value < 0.1 else f"{value * 1000:.0f} ms" if value < 10 else f"{value:.1f} s"


def megabytes(value):
    return f"{value / 1e6:.0f} MB" if value >= 1e7 else f"{value / 1e6:.1f} MB"


class Table:
    """Rows of text; `met` is true, false, or none where there is no target."""

    def __init__(self):
        self.rows = []

    def add(self, what, measured, peer="", ratio="", target="", met=None):
        self.rows.append((what, measured, peer, ratio, target, {True: "yes", False: "**no**", None: ""}[met]))
        print("  " + ", ".join(part for part in self.rows[-1][:5] if part), flush=True)

    def markdown(self):
        rows = [HEAD, tuple("---" for _ in HEAD), *self.rows]
        widths = [max(len(row[column]) for row in rows) for column in range(len(HEAD))]
        lines = []
        for row in rows:
            cells = (cell.ljust(width) if cell != "---" else "-" * width for cell, width in zip(row, widths))
            lines.append("| " + " | ".join(cells) + " |")
        return "\n".join(lines)
