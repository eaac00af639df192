package child

import (
	"fmt"
	"math/rand/v2"
	"net"
	"strconv"
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
// at each call. It stays reserved for this process until ReleasePort, or while it runs:
// concurrent processes never get the same one.
func FreePort() (int, error) {
	for range 1000 {
		port := firstFreePort + rand.IntN(lastFreePort-firstFreePort) //nolint:gosec // a port is no secret
		if reserve(port) {
			return port, nil
		}
	}
	return 0, fmt.Errorf("find a free port: all ports tried between %d and %d are in use", firstFreePort, lastFreePort)
}

// ReleasePort lets others have a port that FreePort returned.
func ReleasePort(port int) {
	if reservation, ok := reservations.LoadAndDelete(port); ok {
		_ = reservation.(net.PacketConn).Close() //nolint:forcetypeassert // reserve stores nothing else
	}
}

// reserve reserves a port for this process by opening it for UDP, which nobody
// needs, so that TCP can still use it.
func reserve(port int) bool {
	reservation, err := net.ListenPacket("udp", Local(port)) //nolint:noctx // there is nothing to wait for
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

// A process that is about to start has all sockets of this one for a moment, also those that are closed meanwhile. A
// port is only in use if that is so at each attempt.
const (
	attempts = 5
	between  = 10 * time.Millisecond
)

// PortInUse reports whether a port of 127.0.0.1 cannot be listened on.
func PortInUse(port int) bool {
	for attempt := range attempts {
		if attempt > 0 {
			time.Sleep(between)
		}
		if listener, err := Listen(Local(port)); err == nil {
			_ = listener.Close()
			return false
		}
	}
	return true
}

// Listen opens an address, which takes no time.
func Listen(address string) (net.Listener, error) {
	return net.Listen("tcp", address) //nolint:noctx // there is nothing to wait for
}

// Local is a port's address on this machine.
func Local(port int) string {
	return net.JoinHostPort("127.0.0.1", strconv.Itoa(port))
}
