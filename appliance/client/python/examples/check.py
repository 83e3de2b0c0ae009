"""One identity check: python3 check.py FOLDER-OF-PICTURES, with API_URL and API_KEY in the environment."""

import asyncio
import os
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))  # not needed once bawab is installed

import bawab

pictures = Path(sys.argv[1])
url, key = os.environ["API_URL"], os.environ["API_KEY"]


def check() -> None:
    client = bawab.Client(url, key)
    front = client.id_front(pictures / "id_front.jpg")
    id = front.data["transaction_id"]
    print("name:", front.data["name"])
    print("born:", front.data["dateOfBirth"])
    back = client.id_back(pictures / "id_back.jpg", transaction_id=id)
    print("the back has the same number:", str(back.data["idNumber"] == front.data["idNumber"]).lower())


async def faces() -> None:
    client = bawab.AsyncClient(url, key, language="ar")
    front = await client.id_front(pictures / "id_front.jpg")
    id = front.data["transaction_id"]
    match = await client.match_face(id, pictures / "burst/1.jpg")
    print("matched:", str(match.data["isMatched"]).lower())
    live = await client.liveness(id, *(pictures / f"burst/{i}.jpg" for i in (1, 2, 3)))
    print("live:", str(live.data["isLive"]).lower())
    try:
        await client.id_front(b"no picture")
    except bawab.errors.PictureKind as failure:
        print(failure.code, failure.message)


check()
asyncio.run(faces())
