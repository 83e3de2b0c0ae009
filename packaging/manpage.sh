#!/bin/bash
# Writes the man page out of what the program says about itself, so that it is
# never stale:
#
#   packaging/manpage.sh PROGRAM >bawab.1
set -euo pipefail

program=${1:?usage: packaging/manpage.sh PROGRAM}

# quote makes text safe for roff.
quote() { sed -e 's/\\/\\e/g' -e 's/-/\\-/g' -e "s/^[.']/\\\\\&&/" -e "s/'/\\\\(aq/g" -e 's/`/\\(ga/g'; }

# verbatim shows text as it stands.
verbatim() { printf '.nf\n' && quote && printf '.fi\n'; }

say=$("$program" --help)
printf '.TH BAWAB 1 "%s" "bawab" "User Commands"\n' "${DATE:-$(date -u +%Y-%m-%d)}"
printf '.SH NAME\nbawab \\- reader of Egyptian identity documents\n'
printf '.SH SYNOPSIS\n.B bawab\n.I COMMAND\n.RI [ ARGUMENT ...]\n.SH DESCRIPTION\n'
verbatim <<<"$say"
printf '.SH COMMANDS\n'
sed -n '/^commands:/,/^$/s/^  \([a-z]*\) .*/\1/p' <<<"$say" | while read -r name; do
	printf '.SS bawab %s\n' "$name"
	"$program" "$name" --help 2>&1 | verbatim
done
printf '.SH FILES\n'
printf '.TP\n.I /etc/bawab/bawab.yaml\nthe configuration\n'
printf '.TP\n.I /var/lib/bawab\nthe data folder, mode 0700\n'
printf '.SH EXIT STATUS\n0 when all went well, 1 after an error, 2 for a wrong call.\n'
