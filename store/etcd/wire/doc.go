// Package wire speaks the part of etcd's gRPC API that the store of a branch needs: ranges, transactions, compaction, leases,
// and how a member is. It does so over the HTTP/2 of the standard library, since etcd's own client brings several times as
// much code as the rest of this program's network put together.
//
// # What goes over the wire
//
// A call is a POST to /SERVICE/METHOD whose body is one frame: a zero byte, the length of a message in four bytes, the
// message in protobuf. The answer is such a frame, too, and how the call ended stands in the trailer grpc-status, or among
// the headers where there is no message. Fields keep the numbers of etcd's rpc.proto and kv.proto, which are those of every
// etcd since 3.0; what a newer member adds is passed over.
//
// # What is never done
//
// A call goes to one member, once. Its body cannot be read twice, so that the transport cannot send it again by itself, and
// there is no other member to turn to: whether a call whose answer got lost was carried out, and what then is to be done, is
// for the caller to find out.
package wire
