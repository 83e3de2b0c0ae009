#!/bin/bash
# clients/check.sh FOLDER: proves that the description of the API is sound, and that clients generated from it make a whole check.
# Tools of the versions named here are kept in FOLDER. The daemon runs on a free port of loopback with data of its own.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
mkdir -p "$1"
work=$(cd "$1" && pwd)
data=$root/packaging/clients/testdata
described=$root/appliance/httpapi/openapi.yaml
generator=7.25.0
oapi=v2.8.2

step() { printf '\n== %s\n' "$*"; }

step "tools"
for tool in java node npm python3 go mvn curl; do
	command -v "$tool" >/dev/null || { echo "clients-check: install $tool first" >&2; exit 1; }
done
cp "$data/package.json" "$work/package.json"
(cd "$work" && npm install --silent --no-audit --no-fund --ignore-scripts)
[ -x "$work/python/bin/pip" ] || python3 -m venv "$work/python"
"$work/python/bin/pip" install -q -r "$data/requirements.txt"
jar=$work/openapi-generator-cli-$generator.jar
if [ ! -s "$jar" ]; then
	mvn -q -B -Dstyle.color=never org.apache.maven.plugins:maven-dependency-plugin:2.8:copy \
		-Dartifact="org.openapitools:openapi-generator-cli:$generator:jar" -DoutputDirectory="$work"
fi
# Neither the flags of cgo nor this module are meant for what is generated.
export GOFLAGS=-mod=mod CGO_ENABLED=0 GOWORK=off
[ -x "$work/bin/oapi-codegen" ] || GOBIN=$work/bin go install "github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@$oapi"

step "lint"
"$work/python/bin/openapi-spec-validator" "$described"
"$work/node_modules/.bin/redocly" lint --format=summary "$described"
"$work/node_modules/.bin/spectral" lint --fail-severity=warn -r "$data/spectral.yaml" "$described"

step "generate"
cd "$work"
rm -rf generated
mkdir -p generated/types generated/oapi/api
generate() { java -jar "$jar" generate -i "$described" -g "$1" -o "generated/$1" "${@:2}" >"generated/$1.log" 2>&1 || { tail "generated/$1.log"; exit 1; }; }
generate python
generate go --additional-properties=packageName=api,enumClassPrefix=true
generate typescript-fetch
generate java --additional-properties=library=native
python/bin/openapi-python-client generate --path "$described" --output-path generated/python-client --config <(echo 'post_hooks: []')
bin/oapi-codegen -generate types,client -package api "$described" >generated/oapi/api/api.go
node_modules/.bin/openapi-typescript "$described" -o generated/types/types.ts

step "compile"
python/bin/pip install -q --force-reinstall --no-deps generated/python generated/python-client
python/bin/pip install -q pydantic python-dateutil urllib3 typing-extensions lazy-imports
mkdir -p generated/go/flow
cp "$data/flow_openapi_generator.go" generated/go/flow/main.go
(cd generated/go && go mod tidy 2>/dev/null && go build -o ../flow-go ./flow)
cp "$data/flow_oapi_codegen.go" generated/oapi/main.go
(cd generated/oapi && printf 'module proof\n\ngo 1.26\n' >go.mod && go mod tidy 2>/dev/null && go build -o ../flow-oapi .)
cp "$data/flow_fetch.ts" "$data/tsconfig.json" generated/typescript-fetch
cp "$data/flow_types.ts" "$data/tsconfig.json" generated/types
node_modules/.bin/tsc -p generated/typescript-fetch
node_modules/.bin/tsc -p generated/types
cp "$data/Flow.java" generated/java/src/main/java/Flow.java
(cd generated/java && mvn -q -DskipTests compile dependency:build-classpath -Dmdep.outputFile=classpath)

step "one check with each client"
export API_URL API_KEY
store=$(mktemp -d)
"$root/bin/bawab" serve --listen 127.0.0.1:0 --data "$store" >"$store/log" 2>&1 &
daemon=$!
trap 'kill $daemon 2>/dev/null; wait $daemon || true; rm -rf "$store"' EXIT
for _ in $(seq 100); do
	API_URL=$(grep -o 'http://127.0.0.1:[0-9]*' "$store/log" | head -1 || true)
	[ -n "$API_URL" ] && curl -fs -o /dev/null "$API_URL/readyz" && break
	kill -0 $daemon || { cat "$store/log"; exit 1; }
	sleep 0.2
done
API_KEY=$("$root/bin/bawab" keys add clients-check --scopes ocr,face,camera,review,admin --data "$store" | grep -oE '[A-Za-z0-9_-]{43}' | head -1)
cd "$root"
failed=0
flow() {
	said=$("${@:2}" 2>&1 | tr '[:upper:]' '[:lower:]' | tail -1) || true
	printf '%-24s %s\n' "$1" "$said"
	[ "$said" = "true true true 5001" ] || failed=1
}
flow openapi-generator/python "$work/python/bin/python" "$data/flow_openapi_generator.py"
flow openapi-generator/go "$work/generated/flow-go"
flow openapi-generator/fetch node "$work/generated/typescript-fetch/dist/flow_fetch.js"
flow openapi-generator/java java -cp "$work/generated/java/target/classes:$(cat "$work/generated/java/classpath")" Flow
flow openapi-python-client "$work/python/bin/python" "$data/flow_openapi_python_client.py"
flow oapi-codegen "$work/generated/flow-oapi"
flow openapi-typescript node "$work/generated/types/dist/flow_types.js"
[ $failed = 0 ] || { echo "clients-check: a client did not answer: true true true 5001" >&2; exit 1; }

step "schemathesis"
cd "$work" # where it keeps what it found
"$work/python/bin/schemathesis" --config-file "$data/schemathesis.toml" run "$described" --url "$API_URL/v1" -H "ApiKey: $API_KEY" \
	--exclude-path /camera/preview --exclude-path /events --phases examples,coverage,fuzzing --no-color
