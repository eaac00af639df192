package stack

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"net"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"
)

// Free ports are below the range of outgoing connections: a client that keeps
// calling a stopped server on one of those can connect to itself, and the
// server cannot restart.
const (
	firstFreePort = 20000
	lastFreePort  = 32000
)

// reservations hold the ports that this process has handed out.
var reservations sync.Map

// FreePort returns a port of 127.0.0.1 that nobody listens on, a different one
// at each call. It stays reserved for this process while it runs: concurrent
// processes never get the same one.
func FreePort() (int, error) {
	for range 1000 {
		port := firstFreePort + rand.IntN(lastFreePort-firstFreePort)
		if reserve(port) {
			return port, nil
		}
	}
	return 0, fmt.Errorf("find a free port: all ports tried between %d and %d are in use", firstFreePort, lastFreePort)
}

// reserve reserves a port for this process by opening it for UDP, which nobody
// needs, so that TCP can still use it.
func reserve(port int) bool {
	reservation, err := net.ListenPacket("udp", local(port)) //nolint:noctx // there is nothing to wait for
	if err != nil {
		return false
	}
	if PortInUse(port) {
		_ = reservation.Close()
		return false
	}
	reservations.Store(port, reservation)
	return true
}

// PortInUse reports whether a port of 127.0.0.1 cannot be listened on.
func PortInUse(port int) bool {
	listener, err := Listen(local(port))
	if err != nil {
		return true
	}
	_ = listener.Close()
	return false
}

// Listen opens an address, which takes no time.
func Listen(address string) (net.Listener, error) {
	return net.Listen("tcp", address) //nolint:noctx // there is nothing to wait for
}

// local is a port's address on this machine.
func local(port int) string {
	return net.JoinHostPort("127.0.0.1", strconv.Itoa(port))
}

// portOf is the port that a listener has.
func portOf(l net.Listener) int {
	address, _ := l.Addr().(*net.TCPAddr)
	return address.Port
}

// portOr returns the port, or a free one when it is zero.
func portOr(port int) (int, error) {
	if port != 0 {
		return port, nil
	}
	return FreePort()
}

const pollInterval = 20 * time.Millisecond

// await calls try until it succeeds, the process ends or ctx does.
func await(ctx context.Context, p *Process, try func(context.Context) error) error {
	err := untilReady(ctx, p.command.Name, p.Done(), try)
	if failure := p.Failure(); err != nil && failure != nil {
		return failure
	}
	return err
}

// untilReady calls try until it succeeds, the named program has stopped or ctx
// ends.
func untilReady(ctx context.Context, name string, stopped <-chan struct{}, try func(context.Context) error) error {
	ticker := time.NewTicker(pollInterval)
	defer ticker.Stop()
	for {
		err := try(ctx)
		if err == nil {
			return nil
		}
		select {
		case <-stopped:
			return fmt.Errorf("%s was stopped before it was ready", name)
		case <-ctx.Done():
			return fmt.Errorf("%s is not ready: %w (%w)", name, context.Cause(ctx), err)
		case <-ticker.C:
		}
	}
}

// listening reports whether something answers at the address.
func listening(ctx context.Context, address string) error {
	conn, err := (&net.Dialer{Timeout: time.Second}).DialContext(ctx, "tcp", address)
	if err != nil {
		return err
	}
	return conn.Close()
}

// answering reports whether an HTTP server answers requests; any status will do.
func answering(ctx context.Context, url string) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, url, http.NoBody)
	if err != nil {
		return err
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return err
	}
	return response.Body.Close()
}

// lastLines returns at most limit bytes from the end of the text, without a
// broken first line.
func lastLines(text []byte, limit int) string {
	if len(text) > limit {
		text = text[len(text)-limit:]
		if i := bytes.IndexByte(text, '\n'); i >= 0 {
			text = text[i+1:]
		}
	}
	return strings.TrimRight(string(text), "\n")
}
