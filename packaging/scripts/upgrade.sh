#!/bin/sh
# What the maintainer scripts of deb and rpm share; the packages carry it at the
# head of each of them.
#
# An upgrade is a trial. Before the new files come, the daemon is stopped and
# its data folder copied; a stopped database is complete, and the old program
# checks the copy. With the new files in place the daemon is started and must
# say that it is ready. Otherwise the data comes back from the copy, and the
# old files: dpkg puts them back by itself, for rpm the copy has them too.
set -e

data=/var/lib/bawab
saved=/var/lib/bawab-upgrade # on the file system of the data, as a rule
config=/etc/bawab/bawab.yaml

say() { echo "bawab: $*" >&2; }

# managed reports whether systemd runs this machine. It does not in a container
# that is being built, and there nothing is started.
managed() { [ -d /run/systemd/system ]; }

account() {
	if command -v systemd-sysusers >/dev/null 2>&1; then
		systemd-sysusers bawab.conf
	elif ! getent passwd bawab >/dev/null; then
		useradd --system --user-group --home-dir "$data" --no-create-home --shell /usr/sbin/nologin \
			--comment "bawab appliance" bawab
	fi
	[ -d "$data" ] || install -d -m 0700 -o bawab -g bawab "$data"
}

# erase overwrites the keys and the databases, damaged ones that were kept too, below its arguments before they
# go: what they seal shall not outlive them.
erase() {
	for folder in "$@"; do
		[ -d "$folder" ] || continue
		if command -v shred >/dev/null 2>&1; then
			find "$folder" -xdev -type f \( -name '*.key' -o -name '*.db' -o -name '*.db.*' -o -name '*.pem' \) -exec shred -n 1 -z {} +
		fi
		rm -rf "$folder"
	done
}

# Before a program: run it with the rights of the daemon. It is no function, because one in the background
# would be a shell of its own, and to kill that would leave the program running.
as_bawab="setpriv --reuid bawab --regid bawab --clear-groups --inh-caps=-all --no-new-privs --"

# sealed reports whether the key of the data lies elsewhere, for example in a
# credential that systemd hands to the service alone: then no script can open
# the database, and neither check nor rehearsal is possible.
sealed() { [ -e "$saved/data/bawab.db" ] && [ ! -e "$saved/data/appliance.key" ]; }

# The functions below run inside conditions, where `set -e` does not hold:
# each step that may fail says what follows.

# save stops the daemon and copies what an unsuccessful upgrade needs again. It
# fails, and the upgrade with it, while nothing has been changed yet.
save() {
	if [ -e "$saved/restoring" ]; then # a power cut hit the last attempt
		restore || return 1
	fi
	erase "$saved" && install -d -m 0711 "$saved" || return 1
	if managed && systemctl is-active --quiet bawab.service; then
		touch "$saved/active" && systemctl stop bawab.service || return 1
	fi
	[ -d "$data" ] || return 0
	cp -a "$data" "$saved/data" || return 1
	rm -f "$saved"/data/*.sock
	if [ ! -e "$saved/data/bawab.db" ]; then
		return 0
	fi
	cmp -s "$data/bawab.db" "$saved/data/bawab.db" || return 1
	if ! sealed && ! $as_bawab /usr/bin/bawab store check --data "$saved/data" >"$saved/log" 2>&1; then
		cat "$saved/log" >&2
		say "the database is not sound, so the upgrade does not begin. Repair it with: bawab store salvage"
		say "or remove the package, which keeps the data, and install the new one."
		return 1
	fi
}

# restore brings back the data folder as it was before the upgrade. It can be
# repeated until it has come to its end.
restore() {
	[ -d "$saved/data" ] || return 0
	touch "$saved/restoring" && install -d -m 0700 -o bawab -g bawab "$data" &&
		find "$data" -mindepth 1 -delete && cp -a "$saved/data/." "$data/" && sync -f "$data" && rm -f "$saved/restoring" && return 0
	say "the data folder could not be brought back; its copy is kept in $saved/data"
	return 1
}

# resume starts the daemon again if the upgrade stopped it.
resume() {
	if managed; then
		systemctl daemon-reload
		[ ! -e "$saved/active" ] || systemctl start bawab.service || say "the service does not start: bawab doctor"
	fi
	[ -e "$saved/restoring" ] || erase "$saved"
}

# attempt starts the new release: the service itself if it ran, and otherwise
# for a moment on a copy of the data, so that nothing appears that was not there.
attempt() {
	account || return 1
	if [ -e "$saved/active" ]; then
		systemctl daemon-reload
		if systemctl start bawab.service; then # waits for READY=1
			return 0
		fi
		systemctl stop bawab.service || true
		journalctl -u bawab.service -n 20 --no-pager >&2 2>/dev/null || true
	elif sealed || rehearse; then
		return 0
	else
		tail -n 20 "$saved/log" >&2
	fi
	say "the new release does not get ready; the one before it comes back"
	restore
	return 1
}

# rehearse runs the new release on a copy of the data until it answers, for 30
# seconds at most.
rehearse() {
	copy=$saved/rehearsal
	erase "$copy"
	if [ -d "$saved/data" ]; then
		cp -a "$saved/data" "$copy" || return 1
	else
		install -d -m 0711 "$saved" && install -d -m 0700 -o bawab -g bawab "$copy" || return 1
	fi
	$as_bawab /usr/bin/bawab serve --config "$config" --data "$copy" --listen 127.0.0.1:0 >/dev/null 2>"$saved/log" &
	daemon=$! ready=1 tries=0
	while [ $tries -lt 300 ] && kill -0 "$daemon" 2>/dev/null; do
		if [ -S "$copy/bawab.sock" ] && $as_bawab /usr/bin/bawab keys list --data "$copy" >/dev/null 2>&1; then
			ready=0
			break
		fi
		sleep 0.1
		tries=$((tries + 1))
	done
	kill "$daemon" 2>/dev/null || true
	wait "$daemon" 2>/dev/null || true
	erase "$copy"
	return $ready
}
