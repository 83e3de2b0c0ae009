"""What printing, paper, camera and lamp do to a line of text: shared by the generators of line strips."""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

from ..draw import degrade

_UNIT = 16  # character heights in pixels at which the blur of a lens is given


class Stage:
    """Draws one line's paper and degrades its picture; scale is always the height of a character in pixels.

    hard is None for a normal photograph's degradations, 0 for the training distribution (from
    clean to severe), and up to 1 for severe ones only, 1 lying a little beyond training.
    """

    def __init__(self, seed: int, hard: float | None = 0.0) -> None:
        self._rng = np.random.default_rng(seed)
        self._hard = hard
        self._reach = 1.0  # how far this sample's degradations go: 0 nothing, 1 all of the training distribution

    def _draw_reach(self) -> None:
        """Draw how severe the next sample is."""
        if self._hard is None:
            self._reach = 0.4
        elif self._hard > 0:
            self._reach = 0.9 + 0.25 * self._hard
        else:
            self._reach = self._rng.uniform(0.2, 1.05)

    def _chance(self, probability: float) -> bool:
        return self._rng.random() < probability * min(1.0, self._reach)

    def _wear(self, ink: npt.NDArray[np.uint8]) -> None:
        """Eat dots, dot-matrix gaps or scratches out of the ink."""
        rng = self._rng
        kind = rng.random()
        if kind < 0.6:
            grain = rng.uniform(0.8, 2.5)
            small = (max(8, int(ink.shape[1] / grain / 2)), max(8, int(ink.shape[0] / grain / 2)))
            field = rng.random(small[::-1], dtype=np.float32)
            field = cv2.resize(field, ink.shape[::-1], interpolation=cv2.INTER_LINEAR)
            lost = np.clip((field - rng.uniform(0.7, 0.95)) * 6, 0, 1) * rng.uniform(0.3, 1)
            ink[:] = (ink * (1 - lost)).astype(np.uint8)
        else:
            for _ in range(int(rng.integers(1, 5))):
                x, y = rng.uniform(0, ink.shape[1]), rng.uniform(0, ink.shape[0])
                dx, dy = rng.normal(0, 150), rng.normal(0, 40)
                ends = (int(x), int(y)), (int(x + dx), int(y + dy))
                cv2.line(ink, *ends, int(rng.integers(0, 150)), int(rng.integers(1, 3)), cv2.LINE_AA)

    def _paper(self, height: int, width: int, pitch: float) -> npt.NDArray[np.float32]:
        """Return float32 paper: a tone, broad patches, security lines, grain."""
        rng = self._rng
        tone = rng.uniform(105, 245)
        paper = np.full((height, width), tone, np.float32)
        if self._chance(0.6):
            cells = int(rng.integers(2, 6)), int(rng.integers(4, 40))
            coarse = rng.normal(0, rng.uniform(2, 16) * self._reach, cells)
            paper += cv2.resize(coarse.astype(np.float32), (width, height), interpolation=cv2.INTER_CUBIC)
        if self._chance(0.35):
            paper += self._patches(height, width, tone)
        if self._chance(0.65):
            for _ in range(int(rng.integers(1, 4))):
                paper += self._guilloche(height, width, pitch)
        if self._chance(0.3):
            cells = max(2, int(height / pitch * 6)), max(2, int(width / pitch * 6))
            grain = rng.normal(0, rng.uniform(2, 16) * self._reach, cells)
            paper += cv2.resize(grain.astype(np.float32), (width, height), interpolation=cv2.INTER_LINEAR)
        return paper

    def _patches(self, height: int, width: int, tone: float) -> npt.NDArray[np.float32]:
        """Return shapes of another tone, as holograms, photographs and emblems leave them."""
        rng = self._rng
        field = np.zeros((height, width), np.float32)
        for _ in range(int(rng.integers(1, 4))):
            centre = rng.uniform(0, width), rng.uniform(0, height)
            spread = rng.uniform(0.5, 6) * height
            corners = rng.normal(0, 1, (int(rng.integers(3, 8)), 2)) * (spread, height)
            points = (corners + centre).astype(np.int32)
            cv2.fillPoly(field, [cv2.convexHull(points)], float(rng.uniform(-45, 35)))
        soft = rng.choice([0, 1, 4])
        return cv2.GaussianBlur(field, (0, 0), soft) if soft else field

    def _guilloche(self, height: int, width: int, pitch: float) -> npt.NDArray[np.float32]:
        """Return a family of fine waves, straight lines, or dots."""
        rng = self._rng
        ys = np.arange(height, dtype=np.float32)[:, None] / np.float32(pitch)
        xs = np.arange(width, dtype=np.float32)[None] / np.float32(pitch)
        angle = rng.uniform(0, np.pi)
        along = xs * np.cos(angle) + ys * np.sin(angle)
        across = -xs * np.sin(angle) + ys * np.cos(angle)
        bend = rng.uniform(0, 1.2) * np.sin(along * rng.uniform(0.1, 1.5) + rng.uniform(0, 6))
        wave = np.sin((across + bend) * np.float32(rng.uniform(4, 28)))
        thin = rng.uniform(-0.6, 0.9)
        lines = np.clip((wave - thin) / (1.05 - thin), 0, 1)
        if rng.random() < 0.15:
            lines = lines * (np.sin(along * np.float32(rng.uniform(4, 20))) > 0)
        return lines * np.float32(rng.uniform(-50, 25) * self._reach * rng.random() ** 0.5)

    def _strokes(self, picture: npt.NDArray[np.uint8], scale: float) -> None:
        """Write signature or stamp lines, or bright hologram lines, across the print."""
        rng = self._rng
        height, width = picture.shape
        over = picture.copy()
        for _ in range(int(rng.integers(1, 4))):
            x, y = rng.uniform(0, width), rng.uniform(-0.2, 1.2) * height
            steps = np.cumsum(rng.normal(0, (scale, scale * 0.5), (12, 2)), axis=0)
            points = (steps + (x, y)).astype(np.int32)
            tone = int(rng.integers(20, 160) if rng.random() < 0.7 else rng.integers(200, 256))
            thick = max(1, round(scale * rng.uniform(0.03, 0.12)))
            cv2.polylines(over, [points], False, tone, thick, cv2.LINE_AA)
        share = rng.uniform(0.15, 0.55)
        cv2.addWeighted(over, share, picture, 1 - share, 0, dst=picture)

    def _degrade(self, picture: npt.NDArray[np.uint8], scale: float) -> npt.NDArray[np.uint8]:
        rng, reach, chance = self._rng, self._reach, self._chance
        unit = scale / _UNIT
        if chance(0.5):
            picture = degrade.uneven_light(picture, rng.uniform(0.05, 0.4) * reach, rng)
        if chance(0.25):
            picture = degrade.shadow(picture, min(0.85, rng.uniform(0.15, 0.65) * reach), rng)
        if chance(0.55):
            gain, offset = rng.uniform(0.4, 1.15), rng.uniform(-30, 30)
            picture = degrade.contrast(picture, gain, offset, rng.uniform(0.7, 1.5))
        if chance(0.3):
            picture = degrade.glare(picture, rng.uniform(30, 200) * reach, rng)
        if chance(0.75):
            # Real lenses blur in sensor pixels; a soft text blurs with its scale.
            sigma = rng.uniform(0.2, 2.2) * reach * unit**0.5
            picture = degrade.defocus(picture, min(sigma, 0.14 * scale))
        if chance(0.25):
            length = min(rng.uniform(1, 5) * reach, 0.3 * scale)
            picture = degrade.motion(picture, length, rng.uniform(0, np.pi))
        if chance(0.8):
            picture = degrade.noise(picture, rng.uniform(0.5, 9) * reach, rng, rng.choice([0, 0, 0.7]))
        if chance(0.25):
            picture = degrade.sharpen(picture, rng.uniform(0.2, 1.5))
        if chance(0.75):
            picture = degrade.jpeg(picture, max(25, rng.uniform(38, 96) - 12 * max(0.0, reach - 1)))
        return picture
