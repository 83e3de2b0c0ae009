"""How one face looks to the embedder: live and sharp, small, engraved, printed, photographed again, badly lit, partly hidden.

Everything starts from an aligned grey crop of the pool (face_pool.SIDE pixels with its margin) and ends as the crop that
the embedder sees, SIDE pixels, with its light evened out as the service does it.
"""

import cv2
import numpy as np

from . import degrade, face_pool, face_teachers as teachers, patterns

SIDE = teachers.CROP
MEAN, SPREAD, LEAST = 127.5, 56.0, 6.0  # of an evened crop; a flatter crop than LEAST is not stretched further
FINE = 2 * face_pool.SIDE  # print is simulated at twice the crop's size


def even(crop):
    """A grey crop with its mean and standard deviation brought to MEAN and SPREAD, uint8."""
    mean, spread = cv2.meanStdDev(crop)
    gain = SPREAD / max(spread[0, 0], LEAST)
    return cv2.convertScaleAbs(cv2.max(crop.astype(np.float32) * gain + (MEAN - gain * mean[0, 0]), 0))


def _screens(rng):
    """Thresholds of printers and lasers, FINE x FINE in 0..255: dots, lines, scattered dots."""
    y, x = np.mgrid[0:FINE, 0:FINE].astype(np.float32)
    screens = []
    for number in range(18):
        angle, period = rng.uniform(0, np.pi), rng.uniform(2.2, 6)
        u, v = (x * np.cos(angle) + y * np.sin(angle)) / period, (y * np.cos(angle) - x * np.sin(angle)) / period
        if number % 3 == 0:
            wave = np.cos(2 * np.pi * u) * np.cos(2 * np.pi * v)
        elif number % 3 == 1:
            wave = np.cos(2 * np.pi * u)
        else:
            wave = rng.standard_normal((FINE, FINE)).astype(np.float32)
            wave -= cv2.GaussianBlur(wave, (0, 0), 1.5)
        order = np.argsort(np.argsort(wave.ravel())).reshape(FINE, FINE)
        screens.append((order * (255.0 / FINE**2)).astype(np.uint8))
    return screens


class Views:
    """Draws views; the screens and security patterns are made once, from a seed of their own."""

    def __init__(self, seed):
        rng = np.random.default_rng(seed)
        self.screens = _screens(rng)
        size = (face_pool.SIDE, face_pool.SIDE)
        self.patterns = [cv2.cvtColor(patterns.security(rng, size, rng.uniform(3, 9)), cv2.COLOR_RGB2GRAY) for _ in range(24)]

    def live(self, rng, grey):
        """A camera's view of the person: mostly good, at times dark, blurred, small or with glasses."""
        if rng.random() < 0.08:
            grey = _glasses(rng, grey)
        if rng.random() < 0.05:
            grey = _hidden(rng, grey)
        grey = _light(rng, grey, rng.uniform(0.0, 0.7) ** 1.5)
        return _taken(rng, grey, rng.uniform(0.62, 1.0) if rng.random() < 0.35 else 1.0, rng.uniform(0, 0.6) ** 1.5)

    def document(self, rng, grey):
        """The portrait on a document, photographed: printed or engraved, overprinted, small, 25 to 60 pixels between the eyes."""
        grey = degrade.contrast(grey, rng.uniform(0.55, 1.25), rng.uniform(-25, 30), rng.uniform(0.7, 1.4))
        if rng.random() < 0.15:
            grey = degrade.sharpen(grey, rng.uniform(0.3, 1.5))
        if rng.random() < 0.5:
            grey = self._printed(rng, grey)
        if rng.random() < 0.5:
            grey = self._overprinted(rng, grey)
        grey = _light(rng, grey, rng.uniform(0.2, 1.0))
        return _taken(rng, grey, np.exp(rng.uniform(np.log(0.5), np.log(1.05))), rng.uniform(0.1, 1.0))

    def _printed(self, rng, grey):
        """Broken into dots or lines, and run together again by ink and lens."""
        fine = cv2.resize(grey, (FINE, FINE), interpolation=cv2.INTER_LINEAR)
        screen = self.screens[int(rng.integers(len(self.screens)))]
        if rng.random() < 0.5:
            screen = screen[::-1]
        hard = rng.uniform(1.2, 5)
        dots = cv2.addWeighted(fine, hard, screen, -hard, 127.5)
        dots = cv2.GaussianBlur(dots, (0, 0), rng.uniform(0.7, 1.8))
        grain = cv2.resize(dots, grey.shape[::-1], interpolation=cv2.INTER_AREA)
        share = rng.uniform(0.3, 1.0)
        return cv2.addWeighted(grain, share, grey, 1 - share, 0)

    def _overprinted(self, rng, grey):
        """Under the lines of a security print, dark or light."""
        pattern = self.patterns[int(rng.integers(len(self.patterns)))]
        pattern = np.ascontiguousarray(np.rot90(pattern, int(rng.integers(4))))
        depth = rng.uniform(0.15, 1.0) * rng.choice([-1, 1])
        return cv2.addWeighted(grey, 1.0, pattern, depth, -depth * float(pattern.mean()))


def _light(rng, grey, level):
    """Uneven and changed light; level 0 to 1."""
    if rng.random() < 0.3 + 0.5 * level:
        grey = degrade.uneven_light(grey, rng.uniform(0.05, 0.15 + 0.55 * level), rng)
    if rng.random() < 0.25 * level:
        grey = degrade.shadow(grey, rng.uniform(0.1, 0.6), rng)
    if rng.random() < 0.2 * level:
        grey = degrade.glare(grey, rng.uniform(20, 160), rng)
    if rng.random() < 0.6:
        # A dark picture loses its steps: it is evened out afterwards, but they do not come back.
        low = rng.uniform(0.12, 0.4) if rng.random() < 0.1 * level else rng.uniform(0.5, 1.1)
        grey = degrade.contrast(grey, low + 0.25, rng.uniform(-40, 40) * level, rng.uniform(0.65, 1.6))
    return grey


def _found(rng, points, level):
    """Landmarks as a detector finds them: each a little off, and all of them together shifted, turned and too wide or narrow."""
    angle, size = rng.normal(0, np.radians(2.0)), np.exp(rng.normal(0, 0.03))
    turn = size * np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
    middle, shift = points.mean(0), rng.normal(0, 0.012, (1, 2)) * teachers.CROP
    jitter = rng.normal(0, 0.018 + 0.008 * level, (5, 2)).clip(-0.06, 0.06) * teachers.CROP
    return (points - middle) @ turn + middle + shift + jitter


def _taken(rng, grey, factor, level):
    """Aligned by landmarks that are a little off, at factor of the embedder's size, then blurred, noisy and coded."""
    side = max(24, round(SIDE * factor))
    matrix = teachers.similarity(_found(rng, teachers.template(teachers.CROP, face_pool.MARGIN), level), teachers.template(side))
    crop = cv2.warpAffine(grey, matrix, (side, side), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    if rng.random() < 0.2 + 0.5 * level:
        crop = degrade.defocus(crop, rng.uniform(0.2, 0.5 + 1.1 * level))
    if rng.random() < 0.2 * level:
        crop = degrade.motion(crop, rng.uniform(1, 2 + 4 * level), rng.uniform(0, np.pi))
    if rng.random() < 0.3 + 0.5 * level:
        # Noise that drowns the face teaches nothing.
        strength = min(rng.uniform(0.5, 2 + 12 * level), 0.4 * float(crop.std()))
        crop = degrade.noise(crop, strength, rng, rng.uniform(0, 0.9) if rng.random() < 0.5 else 0)
    if rng.random() < 0.3 + 0.4 * level:
        crop = degrade.jpeg(crop, rng.integers(int(80 - 50 * level), 96))
    if side != SIDE:
        crop = cv2.resize(crop, (SIDE, SIDE), interpolation=cv2.INTER_LINEAR)
    return even(crop)


def _glasses(rng, grey):
    """With drawn spectacles, clear or a little dark."""
    at, out = teachers.template(teachers.CROP, face_pool.MARGIN), grey.copy()
    across = at[1, 0] - at[0, 0]
    reach = (int(across * rng.uniform(0.3, 0.42)), int(across * rng.uniform(0.2, 0.34)))
    tone, thick = int(rng.integers(10, 130)), int(rng.integers(1, 4))
    middles = [tuple(int(v) for v in at[k] + [0, rng.uniform(0, 0.08) * across]) for k in (0, 1)]
    if rng.random() < 0.3:
        lenses = out.copy()
        for middle in middles:
            cv2.ellipse(lenses, middle, reach, 0, 0, 360, tone // 2, -1, cv2.LINE_AA)
        share = rng.uniform(0.1, 0.7)
        out = cv2.addWeighted(lenses, share, out, 1 - share, 0)
    for middle in middles:
        cv2.ellipse(out, middle, reach, 0, 0, 360, tone, thick, cv2.LINE_AA)
    cv2.line(out, (middles[0][0] + reach[0], middles[0][1]), (middles[1][0] - reach[0], middles[1][1]), tone, thick, cv2.LINE_AA)
    return out


def _hidden(rng, grey):
    """With a piece hidden behind something plain."""
    out, size = grey.copy(), grey.shape[0]
    middle = tuple(int(v) for v in rng.uniform(0, size, 2))
    axes = tuple(int(v) for v in rng.uniform(0.06, 0.22, 2) * size)
    cv2.ellipse(out, middle, axes, rng.uniform(0, 180), 0, 360, int(rng.integers(20, 236)), -1, cv2.LINE_AA)
    return out


def surrounded(first, quad, second, share=1.0):
    """An aligned RGB crop whose photograph (quad: its corners, 4 x 2, in the crop) is cut too near, with the second one's surroundings.

    share below 1 blends the faces as well.
    """
    inside = np.zeros(first.shape[:2], np.uint8)
    cv2.fillConvexPoly(inside, np.round(quad + (quad.mean(0) - quad) * 0.05).astype(np.int32), 255)
    share = share * cv2.blur(inside, (9, 9)).astype(np.float32)[..., None] / 255
    gain = first[48:-32, 48:-48].mean((0, 1)) / np.maximum(second[48:-32, 48:-48].mean((0, 1)), 20)
    second = second * gain.clip(0.4, 1.8).astype(np.float32)
    return np.clip(second + share * (first - second), 0, 255).astype(np.uint8)


def invention(rng, first, quad, second):
    """A face that nobody has, of two aligned RGB crops. The teacher says who it is.

    What lies outside the first one's photograph is the second one's; in half of them the faces are blended as well.
    """
    face = surrounded(first, quad, second, rng.uniform(0.35, 0.7) if rng.random() < 0.5 else 1.0)
    if rng.random() < 0.5:
        size = face.shape[0]
        source = rng.normal(0, 0.03, (3, 2)) * size + np.array([[0, 0], [size, 0], [0, size]])
        matrix = cv2.getAffineTransform(np.array([[0, 0], [size, 0], [0, size]], np.float32), source.astype(np.float32))
        face = cv2.warpAffine(face, matrix, (size, size), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    if rng.random() < 0.2:
        face = degrade.sharpen(face, rng.uniform(0.2, 0.9))
    return face
