package internet_test

import (
	"net/netip"
	"testing"

	"github.com/stretchr/testify/require"

	"waybill/providers/internet"
)

func TestPrivateNetworksAreUnreachable(t *testing.T) {
	t.Parallel()
	for _, closed := range []string{
		"127.0.0.1", "0.0.0.0", "10.1.2.3", "172.16.0.1", "192.168.1.1", "169.254.169.254", "100.64.0.1", "100.100.100.200",
		"168.63.129.16", "192.0.0.192", "198.18.0.1", "224.0.0.1", "255.255.255.255", "240.0.0.1", "::1", "::", "fe80::1",
		"fe80::1%eth0", "fc00::1", "fd00:ec2::254", "::ffff:127.0.0.1", "::ffff:10.0.0.1", "::127.0.0.1", "64:ff9b::7f00:1",
		"64:ff9b:1::1", "2002:7f00:1::", "2001::1", "fec0::1", "ff02::1", "2001:db8::1",
	} {
		require.False(t, internet.IsOpen(netip.MustParseAddr(closed)), closed)
		require.ErrorIs(t, internet.Control("tcp", netip.AddrPortFrom(netip.MustParseAddr(closed), 443).String(), nil),
			internet.ErrPrivate, closed)
	}
	for _, open := range []string{"93.184.215.14", "2606:2800:21f::1", "1.1.1.1"} {
		require.True(t, internet.IsOpen(netip.MustParseAddr(open)), open)
		require.NoError(t, internet.Control("tcp", netip.AddrPortFrom(netip.MustParseAddr(open), 443).String(), nil))
	}
}
