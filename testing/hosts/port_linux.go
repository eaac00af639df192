package hosts

import (
	"context"
	"io"
	"math/rand/v2"
	"net"
	"os"
	"sync/atomic"
	"time"
)

// port is where a host is plugged into the switch.
type port struct {
	card     *os.File
	hardware hardware
	queue    chan queued
	link     atomic.Pointer[link]
}

// link is the condition of a connection. It is cut in both directions, and slow
// and lossy for what its host sends.
type link struct {
	cut   bool
	delay time.Duration
	loss  float64
}

// queued is a frame that arrives when it is due.
type queued struct {
	due   time.Time
	frame []byte
	to    *port
}

// queueLength is how many frames of a host are under way at most. More are lost,
// as in any switch.
const queueLength = 10_000

func newPort(card *os.File, address hardware) *port {
	p := &port{card: card, hardware: address, queue: make(chan queued, queueLength)}
	p.link.Store(&link{})
	go p.deliver()
	return p
}

// receive takes a frame, unless one of the two is cut off or its sender's
// connection loses it.
func (p *port) receive(from *port, frame []byte) {
	sender := from.link.Load()
	if sender.cut || p.link.Load().cut || rand.Float64() < sender.loss {
		return
	}
	from.outgoing(queued{due: time.Now().Add(sender.delay), frame: frame, to: p})
}

// outgoing puts a frame of this port's host on its way.
func (p *port) outgoing(frame queued) {
	select {
	case p.queue <- frame:
	default:
	}
}

// deliver hands the frames of a host over when they are due, in the sequence in
// which they were sent.
func (p *port) deliver() {
	for next := range p.queue {
		if wait := time.Until(next.due); wait > 0 {
			time.Sleep(wait)
		}
		_, _ = next.to.card.Write(next.frame) // fails only for a host that is gone
	}
}

// relay copies bytes between a connection and a server, until both have ended.
func relay(ctx context.Context, incoming net.Conn, target string) {
	defer func() { _ = incoming.Close() }()
	var dialer net.Dialer
	outgoing, err := dialer.DialContext(ctx, "tcp", target)
	if err != nil {
		return
	}
	defer func() { _ = outgoing.Close() }()
	back := make(chan struct{})
	go func() {
		defer close(back)
		_, _ = io.Copy(incoming, outgoing)
		_ = incoming.(*net.TCPConn).CloseWrite()
	}()
	_, _ = io.Copy(outgoing, incoming)
	_ = outgoing.(*net.TCPConn).CloseWrite()
	<-back
}
