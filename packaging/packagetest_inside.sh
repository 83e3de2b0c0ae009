#!/bin/bash
# The part of packagetest.sh that runs beside one root file system, in
# namespaces of its own, where nothing but loopback is reached:
#
#   packaging/packagetest_inside.sh deb|rpm ROOT SAMPLES
set -euo pipefail

format=$1 root=$2 samples=$3
mount --make-rprivate /
mount -t proc proc "$root/proc"
ip link set lo up

step() { echo "  $*"; }

wrong() {
	echo "  FAILED: $*" >&2
	tail -n 20 "$root/run/bawab.log" "$root/tmp/out" >&2 2>/dev/null || true
	exit 1
}

inside() { env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin DEBIAN_FRONTEND=noninteractive LC_ALL=C chroot "$root" "$@"; }

# package installs or upgrades to one of the packages in /packages. A failure
# after unpacking is no more than a warning to rpm.
package() {
	case $format in
	deb) inside dpkg --force-confold -i "/packages/$1" ;;
	rpm) rpm --root "$root" --nodeps --nosignature --ignorearch --oldpackage -U "$root/packages/$1" ;;
	esac >"$root/tmp/out" 2>&1 && ! grep -q 'scriptlet failed' "$root/tmp/out"
}

# file is the file of a version.
file() { basename "$root"/packages/bawab?"$1"*."$format"; }

version() { inside /usr/bin/bawab version | sed 's/^bawab \([^,]*\),.*/\1/'; }

installed() {
	# shellcheck disable=SC2016 # dpkg-query's own words
	case $format in
	deb) inside dpkg-query -W -f '${Status} ${Version}' bawab ;;
	rpm) rpm --root "$root" -q --qf 'install ok installed %{VERSION}' bawab ;;
	esac
}

# program is the SHA-256 of all that the package's program is made of.
program() { (cd "$root/usr" && { cat bin/bawab lib/bawab/* lib/systemd/system/bawab.service ../lib/systemd/system/bawab.service 2>/dev/null || true; }) | sha256sum; }

# ask reads a sample over HTTP and prints the answer.
ask() {
	{ printf '{"client_transaction_id":"test","image":"' && base64 -w0 "$samples/$2" && printf '"}'; } |
		curl -sS --max-time 60 "http://127.0.0.1:8080/v1/ocr/$1" -H 'Content-Type: application/json' -H "ApiKey: $key" --data-binary @-
}

# reads is the daemon's real work: a passport and an ID.
reads() {
	local answer
	answer=$(ask passport passport.jpg)
	grep -q '"passport_no": *"A54334171"' <<<"$answer" || wrong "the passport was not read ($1): $answer"
	answer=$(ask id/front id_front.jpg)
	grep -q '"idNumber": *"25311022477412"' <<<"$answer" || wrong "the ID was not read ($1): $answer"
	curl -sS -o /dev/null -w '%{http_code}' http://127.0.0.1:8080/readyz | grep -qx 200 || wrong "not ready ($1)"
}

# kept checks that the database is sound and holds at least so many transactions.
kept() {
	local said count
	said=$(inside /usr/bin/bawab store check) || wrong "the database is not sound: $said"
	count=$(sed -n 's/.* \([0-9]*\) transactions\{0,1\} with.*/\1/p' <<<"$said" | head -n 1)
	[ "${count:-0}" -ge "$1" ] || wrong "$count transactions, at least $1 were made: $said"
}

mode() { stat -c '%a %U:%G' "$root$1"; }

mkdir -p "$root/run/systemd/system" # systemd seems to run; its stand-in does
before=$(cd "$root" && find . -xdev -not -path './proc/*' -not -path './packages*' | sort)

step "fresh install"
package "$(file 0~before)" || wrong "installing failed"
inside getent passwd bawab | grep -q '/var/lib/bawab:.*nologin' || wrong "no account"
[ "$(inside stat -c '%a %U:%G' /var/lib/bawab)" = "700 bawab:bawab" ] || wrong "data folder: $(mode /var/lib/bawab)"
[ -L "$root/etc/systemd/system/multi-user.target.wants/bawab.service" ] || wrong "the unit is not enabled"
inside systemctl is-active || wrong "the service was not started"
inside /usr/bin/bawab config print >/dev/null || wrong "the shipped configuration is not valid"
key=$(inside /usr/bin/bawab keys add test --scopes ocr)
reads "fresh"
kept 2
inside /usr/bin/bawab doctor >"$root/tmp/out" || wrong "bawab doctor finds something"

step "upgrade with a live database"
echo '# changed by the operator' >>"$root/etc/bawab/bawab.yaml"
package now."$format" || wrong "upgrading failed"
tail -n 1 "$root/etc/bawab/bawab.yaml" | grep -q operator || wrong "the configuration was overwritten"
inside systemctl is-active || wrong "the service does not run after the upgrade"
reads "after the upgrade"
kept 4
[ ! -e "$root/var/lib/bawab-upgrade" ] || wrong "the copy of the data stays behind"

for broken in 9998 9999; do
	step "upgrade to a release that $([ $broken = 9998 ] && echo dies || echo spoils the database and dies)"
	now=$(installed) was=$(program) data=$(inside cat /var/lib/bawab/appliance.key | sha256sum)
	! package "$(file $broken)" || wrong "the upgrade passes for a good one"
	[ "$was" = "$(program)" ] || wrong "the old files are not back"
	[ "$data" = "$(inside cat /var/lib/bawab/appliance.key | sha256sum)" ] || wrong "another key"
	if [ "$format" = deb ]; then
		[ "$now" = "$(installed)" ] || wrong "dpkg says $(installed), before it said $now"
	else
		package now.rpm || wrong "the old package cannot be installed again"
	fi
	inside systemctl is-active || wrong "the old release does not run again"
	reads "rolled back"
	kept 4
	[ "$(mode /var/lib/bawab)" = "$(mode /var/lib/bawab/bawab.db | sed 's/600/700/')" ] || wrong "data folder: $(mode /var/lib/bawab)"
	[ ! -e "$root/var/lib/bawab-upgrade" ] || wrong "the copy of the data stays behind"
done

step "the same while the service is stopped"
inside systemctl stop
sum=$(sha256sum <"$root/var/lib/bawab/bawab.db") now=$(installed)
! package "$(file 9998)" || wrong "the upgrade passes for a good one"
[ "$sum" = "$(sha256sum <"$root/var/lib/bawab/bawab.db")" ] || wrong "the database was changed"
if [ "$format" = deb ]; then
	[ "$now" = "$(installed)" ] || wrong "dpkg says $(installed), before it said $now"
else
	package now.rpm || wrong "the old package cannot be installed again"
fi
package "$(file 0~before)" || wrong "going back to the release before failed"
! inside systemctl is-active || wrong "the service was started though the operator had stopped it"
package now."$format" || wrong "upgrading failed"
[ "$sum" = "$(sha256sum <"$root/var/lib/bawab/bawab.db")" ] || wrong "the rehearsal changed the database"
! grep -qsz '^/var/lib/bawab-upgrade' /proc/[0-9]*/cmdline || wrong "the rehearsal still runs"

step "upgrade over a damaged database is refused at the beginning"
cp -a "$root/var/lib/bawab/bawab.db" "$root/tmp/bawab.db"
truncate -s 5000 "$root/var/lib/bawab/bawab.db"
now=$(installed)
! package "$(file 0~before)" || wrong "the upgrade does not look at the database"
[ "$now" = "$(installed)" ] || wrong "the package says $(installed), before it said $now"
cp -a "$root/tmp/bawab.db" "$root/var/lib/bawab/bawab.db"

step "remove keeps the data"
inside systemctl start
case $format in
deb) inside dpkg -r bawab ;;
rpm) rpm --root "$root" -e bawab ;;
esac >"$root/tmp/out" 2>&1 || wrong "removing failed"
! curl -s -o /dev/null http://127.0.0.1:8080/healthz || wrong "the daemon runs on"
{ [ ! -e "$root/usr/bin/bawab" ] && [ -e "$root/var/lib/bawab/bawab.db" ]; } || wrong "removed too much or too little"
package now."$format" || wrong "installing again failed"
inside systemctl is-active || inside systemctl start
reads "after removal and return"

if [ "$format" = deb ]; then
	step "purge deletes everything"
	mkdir -p "$root/etc/systemd/system/bawab.service.d"
	touch "$root/etc/systemd/system/bawab.service.d/network.conf"
	inside dpkg -P bawab >"$root/tmp/out" 2>&1 || wrong "purging failed"
	after=$(cd "$root" && find . -xdev -not -path './proc/*' -not -path './packages*' | sort)
	left=$(comm -13 <(echo "$before") <(echo "$after") | grep -vE '^\./(tmp|run|var/log|var/cache|var/lib/dpkg|root)/|^\./etc/(passwd|group|shadow|gshadow|subuid|subgid)-?$|^\./etc/\.pwd\.lock$' || true)
	[ -z "$left" ] || wrong "left behind: $left"
fi
