package transport

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/netip"
	"strconv"
	"syscall"

	"github.com/bawab/bawab/appliance"
)

// CheckListen checks an address to listen on, "HOST:PORT". The host is an address of this machine or "localhost": other names
// would have to be asked of the network. The error is an appliance.Error with a hint.
func CheckListen(addr string) error {
	_, _, err := parseListen(addr)
	return err
}

// Loopback reports whether only this machine itself reaches an address to listen on. All others need TLS.
func Loopback(addr string) bool {
	ip, _, err := parseListen(addr)
	return err == nil && ip.IsLoopback()
}

func parseListen(addr string) (netip.Addr, string, error) {
	const example = "use an address such as 127.0.0.1:8080, or 0.0.0.0:8443 for the network"
	host, port, err := net.SplitHostPort(addr)
	if err != nil {
		return netip.Addr{}, "", listenError("the listen address "+strconv.Quote(addr)+" is not host:port", example, nil)
	}
	if n, err := strconv.Atoi(port); err != nil || n < 0 || n > 65535 {
		msg := "the port of the listen address " + strconv.Quote(addr) + " is not a number from 0 to 65535"
		return netip.Addr{}, "", listenError(msg, example, nil)
	}
	if host == "localhost" {
		host = "127.0.0.1"
	}
	ip, err := netip.ParseAddr(host)
	if err != nil {
		msg := "the listen address " + strconv.Quote(addr) + " is not a number"
		return netip.Addr{}, "", listenError(msg, example+": bawab asks no name server", nil)
	}
	return ip.Unmap(), port, nil
}

// Listen opens a listener. The error is an appliance.Error that names what stands in the way: a port that is taken or
// reserved, an address that this machine does not have, a system without IPv6.
func Listen(ctx context.Context, addr string) (net.Listener, error) {
	ip, port, err := parseListen(addr)
	if err != nil {
		return nil, err
	}
	network := "tcp4" // a plain "tcp" would take 0.0.0.0 for all addresses of IPv6 as well
	if ip.Is6() {
		network = "tcp"
	}
	l, err := (&net.ListenConfig{}).Listen(ctx, network, net.JoinHostPort(ip.String(), port))
	switch {
	case err == nil:
		return l, nil
	case errors.Is(err, syscall.EADDRINUSE):
		return nil, listenError("port "+port+" is taken on "+ip.String(),
			"another program, or another bawab, listens there: choose another address with --listen, or port 0 for a free one", err)
	case errors.Is(err, fs.ErrPermission):
		return nil, listenError("port "+port+" may not be used", "ports below 1024 are the system's: choose one above, as 8443", err)
	case ip.Is6() && (errors.Is(err, syscall.EAFNOSUPPORT) || ip.IsUnspecified() || ip.IsLoopback()):
		return nil, listenError("this machine has no IPv6, so bawab cannot listen on "+addr,
			"use an IPv4 address: 127.0.0.1 in place of ::1, 0.0.0.0 in place of ::", err)
	case errors.Is(err, syscall.EADDRNOTAVAIL):
		return nil, listenError("this machine does not have the address "+ip.String(),
			"use one that `ip address` shows, or 0.0.0.0 for all of them", err)
	}
	return nil, listenError("bawab cannot listen on "+addr, "check the address and the network of this machine", err)
}

func listenError(msg, hint string, err error) error {
	return &appliance.Error{Code: appliance.CodeBadRequest, Op: "listen", Msg: msg, Hint: hint, Err: err}
}

// networkError refuses to serve a network without TLS.
func networkError(addr string) error {
	return listenError(fmt.Sprintf("%s can be reached from other machines, and there is no certificate", addr),
		"give the server a certificate, or listen on 127.0.0.1", nil)
}
