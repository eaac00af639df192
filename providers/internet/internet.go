// Package internet restricts connections to the open internet, so that
// addresses from callers can't make the service reach into its operator's
// network.
package internet

import (
	"errors"
	"fmt"
	"net/netip"
	"syscall"
)

// ErrPrivate is the error for a connection to an address outside the public internet.
var ErrPrivate = errors.New("the address is not on the public internet")

// Control rejects connections to addresses outside the public internet. It is
// for a net.Dialer, which calls it for each connection after resolving the
// name, so the address that is actually used is checked.
func Control(_, address string, _ syscall.RawConn) error {
	at, err := netip.ParseAddrPort(address)
	if err != nil {
		return fmt.Errorf("read the address of a connection: %w", err)
	}
	if !IsOpen(at.Addr()) {
		return ErrPrivate
	}
	return nil
}

// IsOpen reports whether an address is on the public internet.
func IsOpen(ip netip.Addr) bool {
	ip = ip.WithZone("").Unmap()
	if !ip.IsGlobalUnicast() || ip.IsPrivate() {
		return false
	}
	for _, net := range closed {
		if net.Contains(ip) {
			return false
		}
	}
	return true
}

// closed are networks outside the public internet, or that lead to such, in
// addition to those known to netip (loopback, link-local, multicast and private
// ones).
var closed = func() (nets []netip.Prefix) {
	for _, net := range []string{
		"0.0.0.0/8",        // this network
		"100.64.0.0/10",    // carriers' own addresses, and metadata of some clouds
		"168.63.129.16/32", // metadata of a cloud
		"192.0.0.0/24",     // of protocols, and metadata of a cloud
		"192.0.2.0/24",     // of examples
		"192.88.99.0/24",   // relays to IPv6
		"198.18.0.0/15",    // of measurements
		"198.51.100.0/24",  // of examples
		"203.0.113.0/24",   // of examples
		"240.0.0.0/4",      // reserved
		"::/96",            // IPv4 within IPv6, of old
		"64:ff9b::/96",     // IPv4 behind a translator
		"64:ff9b:1::/48",   // the same, of one network
		"100::/64",         // unroutable
		"2001::/23",        // of protocols; Teredo leads to IPv4
		"2001:db8::/32",    // of examples
		"2002::/16",        // leads to IPv4
		"fec0::/10",        // of one site, of old
	} {
		nets = append(nets, netip.MustParsePrefix(net))
	}
	return nets
}()
