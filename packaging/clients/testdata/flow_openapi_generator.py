import base64
import os

from openapi_client import ApiClient, Configuration, DocumentRequest, DocumentsApi, FaceMatchRequest, FacesApi, LivenessRequest
from openapi_client.exceptions import BadRequestException


def picture(name):
    with open("models/samples/" + name, "rb") as f:
        return base64.b64encode(f.read()).decode()


configuration = Configuration(host=os.environ["API_URL"] + "/v1", api_key={"ApiKey": os.environ["API_KEY"]})
with ApiClient(configuration) as client:
    documents, faces = DocumentsApi(client), FacesApi(client)
    front = documents.read_id_front(DocumentRequest(image=picture("id_front.jpg"), evidence=True)).data
    back = documents.read_id_back(DocumentRequest(transaction_id=front.transaction_id, image=picture("id_back.jpg"))).data
    match = faces.match_face(FaceMatchRequest(transaction_id=front.transaction_id, image=picture("burst/1.jpg"))).data
    three = {f"face_{i}": picture(f"burst/{i}.jpg") for i in (1, 2, 3)}
    live = faces.check_liveness(LivenessRequest(transaction_id=front.transaction_id, **three)).data
    try:
        documents.read_id_front(DocumentRequest(image="AAAA"))
    except BadRequestException as failure:
        print(front.id_number == back.id_number, match.is_matched, live.is_live, int(failure.data.error_code))
