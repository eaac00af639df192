package travel

import (
	"errors"
	"net/url"
	"strings"
)

// Open returns the provider at an address: osrm+http://… or valhalla+http://…
// (or +https://…), and straight-line estimates for an empty one. It sends no
// request yet.
//
// The query of an OSRM address may name the server's profiles, such as
// ?bike=cycling, if it has more than cars, and its --max-table-size, such as
// ?table=1000. ?classes=yes says that it has data for classes of vehicles.
func Open(address string) (Provider, error) {
	if address == "" {
		return Crow{}, nil
	}
	kind, rest, _ := strings.Cut(address, "+")
	base, err := url.Parse(rest)
	if err != nil || base.Scheme != "http" && base.Scheme != "https" || base.Host == "" || base.Fragment != "" {
		return nil, errors.New("must be a URL such as osrm+http://host:5000 or valhalla+https://host:8002")
	}
	switch {
	case kind == "osrm":
		return newOSRM(base)
	case kind == "valhalla" && base.RawQuery == "":
		return newValhalla(base), nil
	}
	return nil, errors.New("must start with osrm+ or valhalla+; only an OSRM URL can have a query")
}
