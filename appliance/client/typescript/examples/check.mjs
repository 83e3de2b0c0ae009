// One identity check: node check.mjs FOLDER-OF-PICTURES, with API_URL and API_KEY in the environment.
import { readFile } from "node:fs/promises";
import { BawabError, Client, Code } from "../bawab.js"; // "bawab" once it is installed

const picture = (name) => readFile(`${process.argv[2]}/${name}`);
const client = new Client(process.env.API_URL, process.env.API_KEY, { language: "ar" });

const front = await client.idFront(await picture("id_front.jpg"));
const transactionId = front.data.transaction_id;
console.log("name:", front.data.name);
console.log("born:", front.data.dateOfBirth);
const back = await client.idBack(await picture("id_back.jpg"), { transactionId });
console.log("the back has the same number:", back.data.idNumber === front.data.idNumber);
const match = await client.matchFace(transactionId, await picture("burst/1.jpg"));
console.log("matched:", match.data.isMatched);
const faces = await Promise.all([1, 2, 3].map((i) => picture(`burst/${i}.jpg`)));
const live = await client.liveness(transactionId, faces);
console.log("live:", live.data.isLive);
try {
  await client.idFront(new TextEncoder().encode("no picture"));
} catch (e) {
  if (!(e instanceof BawabError) || e.code !== Code.PictureKind) throw e;
  console.log(e.code, e.message);
}
