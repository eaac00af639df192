package geocode

import (
	"errors"
	"net/url"
	"strings"
	"time"

	"golang.org/x/time/rate"

	"waybill/internal/rest"
)

// The usual rates per second. That of Nominatim is what the policy of its public server allows.
const (
	usualRate     = 10
	nominatimRate = 1
)

// The attributions. Photon and Nominatim have the addresses of OpenStreetMap, and Pelias names
// its sources itself.
const (
	ofOpenStreetMap = "© OpenStreetMap contributors"
	ofPelias        = "© OpenStreetMap contributors and the other sources of the Pelias server"
)

// Open returns the client for a provider, nil without a URL. It sends no request yet.
func Open(s Settings) (*Client, error) {
	if s.URL == "" {
		return nil, nil //nolint:nilnil // no provider is no error
	}
	kind, base, key, err := read(s.URL)
	if err != nil {
		return nil, err
	}
	c := &Client{name: kind, attribution: ofOpenStreetMap}
	per, at := s.PerSecond, newServer(base, s.Contact)
	switch kind {
	case "photon":
		c.provider = photon{at}
	case "nominatim":
		c.provider = nominatim{at}
		if per == 0 {
			per = nominatimRate
		}
	case "pelias":
		c.provider, c.attribution = pelias{at, orElse(s.Key, key)}, ofPelias
	default:
		return nil, errors.New("must start with photon+, nominatim+ or pelias+")
	}
	if per == 0 {
		per = usualRate
	}
	if kind == "nominatim" && s.Contact == "" {
		return nil, errors.New("needs WAYBILL_GEOCODER_CONTACT: Nominatim's policy asks for a contact in each request")
	}
	pause := s.Pause
	if pause <= 0 {
		pause = usualPause
	}
	c.limit = rate.NewLimiter(rate.Limit(per), 1)
	c.breaker, c.pause = rest.New(time.Now, pause), pause
	return c, nil
}

// read reads the URL of a provider, whose query may have the API key of Pelias.
func read(address string) (kind string, base *url.URL, key string, err error) {
	kind, rest, _ := strings.Cut(address, "+")
	base, err = url.Parse(rest)
	if err != nil || base.Scheme != "http" && base.Scheme != "https" || base.Host == "" || base.Fragment != "" {
		return "", nil, "", errors.New("must be a URL such as photon+https://host, nominatim+https://host or pelias+https://host")
	}
	key = base.Query().Get("api_key")
	if base.RawQuery != "" && (kind != "pelias" || key == "" || len(base.Query()) != 1) {
		return "", nil, "", errors.New("can have no query, except ?api_key= for pelias")
	}
	base.RawQuery = ""
	return kind, base, key, nil
}
