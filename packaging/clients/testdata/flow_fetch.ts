import { readFileSync } from "node:fs";
import { Configuration, DocumentsApi, FacesApi, ResponseError } from "./index.js";

const picture = (name: string) => readFileSync("models/samples/" + name, "base64");
const configuration = new Configuration({ basePath: process.env.API_URL + "/v1", apiKey: process.env.API_KEY! });
const documents = new DocumentsApi(configuration);
const faces = new FacesApi(configuration);

async function flow() {
  const front = (await documents.readIDFront({ documentRequest: { image: picture("id_front.jpg"), evidence: true } })).data;
  const transactionId = front.transactionId;
  const back = (await documents.readIDBack({ documentRequest: { transactionId, image: picture("id_back.jpg") } })).data;
  const match = (await faces.matchFace({ faceMatchRequest: { transactionId, image: picture("burst/1.jpg") } })).data;
  const [face1, face2, face3] = [1, 2, 3].map((i) => picture(`burst/${i}.jpg`));
  const live = (await faces.checkLiveness({ livenessRequest: { transactionId, face1, face2, face3 } })).data;
  const code = await documents.readIDFront({ documentRequest: { image: "AAAA" } }).then(
    () => 0,
    async (e: ResponseError) => (await e.response.json()).error_code,
  );
  console.log(front.idNumber === back.idNumber, match.isMatched, live.isLive, code);
}
void flow();
