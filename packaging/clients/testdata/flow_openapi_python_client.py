import base64
import os

from bawab_client import AuthenticatedClient
from bawab_client.api.documents import read_id_back, read_id_front
from bawab_client.api.faces import check_liveness, match_face
from bawab_client.models import DocumentRequest, FaceMatchRequest, LivenessRequest


def picture(name):
    with open("models/samples/" + name, "rb") as f:
        return base64.b64encode(f.read()).decode()


client = AuthenticatedClient(
    base_url=os.environ["API_URL"] + "/v1", token=os.environ["API_KEY"], prefix="", auth_header_name="ApiKey", timeout=60
)
front = read_id_front.sync(client=client, body=DocumentRequest(image=picture("id_front.jpg"), evidence=True)).data
id = front.transaction_id
back = read_id_back.sync(client=client, body=DocumentRequest(transaction_id=id, image=picture("id_back.jpg"))).data
match = match_face.sync(client=client, body=FaceMatchRequest(transaction_id=id, image=picture("burst/1.jpg"))).data
three = {f"face_{i}": picture(f"burst/{i}.jpg") for i in (1, 2, 3)}
live = check_liveness.sync(client=client, body=LivenessRequest(transaction_id=id, **three)).data
failure = read_id_front.sync(client=client, body=DocumentRequest(image="AAAA"))
print(front.id_number == back.id_number, match.is_matched, live.is_live, int(failure.error_code))
