package travel

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"sync"
	"time"

	"waybill/domain/place"
	"waybill/domain/planning"
	"waybill/domain/region"
)

// chooser is a provider whose road data depend on the places.
type chooser interface {
	// ServesAt reports whether it has road data of a profile for these places.
	ServesAt(profile Profile, points []Point) bool
	// Reread has the next question about road data asked again. It reports false if the
	// provider does not say which it has.
	Reread() bool
}

// servesAt reports whether a provider has road data of a profile for these places, or anywhere
// if there are none.
func servesAt(p Provider, profile Profile, points []Point) bool {
	if c, ok := p.(chooser); ok && len(points) > 0 {
		return c.ServesAt(profile, points)
	}
	return p.Serves(profile)
}

const (
	// catalogLasts is how long a list of road data is used. A class that is new is asked for
	// after that.
	catalogLasts = 10 * time.Second
	// catalogPatience bounds the request for it. Everybody who plans waits for it.
	catalogPatience = 2 * time.Second
)

// catalog is the list of the road data that a server has.
type catalog struct {
	mu    sync.Mutex
	data  []region.Data
	isSet bool
	until time.Time
}

// read returns the list, and false if the server has none. If the server cannot be asked, the
// earlier list is used.
func (c *catalog) read(s *server) (data []region.Data, ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if now := time.Now(); !now.Before(c.until) {
		c.until = now.Add(catalogLasts)
		c.ask(s)
	}
	return c.data, c.isSet
}

// ask reads the list of the server. The catalog is locked.
func (c *catalog) ask(s *server) {
	ctx, cancel := context.WithTimeout(context.Background(), catalogPatience)
	defer cancel()
	question, err := http.NewRequestWithContext(ctx, http.MethodGet, s.base.JoinPath(region.DataPath).String(), http.NoBody)
	if err != nil {
		return
	}
	var list region.DataList
	err = s.ask(question, &list)
	var fault *Fault
	switch {
	case err == nil && list.Data != nil:
		c.data, c.isSet = list.Data, true
	case err == nil, errors.As(err, &fault) && (fault.Unknown || fault.Asked): // a server without a list
		c.data, c.isSet = nil, false
	}
}

// forget has the list read again when it is next needed.
func (c *catalog) forget() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.until = time.Time{}
	return c.isSet
}

// dataFor returns the data of the server for a profile. listed is false if the server does not
// say which it has.
func (o *OSRM) dataFor(profile Profile, points []Point) (data []region.Data, listed bool) {
	if !o.classes {
		return nil, false
	}
	all, listed := o.catalog.read(&o.server)
	name := region.Profile(strings.ToLower(string(profile)))
	if len(points) > 0 {
		positions := make([]place.Position, 0, len(points))
		for _, p := range points {
			positions = append(positions, place.Position{Latitude: p.Latitude, Longitude: p.Longitude})
		}
		return region.DataFor(all, name, positions), listed
	}
	for _, d := range all {
		if d.Profile == name {
			data = append(data, d)
		}
	}
	return data, listed
}

// Reread has the next question about road data asked again. It reports false if the server does
// not say which it has.
func (o *OSRM) Reread() bool { return o.classes && o.catalog.forget() }

// ServesAt reports whether the server has data of a profile for these places. Cars are always
// asked for, and so are trucks, by a factor.
func (o *OSRM) ServesAt(profile Profile, points []Point) bool {
	if profile == planning.Car || profile == planning.Truck || o.names[profile] != "" {
		return true
	}
	data, listed := o.dataFor(profile, points)
	if !listed {
		return o.classes && classed(profile)
	}
	return len(data) > 0
}
