package travel

import (
	"context"
	"sync"
	"time"
)

// believed is how long the version of road data is believed.
const believed = 20 * time.Second

// versions are those of the road data, by profile.
type versions struct {
	now func() time.Time

	mu   sync.Mutex
	seen map[Profile]seen
}

type seen struct {
	version string
	at      time.Time
}

func (v *versions) of(p Profile) (version string, isFresh bool) {
	v.mu.Lock()
	defer v.mu.Unlock()
	last, known := v.seen[p]
	return last.version, known && v.now().Sub(last.at) < believed
}

func (v *versions) saw(p Profile, version string) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.seen == nil {
		v.seen = map[Profile]seen{}
	}
	v.seen[p] = seen{version, v.now()}
}

// version returns that of the provider's road data. If the provider fails, it returns the
// last one with the fault.
func (t *Tables) version(ctx context.Context, profile Profile, near Point) (string, error) {
	last, isFresh := t.versions.of(profile)
	versioned, has := t.provider.(Versioned)
	if isFresh || !has {
		return last, nil
	}
	if t.breaker.Left() > 0 {
		return last, errResting
	}
	version, err := versioned.Version(ctx, profile, near)
	if !classed(profile) || !unknown(err) {
		t.heed(ctx, err)
	}
	if err != nil && !refused(err) {
		return last, err
	}
	t.versions.saw(profile, version)
	return version, nil
}

// Current reports whether legs of a profile that have a version are of the provider's present road data.
// If the provider does not say it, they are.
func (t *Tables) Current(ctx context.Context, profile Profile, near Point, version string) bool {
	now, err := t.version(ctx, profile, near)
	return err != nil || now == version
}
