// The client against servers that answer as the appliance does, well and badly.
import assert from "node:assert/strict";
import { createServer } from "node:http";
import { test } from "node:test";
import { BawabError, Client, Code } from "../bawab.js";

const failure = (code) => JSON.stringify({ data: null, Services: null, error_code: code, error_message: "sentence" });
const success = JSON.stringify({ data: { result: "س ن ب 1234" }, Services: {}, error_code: 0, error_message: "" });

// serve answers requests one after the other with [status, body, headers]; none left is silence.
async function serve(answers, use) {
  const requests = [];
  let gone;
  const left = new Promise((resolve) => (gone = resolve));
  const server = createServer((request, response) => {
    let body = "";
    response.on("close", () => response.writableEnded || gone(true));
    request.on("data", (part) => (body += part)).on("end", () => {
      requests.push({ path: request.url, headers: request.headers, members: JSON.parse(body) });
      const answer = answers.shift();
      if (answer) response.writeHead(answer[0], { "X-Request-Id": "r", ...answer[2] }).end(answer[1]);
    });
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  try {
    await use(`http://127.0.0.1:${server.address().port}/`, requests, left);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

test("a request has key, language and the picture in base64 from each kind of source, and no member that was not given", async () => {
  const canvas = { toBlob: (done) => done(new Blob(["abc"])) };
  const offscreen = { convertToBlob: async () => new Blob(["abc"]) };
  const bytes = new TextEncoder().encode("abc");
  for (const image of [bytes, bytes.buffer, new Blob(["abc"]), new File(["abc"], "a.jpg"), Buffer.from("abc"), "YWJj", canvas, offscreen]) {
    await serve([[200, success]], async (url, requests) => {
      const answer = await new Client(url, "secret", { language: "ar" }).licensePlate(image, { clientTransactionId: "desk" });
      const [{ path, headers, members }] = requests;
      assert.deepEqual([path, headers.apikey, headers["accept-language"]], ["/v1/ocr/license_plate", "secret", "ar"]);
      assert.deepEqual(members, { client_transaction_id: "desk", image: "YWJj" });
      assert.deepEqual([answer.data.result, answer.requestId], ["س ن ب 1234", "r"]);
    });
  }
  await assert.rejects(new Client("http://127.0.0.1:9", "k").passport(7), TypeError);
});

test("a failure has its code, and what is no answer of bawab has code 0", async () => {
  await serve([[400, failure(3011)], [502, "<html>"]], async (url) => {
    const client = new Client(url, "k");
    await assert.rejects(client.passport("AA"), (e) => e instanceof BawabError && e.code === Code.NoDocument && e.message === "sentence" && e.requestId === "r");
    await assert.rejects(client.passport("AA"), { code: Code.NoAnswer, status: 502 });
  });
  await assert.rejects(new Client("http://127.0.0.1:9", "k").passport("AA"), { code: Code.NoAnswer });
});

test("an answer with Retry-After is tried again after that time; one without, or with too long a wait, is not", async () => {
  await serve([[503, failure(503), { "Retry-After": "1" }], [429, failure(429), { "Retry-After": "0" }], [200, success]], async (url, requests) => {
    const began = performance.now();
    await new Client(url, "k").passport("AA");
    assert.equal(requests.length, 3);
    assert.ok(performance.now() - began >= 990);
  });
  for (const headers of [{}, { "Retry-After": "31" }, { "Retry-After": "soon" }]) {
    await serve([[503, failure(503), headers], [200, success]], async (url) => {
      await assert.rejects(new Client(url, "k").passport("AA"), { code: Code.Unavailable });
    });
  }
  await serve(Array(3).fill([429, failure(429), { "Retry-After": "0" }]), async (url, requests) => {
    await assert.rejects(new Client(url, "k", { retries: 2 }).passport("AA"), { code: Code.TooMany });
    assert.equal(requests.length, 3);
  });
});

test("a signal ends a call, in its wait for the answer and between two tries, and the server sees it go", async () => {
  await serve([], async (url, _, left) => {
    await assert.rejects(new Client(url, "k").passport("AA", { signal: AbortSignal.timeout(200) }), { name: "TimeoutError" });
    assert.ok(await left);
  });
  await serve([[503, failure(503), { "Retry-After": "20" }]], async (url) => {
    await assert.rejects(new Client(url, "k").passport("AA", { signal: AbortSignal.timeout(200) }), { name: "TimeoutError" });
  });
  await serve([], async (url) => {
    await assert.rejects(new Client(url, "k", { timeout: 0.2 }).passport("AA"), { code: Code.NoAnswer });
  });
});
