package travel

import (
	"errors"
	"sync"
	"time"
)

// unknownFor is how long a server is not asked again for a class that it has no data for.
const unknownFor = 10 * time.Minute

// classes are the classes of vehicles that a server has no data for.
type classes struct {
	now func() time.Time

	mu      sync.Mutex
	unknown map[Profile]time.Time
}

// lack notes that the server has no data for a class.
func (c *classes) lack(p Profile) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.unknown == nil {
		c.unknown = map[Profile]time.Time{}
	}
	for other, until := range c.unknown {
		if !c.now().Before(until) {
			delete(c.unknown, other)
		}
	}
	c.unknown[p] = c.now().Add(unknownFor)
}

// lacks reports whether the server had no data for a class a while ago.
func (c *classes) lacks(p Profile) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now().Before(c.unknown[p])
}

// classed reports whether a profile is that of a class of vehicles.
func classed(p Profile) bool {
	mode, _ := p.Class()
	return mode != p
}

// Served returns the profile whose travel times the provider has between places, or anywhere if
// there are none: the given one, or, for a class that it has no data for, the mode in which the
// class travels.
func (t *Tables) Served(profile Profile, points ...Point) Profile {
	mode, _ := profile.Class()
	if mode == profile || servesAt(t.provider, profile, points) && !t.classes.lacks(profile) {
		return profile
	}
	return mode
}

// lack notes that the server has no data for a class. One that lists its data is asked for the
// list again.
func (t *Tables) lack(profile Profile) {
	if c, ok := t.provider.(chooser); !ok || !c.Reread() {
		t.classes.lack(profile)
	}
}

// unknown reports whether a fault is that the server has no data for the profile.
func unknown(err error) bool {
	var fault *Fault
	return errors.As(err, &fault) && fault.Unknown
}
