package httpapi

import (
	"net"
	"net/netip"
	"strconv"

	"github.com/bawab/bawab/appliance"
)

// CheckListen refuses every address but loopback, because the API has no TLS yet. The address is "host:port"; the
// error is an appliance.Error with a hint.
func CheckListen(addr string) error {
	host, port, err := net.SplitHostPort(addr)
	if err != nil {
		return listenError("the listen address "+strconv.Quote(addr)+" is not host:port", "use an address such as 127.0.0.1:8080")
	}
	if n, err := strconv.Atoi(port); err != nil || n < 0 || n > 65535 {
		return listenError("the port of the listen address "+strconv.Quote(addr)+" is not a number from 0 to 65535", "use an address such as 127.0.0.1:8080")
	}
	if host == "localhost" {
		return nil
	}
	ip, err := netip.ParseAddr(host)
	if err != nil || !ip.Unmap().IsLoopback() {
		return listenError("the listen address "+strconv.Quote(addr)+" is not a loopback address, and the API has no TLS yet",
			"use 127.0.0.1, ::1 or localhost")
	}
	return nil
}

func listenError(msg, hint string) error {
	return &appliance.Error{Code: appliance.CodeBadRequest, Op: "listen", Msg: msg, Hint: hint}
}
