// Package hosts makes hosts on one machine: network namespaces of Linux, joined
// by a switch that can cut a host off, slow its connection down and lose its
// frames. Programs on a host have its address and nothing else. It needs root,
// and no module of the kernel but tun.
package hosts

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"os"
	"os/exec"
	"sync"
)

// Network is a switch and the hosts that are plugged into it.
type Network struct {
	mu sync.RWMutex
	// ports are those of the hosts, by hardware address.
	ports map[hardware]*port
	hosts []*Host
}

// hardware is the address of a network card.
type hardware [6]byte

// New returns a network without hosts. It fails for everybody but root.
func New() (*Network, error) {
	if os.Geteuid() != 0 {
		return nil, errors.New("network namespaces need root")
	}
	return &Network{ports: map[hardware]*port{}}, nil
}

// Host plugs in a host with an address of 10.77.0.0/24.
func (n *Network) Host(ctx context.Context, name, address string) (*Host, error) {
	h, err := newHost(ctx, name, address)
	if err != nil {
		return nil, fmt.Errorf("make host %s: %w", name, err)
	}
	n.plug(h)
	return h, nil
}

// Here gives this program itself an address, through which it reaches the hosts
// and they reach it.
func (n *Network) Here(ctx context.Context, address string) (*Host, error) {
	h := &Host{Name: "here", Address: address, network: n}
	if err := h.connect(ctx, "waybill-hosts"); err != nil {
		return nil, fmt.Errorf("connect this program to the hosts: %w", err)
	}
	n.plug(h)
	return h, nil
}

func (n *Network) plug(h *Host) {
	h.network = n
	n.mu.Lock()
	n.ports[h.port.hardware] = h.port
	n.hosts = append(n.hosts, h)
	n.mu.Unlock()
	go n.forward(h.port)
}

// forward passes on the frames of one host until its card is gone.
func (n *Network) forward(from *port) {
	buffer := make([]byte, largestFrame)
	for {
		size, err := from.card.Read(buffer)
		if err != nil {
			return
		}
		if size < headerBytes {
			continue
		}
		frame := append([]byte(nil), buffer[:size]...)
		n.send(from, hardware(frame[:6]), frame)
	}
}

// send delivers a frame to the host it is for, or to all others.
func (n *Network) send(from *port, to hardware, frame []byte) {
	n.mu.RLock()
	defer n.mu.RUnlock()
	if one := n.ports[to]; one != nil {
		one.receive(from, frame)
		return
	}
	if to[0]&1 == 0 {
		return // for a host that is no more
	}
	for _, one := range n.ports {
		if one != from {
			one.receive(from, frame)
		}
	}
}

// announce tells all hosts which card has an address from now on, by a
// gratuitous ARP request (RFC 5227, section 3).
func (n *Network) announce(address netip.Addr, card hardware) {
	frame := make([]byte, 0, headerBytes+arpBytes)
	frame = append(frame, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff)
	frame = append(frame, card[:]...)
	for _, field := range []uint16{0x0806, 1, 0x0800, 6<<8 | 4, 1} { // ARP, Ethernet, IPv4, their sizes, request
		frame = binary.BigEndian.AppendUint16(frame, field)
	}
	ip := address.As4()
	frame = append(append(append(frame, card[:]...), ip[:]...), make([]byte, 6)...)
	frame = append(frame, ip[:]...)
	n.mu.RLock()
	from := n.ports[card]
	n.mu.RUnlock()
	n.send(from, hardware{0xff, 0xff, 0xff, 0xff, 0xff, 0xff}, frame)
}

// Sizes of Ethernet frames and ARP packets.
const (
	headerBytes  = 14
	arpBytes     = 28
	largestFrame = 1 << 16
)

// Close ends all hosts with the programs on them.
func (n *Network) Close() error {
	n.mu.Lock()
	hosts := n.hosts
	n.hosts, n.ports = nil, map[hardware]*port{}
	n.mu.Unlock()
	var errs []error
	for _, h := range hosts {
		errs = append(errs, h.close())
	}
	return errors.Join(errs...)
}

// ip runs the program of iproute2 in the namespace of the calling thread.
func ip(ctx context.Context, args ...string) error {
	if printed, err := exec.CommandContext(ctx, "ip", args...).CombinedOutput(); err != nil {
		return fmt.Errorf("ip %v: %w: %s", args, err, printed)
	}
	return nil
}

// Forward lets hosts reach a server of this program at a port of its own
// address, until the context ends.
func (h *Host) Forward(ctx context.Context, target string) (address string, err error) {
	var lc net.ListenConfig
	listener, err := lc.Listen(ctx, "tcp", net.JoinHostPort(h.Address, "0"))
	if err != nil {
		return "", fmt.Errorf("listen for hosts: %w", err)
	}
	context.AfterFunc(ctx, func() { _ = listener.Close() })
	go func() {
		for {
			incoming, err := listener.Accept()
			if err != nil {
				return
			}
			go relay(ctx, incoming, target)
		}
	}()
	return listener.Addr().String(), nil
}
