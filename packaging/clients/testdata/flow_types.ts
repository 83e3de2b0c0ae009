import { readFileSync } from "node:fs";
import type { paths } from "./types.js";

const picture = (name: string) => readFileSync("models/samples/" + name, "base64");

type Post = { [P in keyof paths]: paths[P] extends { post: { requestBody: { content: unknown } } } ? P : never }[keyof paths];
type Body<P extends Post> = paths[P]["post"]["requestBody"]["content"]["application/json"];
type Answer<P extends Post> = paths[P]["post"]["responses"][200]["content"]["application/json"];
type Failure = paths["/ocr/id/front"]["post"]["responses"][400]["content"]["application/json"];

async function post<P extends Post>(path: P, body: Body<P>): Promise<Answer<P>> {
  const answer = await fetch(process.env.API_URL + "/v1" + path, {
    method: "POST",
    headers: { "Content-Type": "application/json", ApiKey: process.env.API_KEY! },
    body: JSON.stringify(body),
  });
  return answer.json();
}

async function flow() {
  const front = (await post("/ocr/id/front", { image: picture("id_front.jpg"), evidence: true })).data;
  const transaction_id = front.transaction_id;
  const back = (await post("/ocr/id/back", { transaction_id, image: picture("id_back.jpg") })).data;
  const match = (await post("/ocr/face/match", { transaction_id, image: picture("burst/1.jpg") })).data;
  const [face_1, face_2, face_3] = [1, 2, 3].map((i) => picture(`burst/${i}.jpg`));
  const live = (await post("/ocr/liveness/multi", { transaction_id, face_1, face_2, face_3 })).data;
  const failure = (await post("/ocr/id/front", { image: "AAAA" })) as unknown as Failure;
  console.log(front.idNumber === back.idNumber, match.isMatched, live.isLive, failure.error_code);
}
void flow();
