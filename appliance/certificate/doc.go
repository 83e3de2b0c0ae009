// Package certificate keeps the certificate that the API shows on a network: the appliance's own, which it makes at
// the first start and renews in time, or one that was brought. A change of its files is taken over while connections
// go on.
//
// The own key is ECDSA P-256, which every client with TLS 1.3 understands; browsers and Windows know no Ed25519. The
// certificate is good for this server alone and cannot vouch for others, so that a client that trusts it trusts
// nothing more than this appliance. A renewal keeps the key: whoever has pinned the key notices nothing.
package certificate
