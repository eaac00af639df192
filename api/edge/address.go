package edge

import (
	"context"
	"net/http"
	"net/netip"

	"github.com/go-chi/chi/v5/middleware"
)

// NotesAddress is a middleware that records the client's address. trusted are
// the networks of proxies whose X-Forwarded-For is believed.
func NotesAddress(trusted []string) func(http.Handler) http.Handler {
	if len(trusted) > 0 {
		return middleware.ClientIPFromXFF(trusted...)
	}
	return middleware.ClientIPFromRemoteAddr
}

// AddressOf returns the address that a request comes from, or "" if unknown.
func AddressOf(ctx context.Context) string { return middleware.GetClientIP(ctx) }

// NetworkOf returns the network of a request. For IPv6 it is a prefix, because one
// client has very many addresses.
func NetworkOf(ctx context.Context) netip.Prefix {
	address := middleware.GetClientIPAddr(ctx)
	bits := 32
	if address.Is6() {
		bits = 64
	}
	network, _ := address.Prefix(bits) // the zero one if the address is unknown
	return network
}

// SiteOf returns the /48 of an IPv6 request, which may be one customer of a
// provider, or no network for IPv4.
func SiteOf(ctx context.Context) (site netip.Prefix, ok bool) {
	address := middleware.GetClientIPAddr(ctx)
	if !address.Is6() {
		return netip.Prefix{}, false
	}
	site, err := address.Prefix(48)
	return site, err == nil
}
