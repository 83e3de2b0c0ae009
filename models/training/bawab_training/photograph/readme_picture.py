"""The picture at the top of the README: what `bawab scan --draw` drew on a sample, and the fields of the same reading beside it.

    bin/bawab scan models/samples/id_front.jpg --endpoint id/front --draw drawn.jpg > answer.json
    python -m bawab_training.photograph.readme_picture drawn.jpg answer.json ../../docs/picture.jpg

The values that the picture shows are in the comment of the JPEG file, so that a test finds a stale one.
"""

import argparse
import json

from PIL import Image, ImageDraw, ImageFont

CARD = (100, 250, 1400, 1150)  # the card in the drawing, in pixels
SCALE = 0.5
FIELDS = ("name", "idNumber", "dateOfBirth", "gender", "govern", "address_1", "address_2", "idKey", "first_name_english", "last_names_english")
GROUND, LABEL, VALUE = "#0d1117", "#7ee787", "#e6edf3"


def draw(drawing: Image.Image, values: dict[str, str], sans: str, mono: str) -> Image.Image:
    """Returns the drawing's card with the values at its right."""
    card = drawing.convert("RGB").crop(CARD)
    card = card.resize((round(card.width * SCALE), round(card.height * SCALE)), Image.Resampling.LANCZOS)
    picture = Image.new("RGB", (card.width + 490, card.height), GROUND)
    picture.paste(card, (0, 0))
    pen = ImageDraw.Draw(picture)
    label, value = ImageFont.truetype(mono, 15), ImageFont.truetype(sans, 19)
    for i, (name, said) in enumerate(values.items()):
        y = 18 + i * (card.height - 20) / len(values)
        pen.text((card.width + 20, y + 4), name, LABEL, font=label)
        pen.text((card.width + 205, y), said, VALUE, font=value)
    return picture


def main() -> None:
    """Draws the picture of the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("drawing")
    parser.add_argument("answer")
    parser.add_argument("out")
    parser.add_argument("--sans", default="/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf")
    parser.add_argument("--mono", default="/usr/share/fonts/truetype/dejavu/DejaVuSansMono.ttf")
    arguments = parser.parse_args()
    with open(arguments.answer, encoding="utf-8") as f:
        data = json.load(f)["data"]
    values = {name: data[name] for name in FIELDS}
    with Image.open(arguments.drawing) as drawing:
        picture = draw(drawing, values, arguments.sans, arguments.mono)
    picture.save(arguments.out, quality=85, optimize=True, comment=json.dumps(values, ensure_ascii=False).encode())


if __name__ == "__main__":
    main()
