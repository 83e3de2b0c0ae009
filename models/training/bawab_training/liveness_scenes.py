"""Simulated presentation attacks on a face camera, and living faces that go through the same cameras.

A scene is what a sensor would see of a square of SPAN face sizes around a face: linear light, float32, `fine` samples a pixel, as in
recapture.py, whose screens, printers and cameras these are. Living faces and attacks begin with the same photographs, stand
before the same backgrounds (in which screens, sheets and posters hang) and share the camera, so that neither quality nor
surroundings alone tell them.
"""

import cv2
import numpy as np

from . import degrade, patterns, photograph, recapture

SIDE = 128  # of the network's input, which shows REACH face sizes
REACH = 2.0
STORED = 148  # of a drawn picture
SPAN = REACH * STORED / SIDE
FINE = 2

# The share of each kind among the drawn pictures.
KINDS = {"live": 0.45, "photo_print": 0.18, "screened_print": 0.06, "scattered_print": 0.01, "grey_print": 0.03, "cutout": 0.06, "mask": 0.05, "lcd": 0.06, "oled": 0.06, "replay": 0.04}


def _material(rng, sources):
    """A person's photograph, half the time before another background: (uint8 RGB, middle, size, matte)."""
    p = sources.portrait(rng)
    draw = rng.random()
    image = p.image
    if draw < 0.5:
        behind = _plain(rng, image.shape) if draw < 0.2 else _surroundings(rng, sources, image.shape)
        alpha = cv2.GaussianBlur(p.matte, (0, 0), rng.uniform(0.5, 1.5))
        image = _over(behind, image, alpha)
    return image, p.middle, p.size, p.matte


def _over(below, above, alpha):
    share = alpha.astype(np.float32) / 255
    return cv2.blendLinear(np.ascontiguousarray(below), np.ascontiguousarray(above), 1 - share, share)


def _plain(rng, shape):
    """A wall or the backdrop of a photographer."""
    base = rng.uniform(60, 255) * (1 + rng.uniform(-0.25, 0.25, 3) * rng.random())
    picture = np.empty(shape, np.uint8)
    picture[:] = np.clip(base, 0, 255)
    return degrade.uneven_light(picture, rng.uniform(0, 0.35), rng)


def _surroundings(rng, sources, shape):
    """What stands behind: somebody's photograph, a table's pattern, a wall; at times with a screen, a sheet or a poster hung into it."""
    height, width = shape[:2]
    draw = rng.random()
    if draw < 0.6:
        p = sources.portrait(rng, 0.3)
        side = rng.uniform(0.3, 1.0) * p.image.shape[1]
        corner = rng.uniform(0, 1, 2) * (np.array(p.image.shape[1::-1]) - side)
        x, y = corner.astype(int)
        piece = p.image[y : y + int(side), x : x + int(side)]
        picture = cv2.resize(piece, (width, height), interpolation=cv2.INTER_LINEAR)
    elif draw < 0.8:
        picture = patterns.table(rng, (width, height))
    else:
        picture = _plain(rng, shape)
    if rng.random() < 0.4:
        for _ in range(int(rng.integers(1, 4))):
            _hang(rng, sources, picture)
    return degrade.defocus(picture, rng.uniform(0, 2.5) if rng.random() < 0.6 else 0)


def _hang(rng, sources, picture):
    """Draw a flat thing with straight edges into a background in place: a screen, a sheet, a window, a poster with a face."""
    height, width = picture.shape[:2]
    size = rng.uniform(0.2, 0.9, 2) * [width, height]
    at = rng.uniform(-0.1, 1.1, 2) * [width, height]
    box = cv2.boxPoints((tuple(at.tolist()), tuple(size.tolist()), float(rng.normal(0, 5)))).astype(np.float32)
    draw = rng.random()
    if draw < 0.35:
        inner = sources.portrait(rng, 0.2).image
    elif draw < 0.6:
        inner = patterns.table(rng, (64, 64))
    else:
        inner = _plain(rng, (32, 32, 3))
    if draw < 0.7:
        edge = max(1, int(inner.shape[0] * rng.uniform(0.02, 0.1)))
        inner = cv2.copyMakeBorder(inner, edge, edge, edge, edge, cv2.BORDER_CONSTANT, value=(int(rng.choice([10, 30, 245, 200])),) * 3)
    corners = np.array([[0, inner.shape[0]], [0, 0], [inner.shape[1], 0], inner.shape[1::-1]], np.float32)
    h = cv2.getPerspectiveTransform(corners, box)
    laid = cv2.warpPerspective(inner, h, (width, height))
    cover = cv2.warpPerspective(np.full(inner.shape[:2], 255, np.uint8), h, (width, height))
    picture[:] = _over(picture, laid, cover)


def _shot(rng):
    """The camera of one picture: a Shot of recapture for a face, FINE samples a pixel."""
    s = recapture.shot(rng, 100)
    s.fine, s.angle, s.skew = FINE, rng.normal(0, 0.07), np.eye(2) + rng.normal(0, 0.03, (2, 2))
    s.exposure, s.noise = 1.0, 0.6 * s.noise
    return s


def _tile(s, image, middle, size, face, side, border=cv2.BORDER_REFLECT_101):
    """The square of side fine samples around the face of a photograph, brought to a size of face sensor pixels."""
    k = face * s.fine / size
    turn = k * np.array([[np.cos(s.angle), np.sin(s.angle)], [-np.sin(s.angle), np.cos(s.angle)]])
    matrix = np.column_stack([turn, np.array([side / 2, side / 2]) - turn @ middle])
    if k < 0.6:
        image = cv2.GaussianBlur(image, (0, 0), 0.45 / k)
    return cv2.warpAffine(image, matrix, (side, side), flags=cv2.INTER_LINEAR, borderMode=border)


def _spot(rng, shape):
    """A reflection of a lamp: H x W of light, its height about 1."""
    height, width = shape
    y, x = np.mgrid[0:height:4, 0:width:4].astype(np.float32)
    angle, (cx, cy) = rng.uniform(0, np.pi), rng.uniform(0, 1, 2) * [width, height]
    a, b = rng.uniform(0.05, 0.45) * width, rng.uniform(0.03, 0.2) * width
    along, across = (x - cx) * np.cos(angle) + (y - cy) * np.sin(angle), (y - cy) * np.cos(angle) - (x - cx) * np.sin(angle)
    glow = np.exp(-(((along / a) ** 2 + (across / b) ** 2) ** np.float32(rng.uniform(0.7, 2.5))).astype(np.float32))
    return cv2.resize(glow, (width, height))[..., None]


def _exposed(rng, s, light):
    """Light as bright as the exposure of a camera makes the face, at times far too dark or bright."""
    side = light.shape[0]
    face = light[side // 3 : -side // 3, side // 3 : -side // 3]
    aim = np.exp(rng.uniform(np.log(0.07), np.log(0.45)))
    return light * np.float32(aim / max(float(face.mean()), 1e-3))


def live(rng, sources, s, face, side):
    """A living person."""
    image, middle, size, alpha = _material(rng, sources)
    tile = _tile(s, image, middle, size, face, side, cv2.BORDER_REPLICATE if rng.random() < 0.4 else cv2.BORDER_REFLECT_101)
    if rng.random() < 0.2:
        # Things with straight edges right behind the head.
        behind = tile.copy()
        for _ in range(int(rng.integers(1, 3))):
            _hang(rng, sources, behind)
        cover = _tile(s, alpha, middle, size, face, side, cv2.BORDER_REPLICATE)
        tile = _over(behind, tile, cv2.GaussianBlur(cover, (0, 0), rng.uniform(0.8, 2.5)))
    light = recapture.linear(tile)
    if rng.random() < 0.1:
        light = light + rng.uniform(0.02, 0.4) * _spot(rng, light.shape[:2])
    return recapture._lamp(s, light)


def _card(rng, sources, kind):
    """What is shown: (uint8 RGB picture, the face's middle as shares, the face's size in its pixels, matte)."""
    image, middle, size, alpha = _material(rng, sources)
    if kind not in ("lcd", "oled", "replay") and rng.random() < 0.3:
        image = _over(_plain(rng, image.shape), image, cv2.GaussianBlur(alpha, (0, 0), 0.8))
    if rng.random() < 0.45:
        reach = rng.uniform([0.55, 0.62, 0.55, 0.62], [1.0, 1.05, 1.0, 1.15])  # left, top, right, bottom
    else:
        reach = rng.uniform([0.75, 0.8, 0.75, 0.75], [1.7, 1.5, 1.7, 1.9])
    if kind == "replay" and rng.random() < 0.6:
        reach[[0, 2]] = reach[[0, 2]].mean() * rng.uniform(1.3, 2.2)  # a lying frame
    pixels = min(120.0, 1.2 * size)
    k = pixels / size
    wide, tall = int((reach[0] + reach[2]) * pixels), int((reach[1] + reach[3]) * pixels)
    matrix = np.array([[k, 0, reach[0] * pixels - k * middle[0]], [0, k, reach[1] * pixels - k * middle[1]]])
    card = cv2.warpAffine(image, matrix, (wide, tall), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT_101)
    cover = cv2.warpAffine(alpha, matrix, (wide, tall), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    if rng.random() < 0.5:
        card = degrade.contrast(card, rng.uniform(0.75, 1.35), rng.uniform(-25, 25), rng.uniform(0.75, 1.35))
    edge = int(rng.uniform(0.02, 0.12) * wide) if "print" in kind and rng.random() < 0.45 else 0
    tone = int(rng.uniform(225, 256))
    card = cv2.copyMakeBorder(card, edge, edge, edge, edge, cv2.BORDER_CONSTANT, value=(tone,) * 3)
    cover = cv2.copyMakeBorder(cover, edge, edge, edge, edge, cv2.BORDER_CONSTANT, value=0)
    middle = (np.array([reach[0], reach[1]]) * pixels + edge) / card.shape[1::-1]
    return card, middle, pixels, cover


def _first(hard):
    """What the attacker does with the picture before he shows it: blur, noise and coding, stronger for hard ones; never finer than can be seen."""

    def first(rng, card, pitch):
        if rng.random() < 0.3:
            return card
        picture = degrade.defocus(card, rng.uniform(0.2, 1.6 if hard else 1.0))
        picture = degrade.noise(picture, rng.uniform(0.3, 7), rng)
        return degrade.jpeg(picture, int(rng.integers(25 if hard else 55, 96)))

    return first


def _photo_paper(rng, s, card, middle, shape, first):
    """A print without dots, as a laboratory makes it: deep or dull black, a paper's white, colours of its own."""
    u, v = recapture.places(s, shape)
    light = recapture.linear(recapture.content(first(rng, card, s.width), middle, u, v, s.width))
    grey = light.mean(2, keepdims=True)
    light = grey + (light - grey) * np.float32(rng.uniform(0.5, 1.25))
    black, white = rng.uniform(0.004, 0.07), rng.uniform(0.7, 0.92) * (1 + rng.uniform(-0.08, 0.08, 3))
    light = np.clip(light, 0, 1) ** np.float32(rng.uniform(0.8, 1.3))
    return recapture._lamp(s, (black + light * (white - black)).astype(np.float32))


def _shown(rng, s, kind, card, middle, shape):
    """The light of the sheet or screen all over the tile."""
    first = _first(kind == "replay" or rng.random() < 0.25)
    if kind in ("lcd", "oled", "replay"):
        maker = recapture.screen_dots if kind == "oled" or kind == "replay" and rng.random() < 0.5 else recapture.screen_stripes
        return maker(rng, s, card, middle, shape, first=first)
    if kind == "screened_print":
        return recapture.print_screened(rng, s, card, middle, shape, first=first)
    if kind == "scattered_print":
        return recapture.print_scattered(rng, s, card, middle, shape, first=first)
    if kind == "grey_print":
        maker = recapture.print_screened if rng.random() < 0.85 else recapture.print_scattered
        return maker(rng, s, card, middle, shape, black_only=True, first=first)
    if kind in ("cutout", "mask") and rng.random() < 0.5:
        return recapture.print_screened(rng, s, card, middle, shape, first=first)
    return _photo_paper(rng, s, card, middle, shape, first)


def _flat(s, picture, middle, shape, border=cv2.BORDER_CONSTANT):
    """A plane of the card (uint8 H x W) as it lies in the tile, nothing beyond the card's edges."""
    u, v = recapture.places(s, shape)
    k = np.float32(picture.shape[1] / s.width)
    return cv2.remap(picture, u * k + np.float32(middle[0] * picture.shape[1]), v * k + np.float32(middle[1] * picture.shape[0]), cv2.INTER_LINEAR, borderMode=border)


def _bent(rng, side, bend):
    """Maps x, y of a tile that see a sheet in perspective and bent about an upright or lying axis, and the light on it."""
    y, x = (np.mgrid[0:side:8, 0:side:8].astype(np.float32) - side / 2) / side
    px, py = rng.normal(0, 0.10, 2)
    w = 1 + px * x + py * y
    shade = np.ones_like(x)
    x, y = x / w, y / w
    if bend:
        amount, phase, upright = rng.normal(0, 0.05), rng.uniform(0, 6.28), rng.random() < 0.5
        t = x if upright else y
        wave = np.sin(t * rng.uniform(1.5, 4) + phase)
        moved = t + amount * (wave - np.sin(phase))
        x, y = (moved, y + 0.3 * amount * wave) if upright else (x + 0.3 * amount * wave, moved)
        shade = 1 + rng.uniform(0, 6) * amount * np.cos(t * 3 + phase)
    x, y, shade = (cv2.resize(m, (side, side)) for m in (x, y, shade))
    return x * side + side / 2, y * side + side / 2, np.clip(shade, 0.4, 1.6)[..., None]


def _frame(rng, kind, card, middle, cover, size):
    """(outline, rim): planes of the card, enlarged by what is around it, where there is something of it and where its picture is.

    Returns them with the middle of the face as shares of these planes and their width in widths of the card.
    """
    tall, wide = card.shape[:2]
    if kind in ("lcd", "oled", "replay"):
        thin = rng.random() < 0.6
        rims = (rng.uniform(0.01, 0.06, 4) if thin else rng.uniform(0.04, 0.25, 4)) * wide
        rims[[0, 2]] = rims[0]
    else:
        rims = np.zeros(4)
    left, top, right, bottom = rims.astype(int)
    inner = np.full((tall, wide), 255, np.uint8)
    if kind == "cutout":
        inner = cover
    elif kind == "mask":
        inner = np.zeros((tall, wide), np.uint8)
        at = (middle * [wide, tall]).astype(int)
        cv2.ellipse(inner, tuple(int(v) for v in at), (int(size * rng.uniform(0.42, 0.55)), int(size * rng.uniform(0.58, 0.75))), 0, 0, 360, 255, -1)
        for side in (-1, 1):
            eye = (int(at[0] + side * 0.2 * size), int(at[1] - rng.uniform(0.08, 0.16) * size))
            cv2.ellipse(inner, eye, (int(size * rng.uniform(0.06, 0.12)), int(size * rng.uniform(0.03, 0.07))), 0, 0, 360, 0, -1)
    picture = cv2.copyMakeBorder(inner, top, bottom, left, right, cv2.BORDER_CONSTANT, value=0)
    outline = picture.copy()
    if left or top:
        outline = np.zeros_like(picture)
        r = int(rng.uniform(0.0, 0.12) * wide)
        for a, b in (((r, 0), (picture.shape[1] - 1 - r, picture.shape[0] - 1)), ((0, r), (picture.shape[1] - 1, picture.shape[0] - 1 - r))):
            cv2.rectangle(outline, a, b, 255, -1)
        for cx in (r, picture.shape[1] - 1 - r):
            for cy in (r, picture.shape[0] - 1 - r):
                cv2.circle(outline, (cx, cy), r, 255, -1)
        picture = cv2.min(picture, outline)
    share = (middle * [wide, tall] + [left, top]) / picture.shape[1::-1]
    return outline, picture, share, picture.shape[1] / wide


def attack(rng, sources, s, face, side, kind):
    """A print, a screen or a mask before the camera."""
    card, middle, pixels, cover = _card(rng, sources, kind)
    outline, picture, share, wider = _frame(rng, kind, card, middle, cover, pixels)
    s.width = card.shape[1] / pixels * face
    light = _shown(rng, s, kind, card, middle, (side, side))
    width = s.width
    s.width = width * wider
    outside, shown = (_flat(s, plane, share, (side, side)) for plane in (outline, picture))
    s.width = width
    screen = kind in ("lcd", "oled", "replay")
    tone = np.float32(rng.choice([0.006, 0.02, 0.05, rng.uniform(0.1, 0.8)], p=[0.4, 0.3, 0.1, 0.2]))
    if screen:
        room = recapture.linear(_surroundings(rng, sources, (side // 8, side // 8, 3)))
        light = light * rng.uniform(0.5, 1.3) + cv2.resize(room, (side, side)) * np.float32(rng.uniform(0, 0.08))
        fall = rng.uniform(-0.35, 0.35, 2) * (rng.random() < 0.5)
        light = light * (1 + fall[0] * np.linspace(-0.5, 0.5, side)[:, None, None] + fall[1] * np.linspace(-0.5, 0.5, side)[None, :, None]).astype(np.float32)
    inside = shown[..., None].astype(np.float32) / 255
    light = light * inside + tone * (1 - inside)
    if rng.random() < (0.35 if screen else 0.25):
        light = light + np.float32(rng.uniform(0.05, 1.0)) * _spot(rng, light.shape[:2])
    x, y, shade = _bent(rng, side, not screen and rng.random() < 0.6)
    light = cv2.remap(light.astype(np.float32), x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE) * shade.astype(np.float32)
    outside = cv2.remap(outside, x, y, cv2.INTER_LINEAR)
    if kind == "mask" or kind == "cutout" and rng.random() < 0.4:
        image, at, size, _ = _material(rng, sources)
        room = _tile(s, image, at + rng.normal(0, 0.05, 2) * size, size, face * rng.uniform(0.85, 1.05), side)
    elif rng.random() < 0.35:
        # Who holds it stands behind it.
        p = sources.portrait(rng, 0.6)
        room = _tile(s, p.image, p.middle + rng.normal([0, 0.3], [0.3, 0.6]) * p.size, p.size, face * rng.uniform(0.6, 1.2), side, cv2.BORDER_REPLICATE)
    else:
        room = cv2.resize(_surroundings(rng, sources, (side // 2, side // 2, 3)), (side, side))
    if kind != "mask":
        outside = _fingers(rng, room, outside, s, card, middle, side)
    room = recapture._lamp(s, recapture.linear(room)) * np.float32(np.exp(rng.uniform(np.log(0.2), np.log(1.6))))
    part = cv2.GaussianBlur(outside, (0, 0), rng.uniform(0.5, 1.5))[..., None].astype(np.float32) / 255
    if rng.random() < 0.5:
        shadow = cv2.GaussianBlur(part, (0, 0), side * rng.uniform(0.01, 0.04))[..., None]
        room = room * (1 - np.float32(rng.uniform(0, 0.6)) * shadow)
    return light * part + room * (1 - part)


def _fingers(rng, room, outside, s, card, middle, side):
    """Draw fingers that hold the card into the room in place; returns what is left of the card's outline."""
    k = s.width * s.fine / card.shape[1]
    corners = (np.array([[0, 0], [1, 0], [1, 1], [0, 1]]) - middle) * card.shape[1::-1] * k + side / 2
    for _ in range(int(rng.choice([0, 1, 2, 4, 6], p=[0.35, 0.15, 0.2, 0.15, 0.15]))):
        polygon = photograph.finger(rng, room, corners.astype(np.float32))
        outside = cv2.fillPoly(outside.copy(), [polygon], 0)
    return outside


def draw(rng, sources, kind):
    """One picture of a kind of KINDS: planes Y, Cb, Cr, uint8 STORED x STORED x 3, the face in the middle."""
    s = _shot(rng)
    face = np.exp(rng.uniform(np.log(48), np.log(125)))
    side = int(SPAN * face) * FINE
    light = live(rng, sources, s, face, side) if kind == "live" else attack(rng, sources, s, face, side, kind)
    picture = recapture.camera(s, _exposed(rng, s, light).astype(np.float32))
    planes = recapture.coded(picture, s.quality)
    shrunk = picture.shape[0] > STORED
    return cv2.resize(planes, (STORED, STORED), interpolation=cv2.INTER_AREA if shrunk else cv2.INTER_CUBIC)
