"""Arrows that leave a drawing downwards, past its texts and shapes, and say what they mean."""

from __future__ import annotations

from jgrad.views.scene import Item, note_width, path, points, text, text_width

Block = tuple[float, float, float, float]  # what arrows and their texts go around: left, top, right, bottom
NEAR = 6.0  # nothing comes nearer to a text
STEP = 6.0  # an arrow turns at one of these heights


class Arrows:
    """Arrows from a drawing to something below it, or beside it. They may cross lines, but no text and no shape."""

    def __init__(self, items: list[Item], low: float, wide: float) -> None:
        self.items = items
        self.low = low  # where the drawing ends
        self.wide = wide
        self.blocks: list[Block] = []
        self._block(items)

    def _block(self, items: list[Item]) -> None:
        for item in items:
            if item["t"] == "group":
                self._block(item["items"])
            elif item["t"] == "rect":
                self.blocks.append((item["x"], item["y"], item["x"] + item["w"], item["y"] + item["h"]))
            elif item["c"].startswith("mark"):
                x, y = [float(at) for at in item["d"].split(" ")[1:3]]
                self.blocks.append((x, y, x + 12, y + 10))
            elif item["t"] == "text":
                long = text_width(item)
                a = item.get("a", "")
                left = item["x"] - (long if a == "end" else long / 2 if a == "middle" else 0.0)
                self.blocks.append((left, item["y"] - 10, left + long, item["y"] + 3))

    def way(self, start: list[float], level: float) -> list[float]:
        """The shortest way from a point down to a level, at most once to the side: [x, y, where it turns aside, where it goes down]. Nothing if
        there is none, or no point."""
        found: list[float] = []
        if not start:
            return found
        x, y = start
        least = 1e9
        at = y
        while at <= self.low and not self._hits(x, y, at):
            left, right = NEAR, self.wide - NEAR
            aside = [x]
            for b in self.blocks:
                if b[1] - NEAR < at < b[3] + NEAR:
                    if b[2] <= x:
                        left = max(left, b[2] + NEAR)
                    else:
                        right = min(right, b[0] - NEAR)
                if b[3] > at:
                    aside.append(b[0] - NEAR)
                    aside.append(b[2] + NEAR)
            for to in aside:
                cost = abs(to - x) + 2 * (at - y)
                if cost < least and left <= to <= right and not self._hits(to, at, self.low):
                    least = cost
                    found = [x, y, at, to]
            at += STEP
        if found:
            self.blocks.append((found[3] - 1, found[2], found[3] + 1, level))
        return found

    def _hits(self, x: float, top: float, low: float) -> bool:
        """Whether a vertical line comes too near to a block."""
        return any([b[0] - NEAR < x < b[2] + NEAR and b[1] < low and b[3] > top for b in self.blocks])

    def draw(
        self, c: str, said: str, way: list[float], level: float, end: list[float], keys: list[str]
    ) -> None:
        """Draw an arrow with its text: along its way down to its level, then to the side, and into its end, which is [where it turns, x, y]. Without a
        way, it begins at its text."""
        turn, into, y = end
        long = note_width(said)
        place = [28.0, level + 4]
        d: list[str | float] = ["M", 36 + long if turn > 24 else 22, level]
        if way:
            d = ["M", way[0], way[1], "V", way[2], "H", way[3], "V", level]
            place = self._beside(way, level, 1 if turn > way[3] else -1, long)
        tip = 7 if into > turn else -7
        d.extend(["H", turn, "V", y, "H", into])
        self.items.append(path(points(*d), f"edge {c}", keys, said))
        head = points("M", into - tip, y - 5, "L", into, y, "L", into - tip, y + 5)
        self.items.append(path(head, f"edge {c.split(' ')[0]}", keys))
        self.items.append(text(place[0], place[1], said, f"note halo {c}", keys))
        self.blocks.append((place[0], place[1] - 10, place[0] + long, place[1] + 3))

    def _beside(self, way: list[float], level: float, toward: int, long: float) -> list[float]:
        """The first place for a text beside a way down: [x, y]."""
        y = way[2] + 16
        while y <= level + 4:
            for side in (1, -1):
                x = way[3] + 8 if side > 0 else way[3] - 8 - long
                # Where the arrow turns at its level, only the other side is free.
                if x >= NEAR and x + long <= self.wide - NEAR and (side != toward or y <= level - 5):
                    end, low = x + long + NEAR, y + 5
                    if not any(
                        [x - NEAR < b[2] and b[0] < end and y - 12 < b[3] and b[1] < low for b in self.blocks]
                    ):
                        return [x, y]
            y += 1
        return [max(min(way[3] + 8, self.wide - NEAR - long), NEAR), level - 5]
