#!/bin/bash
# Prints the parts of the program as a bill of materials (CycloneDX 1.5, JSON):
#
#   packaging/sbom.sh VERSION
#
# It is made from the list of parts that packaging/licences.sh keeps, so that
# both say the same. SOURCE_DATE_EPOCH is its date.
set -euo pipefail

version=${1:?usage: packaging/sbom.sh VERSION}
here=$(cd "$(dirname "$0")" && pwd)
date=$(date -u -d "@${SOURCE_DATE_EPOCH:-$(git -C "$here" log -1 --format=%ct)}" +%Y-%m-%dT%H:%M:%SZ)

"$here/licences.sh" table | cut -f 1-3 | awk -F '\t' -v version="$version" -v date="$date" '
function quoted(s) {
	gsub(/\\/, "\\\\", s)
	gsub(/"/, "\\\"", s)
	return "\"" s "\""
}
BEGIN {
	printf "{\"bomFormat\":\"CycloneDX\",\"specVersion\":\"1.5\",\"version\":1,\"metadata\":{\"timestamp\":%s,", quoted(date)
	printf "\"component\":{\"type\":\"application\",\"bom-ref\":\"bawab\",\"name\":\"bawab\",\"version\":%s,", quoted(version)
	printf "\"licenses\":[{\"license\":{\"id\":\"Apache-2.0\"}}]}},\"components\":["
}
{
	if ($2 == "-") $2 = ""
	purl = ($1 ~ /^[a-z0-9.-]+\.[a-z]+\// && $2 != "") ? "pkg:golang/" $1 "@" $2 : ""
	printf "%s\n{\"type\":\"library\",\"bom-ref\":%s,\"name\":%s", n++ ? "," : "", quoted($1 "@" $2), quoted($1)
	if ($2 != "") printf ",\"version\":%s", quoted($2)
	if (purl != "") printf ",\"purl\":%s", quoted(purl)
	printf ",\"licenses\":[{\"license\":{\"name\":%s}}]}", quoted($3)
}
END { print "\n]}" }'
