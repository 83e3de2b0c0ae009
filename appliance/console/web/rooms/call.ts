// The call that was just made, as a program would make it.

export type Tongue = "curl" | "python" | "typescript";

// example writes the call of an endpoint with one picture. The key is left to the reader: a page shows no secret.
export function example(tongue: Tongue, origin: string, endpoint: string, file: string, transaction: string | null): string {
  const url = `${origin}/v1/${endpoint}`;
  const name = /^[\w.-]+$/.test(file) ? file : "picture.jpg";
  const id = transaction === null ? "" : transaction;
  switch (tongue) {
    case "curl":
      return `{ printf '{"evidence":true,${id && `"transaction_id":"${id}",`}"image":"'; base64 -w0 ${name}; printf '"}'; } |
  curl -sS ${url} \\
    -H "ApiKey: $API_KEY" \\
    -H 'Content-Type: application/json' \\
    --data-binary @-
`;
    case "python":
      return `import base64, json, os, urllib.request

with open("${name}", "rb") as picture:
    body = {
        "image": base64.b64encode(picture.read()).decode(),
        "evidence": True,${id && `\n        "transaction_id": "${id}",`}
    }
request = urllib.request.Request(
    "${url}",
    data=json.dumps(body).encode(),
    headers={"ApiKey": os.environ["API_KEY"], "Content-Type": "application/json"},
)
with urllib.request.urlopen(request) as answer:
    print(json.load(answer))
`;
    case "typescript":
      return `import { readFile } from "node:fs/promises";

const answer = await fetch("${url}", {
  method: "POST",
  headers: { ApiKey: process.env.API_KEY!, "Content-Type": "application/json" },
  body: JSON.stringify({
    image: (await readFile("${name}")).toString("base64"),
    evidence: true,${id && `\n    transaction_id: "${id}",`}
  }),
});
console.log(await answer.json());
`;
  }
}
