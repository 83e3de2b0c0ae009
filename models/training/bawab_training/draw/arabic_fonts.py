"""The Arabic font families: which train, which are held out for test pictures, how often each is drawn.

    python -m bawab_training.draw.arabic_fonts install    # packages of fonts.txt, through npm
    python -m bawab_training.draw.arabic_fonts check      # missing glyphs of every file

Families come from Debian packages (apt.txt) and from npm packages of web fonts (fonts.txt, pinned).
The latter hold one file per script; install joins the Arabic and the Latin one into a TrueType file
in the cache folder, BAWAB_FONTS or ~/.cache/bawab/fonts, outside the repository. A document printer
sets naskh and plain sans faces, so they are drawn more often than decorative ones.
"""

import argparse
import functools
import os
import pathlib
import subprocess
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from fontTools import merge
from fontTools.ttLib import TTFont

SYSTEM = pathlib.Path("/usr/share/fonts")
PINNED = pathlib.Path(__file__).resolve().parents[2] / "fonts.txt"

# How often a family of a style is drawn, relative to one of another style. Amiri alone stacks letters as book faces do.
SHARES = {"book": 10.0, "naskh": 4.0, "sans": 3.0, "kufi": 1.5, "hand": 1.0, "display": 0.6}

# family, style, files: of the system's font folder, or web:NAME for those that install makes; ~ is a blank.
_TRAIN = """
amiri book opentype/fonts-hosny-amiri/Amiri-Regular.ttf opentype/fonts-hosny-amiri/Amiri-Bold.ttf
kacst-book naskh truetype/kacst/KacstBook.ttf
kacst-naskh naskh truetype/kacst/KacstNaskh.ttf
kacst-office naskh truetype/kacst/KacstOffice.ttf
kacst-letter naskh truetype/kacst/KacstLetter.ttf
kacst-qurn naskh truetype/kacst/KacstQurn.ttf
noto-naskh naskh web:noto-naskh-arabic-400 web:noto-naskh-arabic-700
scheherazade naskh web:scheherazade-new-400 web:scheherazade-new-700
lateef naskh opentype/lateef/Lateef-Regular.ttf opentype/lateef/Lateef-Bold.ttf
harmattan naskh truetype/harmattan/Harmattan-Regular.ttf truetype/harmattan/Harmattan-Bold.ttf
mirza naskh web:mirza-400 web:mirza-700
furat naskh truetype/fonts-arabeyes/ae_Furat.ttf
dimnah naskh truetype/fonts-arabeyes/ae_Dimnah.ttf
al-hor naskh truetype/fonts-arabeyes/ae_AlHor.ttf
rasheeq naskh truetype/fonts-arabeyes/ae_Rasheeq-Bold.ttf
thabit naskh opentype/fonts-hosny-thabit/Thabit.ttf opentype/fonts-hosny-thabit/Thabit-Bold.ttf
kacst-pen naskh truetype/kacst/KacstPen.ttf
ukij-basma naskh truetype/fonts-ukij-uyghur/UKIJBasma.ttf
ukij-dit naskh truetype/fonts-ukij-uyghur/UKIJDiT.ttf
ukij-me naskh truetype/fonts-ukij-uyghur/UKIJMe.ttf
ukij-nsq naskh truetype/fonts-ukij-uyghur/UKIJNsq.ttf truetype/fonts-ukij-uyghur/UKIJNsqb.ttf
ukij-qara naskh truetype/fonts-ukij-uyghur/UKIJQara.ttf truetype/fonts-ukij-uyghur/UKIJQara-b.ttf
ukij-sls naskh truetype/fonts-ukij-uyghur/UKIJSlsTom.ttf
ukij-tuz naskh truetype/fonts-ukij-uyghur/UKIJTuz.ttf truetype/fonts-ukij-uyghur/UKIJTuzBold.ttf
ukij-tor naskh truetype/fonts-ukij-uyghur/UKIJTor.ttf
paktype-naskh naskh truetype/paktype/PakType~Naskh~Basic.ttf
paktype-tehreer naskh truetype/paktype/PakType~Tehreer.ttf
paktype-ajrak display truetype/paktype/PakType~Ajrak.ttf
ukij-ekran sans truetype/fonts-ukij-uyghur/UKIJEkran.ttf
ukij-bom display truetype/fonts-ukij-uyghur/UKIJBom.ttf
ukij-title kufi truetype/fonts-ukij-uyghur/UKIJTitle.ttf
ukij-kesme hand truetype/fonts-ukij-uyghur/UKIJKesme.ttf truetype/fonts-ukij-uyghur/UKIJKesme-b.ttf
arab sans truetype/fonts-arabeyes/ae_Arab.ttf
cortoba sans truetype/fonts-arabeyes/ae_Cortoba.ttf
mashq sans truetype/fonts-arabeyes/ae_Mashq.ttf truetype/fonts-arabeyes/ae_Mashq-Bold.ttf
dejavu sans truetype/dejavu/DejaVuSans.ttf truetype/dejavu/DejaVuSans-Bold.ttf truetype/dejavu/DejaVuSansCondensed.ttf
dejavu-mono display truetype/dejavu/DejaVuSansMono.ttf
noto-sans sans truetype/noto/NotoSansArabic-Regular.ttf truetype/noto/NotoSansArabic-Bold.ttf
cairo sans web:cairo-400 web:cairo-700
tajawal sans web:tajawal-400 web:tajawal-700
almarai sans web:almarai-400 web:almarai-700
ibm-plex sans web:ibm-plex-sans-arabic-400 web:ibm-plex-sans-arabic-700
vazirmatn sans web:vazirmatn-400 web:vazirmatn-700
readex sans web:readex-pro-400 web:readex-pro-700
rubik sans web:rubik-400 web:rubik-700
mada sans web:mada-400 web:mada-700
baloo sans web:baloo-bhaijaan-2-400 web:baloo-bhaijaan-2-700
el-messiri sans web:el-messiri-400 web:el-messiri-700
alyamama sans web:alyamama-400 web:alyamama-700
beiruti sans web:beiruti-400 web:beiruti-700
fustat sans web:fustat-400 web:fustat-700
lemonada display web:lemonada-400 web:lemonada-700
jomhuria display web:jomhuria-400
ruwudu hand web:ruwudu-400 web:ruwudu-700
alkalami hand web:alkalami-400
kacst-poster display truetype/kacst/KacstPoster.ttf
kacst-title kufi truetype/kacst/KacstTitle.ttf
kacst-screen kufi truetype/kacst/KacstScreen.ttf
noto-kufi kufi truetype/noto/NotoKufiArabic-Regular.ttf truetype/noto/NotoKufiArabic-Bold.ttf
reem-kufi kufi web:reem-kufi-400 web:reem-kufi-700
kufam kufi web:kufam-400 web:kufam-700
changa kufi web:changa-400 web:changa-700
hani kufi truetype/fonts-arabeyes/ae_Hani.ttf
salem kufi truetype/fonts-arabeyes/ae_Salem.ttf
tarablus kufi truetype/fonts-arabeyes/ae_Tarablus.ttf
khalid kufi truetype/fonts-arabeyes/ae_Khalid.ttf
petra kufi truetype/fonts-arabeyes/ae_Petra.ttf
kacst-farsi hand truetype/kacst/KacstFarsi.ttf
aref-ruqaa hand web:aref-ruqaa-400 web:aref-ruqaa-700
tholoth hand truetype/fonts-arabeyes/ae_Tholoth.ttf
nice hand truetype/fonts-arabeyes/ae_Nice.ttf
al-battar display truetype/fonts-arabeyes/ae_AlBattar.ttf
kayrawan display truetype/fonts-arabeyes/ae_Kayrawan.ttf
marhey display web:marhey-400 web:marhey-700
rakkas display web:rakkas-400
katibeh display web:katibeh-400
kacst-art display truetype/kacst/KacstArt.ttf
ostorah display truetype/fonts-arabeyes/ae_Ostorah.ttf
metal sans truetype/fonts-arabeyes/ae_Metal.ttf
al-yarmook sans truetype/fonts-arabeyes/ae_AlYarmook.ttf
ukij-cjk sans truetype/fonts-ukij-uyghur/UKIJCJK.ttf
sharjah kufi truetype/fonts-arabeyes/ae_Sharjah.ttf
rehan kufi truetype/fonts-arabeyes/ae_Rehan.ttf
ouhod display truetype/fonts-arabeyes/ae_Ouhod-Bold.ttf
graph display truetype/fonts-arabeyes/ae_Graph.ttf
hor hand truetype/fonts-arabeyes/ae_Hor.ttf
nagham hand truetype/fonts-arabeyes/ae_Nagham.ttf
sindbad hand truetype/fonts-arabeyes/ae_Sindbad.ttf
"""
_HELD_OUT = """
free-farsi naskh truetype/freefarsi/FreeFarsi.ttf truetype/freefarsi/FreeFarsi-Bold.ttf
kacst-one naskh truetype/kacst-one/KacstOne.ttf truetype/kacst-one/KacstOne-Bold.ttf
markazi naskh web:markazi-text-400 web:markazi-text-700
al-arabiya sans truetype/fonts-arabeyes/ae_AlArabiya.ttf
alexandria kufi web:alexandria-400 web:alexandria-700
lalezar display web:lalezar-400
"""

LETTERS = "ءآأؤإئابةتثجحخدذرزسشصضطظعغفقكلمنهوىي"
DIGITS = "٠١٢٣٤٥٦٧٨٩"
PUNCTUATION = "0123456789.,:;-–/()\"'!?%+=&@#*_،؛؟«»"

# Files whose ASCII digits are drawn as Arabic-Indic ones: what they print is not what the text says.
_FALSE_DIGITS = ("KacstOne.ttf", "KacstOne-Bold.ttf")


def cache() -> pathlib.Path:
    """The folder of the fonts that install makes."""
    return pathlib.Path(os.environ.get("BAWAB_FONTS") or pathlib.Path.home() / ".cache/bawab/fonts")


@dataclass(frozen=True)
class Family:
    """One family: its style (a key of SHARES) and its files, weights of the same design."""

    name: str
    style: str
    files: tuple[str, ...]


def _path(name: str) -> str:
    path = cache() / (name[4:] + ".ttf") if name.startswith("web:") else SYSTEM / name.replace("~", " ")
    if not path.exists():
        raise FileNotFoundError(f"find font {path}: install the packages of apt.txt, then run arabic_fonts install")
    return str(path)


@functools.lru_cache
def families(held_out: bool = False) -> tuple[Family, ...]:
    """The families for training, or those held out for test pictures."""
    rows = [row.split() for row in (_HELD_OUT if held_out else _TRAIN).strip().splitlines()]
    return tuple(Family(name, style, tuple(map(_path, files))) for name, style, *files in rows)


def paths(held_out: bool = False) -> list[str]:
    """The font files of all families."""
    return [path for family in families(held_out) for path in family.files]


@functools.lru_cache
def weights(held_out: bool = False) -> npt.NDArray[np.float64]:
    """How often each of paths is to be drawn; the sum is 1."""
    shares = [SHARES[f.style] / len(f.files) for f in families(held_out) for _ in f.files]
    return np.array(shares) / sum(shares)


def draw(rng: np.random.Generator, held_out: bool = False) -> str:
    """Draw one font file by weights."""
    files = paths(held_out)
    return files[int(rng.choice(len(files), p=weights(held_out)))]


@functools.lru_cache(maxsize=400)
def signs(path: str) -> frozenset[int]:
    """The code points that the font at path prints as what they are."""
    with TTFont(path, fontNumber=0, lazy=True) as font:
        known = frozenset(font.getBestCmap())
    return known - frozenset(map(ord, "0123456789")) if path.endswith(_FALSE_DIGITS) else known


def install() -> None:
    """Fetch the packages of fonts.txt and write one joined TrueType file per family and weight."""
    folder = cache()
    folder.mkdir(parents=True, exist_ok=True)
    packages = PINNED.read_text().split()
    command = ["npm", "install", "--prefix", str(folder), "--no-save", "--no-audit", "--no-fund", "--ignore-scripts"]
    subprocess.run(command + packages, check=True)
    for package in packages:
        name = package.split("/")[1].rsplit("@", 1)[0]
        for weight in (400, 700):
            _join(folder, name, weight)


def _join(folder: pathlib.Path, name: str, weight: int) -> None:
    files = folder / "node_modules/@fontsource" / name / "files"
    parts = []
    for script in ("arabic", "latin"):
        source = files / f"{name}-{script}-{weight}-normal.woff"
        if source.exists():
            with TTFont(source) as font:
                font.flavor = None
                parts.append(str(folder / f"{script}.part"))
                font.save(parts[-1])
    if parts:
        merge.Merger().merge(parts).save(folder / f"{name}-{weight}.ttf")
        for part in parts:
            os.remove(part)


def check() -> None:
    """Print what each file lacks; every one must have all letters and Arabic-Indic digits."""
    for held_out in (False, True):
        for family in families(held_out):
            for path in family.files:
                known = signs(path)
                lost = [sign for sign in LETTERS + DIGITS if ord(sign) not in known]
                if lost:
                    raise ValueError(f"check {path}: no glyph for {''.join(lost)}")
                rest = "".join(sign for sign in PUNCTUATION if ord(sign) not in known)
                print("test " if held_out else "train", family.name, family.style, os.path.basename(path), rest)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("action", choices=["install", "check"])
    {"install": install, "check": check}[parser.parse_args().action]()
