// Package pack carries model sets that come after the program: it writes and reads signed packs, and keeps the sets that
// were installed from them beside each other.
//
// # A pack
//
// A pack is a tar file without compression, in exactly this order: pack.sig, pack.json, and the files that pack.json
// lists. pack.json names the format, the version of the set and of every file its size and SHA-256; manifest.json, the
// contracts and thresholds of the networks, is one of them, and those below kinds/ are the kinds of documents that the set
// brings. pack.sig is an Ed25519 signature over pack.json: the vendor's or, for what a site learned from its own documents,
// the site's. A reader checks the signature before it believes anything else, knows then each name and size that may come,
// and refuses everything different: other names (there are no folders in a pack but one for each kind), links, a file too
// many or too few, bytes after the end.
//
// # The shelf
//
// DIR/models holds a folder per installed version, with pack.sig and pack.json in it, so that a set is verified as a whole
// each time it is opened, and state.json, which says which version is in use and which one was before. Version 0 stands
// for the set in the program. state.json is replaced in one step: a crash leaves the old or the new one.
//
// A version that was just switched to is on trial. When a daemon opens it that is written down, and taken back after its
// first healthy minute, or when it stops in order. A daemon that finds a trial begun and not ended knows that the one before
// died of it, and rolls back.
package pack
