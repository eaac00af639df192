package export_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"waybill/domain/export"
)

// model says in plain terms what the feed must hold: what the carrier has
// acknowledged, what it may have heard since, and whether it is over.
type model struct {
	present   string
	carrier   bool
	cancelled bool
	now       time.Time
	on        bool
	since     time.Time

	used        int
	succeeded   bool
	lastSuccess time.Time
	held        string // the newest payload that was acknowledged as exported
	heldVersion int
	heard       map[int]string // what was fetched, by version

	inFeed, comesBack, late, final bool
}

// lacks reports whether the carrier holds something else than what is so, or
// may do.
func (m *model) lacks() bool {
	for version := range m.heard {
		if version > m.heldVersion {
			return true
		}
	}
	return m.present != m.held
}

func (m *model) covers() bool { return m.on && !m.lastSuccess.Before(m.since) }

// settle says what follows from all that has happened.
func (m *model) settle() {
	switch {
	case m.final:
		m.inFeed = false
	case !m.succeeded:
		m.inFeed = m.carrier && !m.cancelled
	case m.inFeed && m.comesBack && !m.covers():
		m.inFeed, m.final = false, true
	case m.inFeed && m.lacks():
	case m.late && m.lacks():
		m.inFeed, m.comesBack, m.late = true, false, false
	default:
		m.inFeed, m.late = false, false
		if !m.covers() || !m.now.Before(m.lastSuccess.Add(window)) {
			m.final = true
		} else if m.lacks() {
			m.inFeed, m.comesBack = true, true
		}
	}
}

func (m *model) acknowledge(version int, status export.Status) {
	m.used++
	if status == export.StatusExported {
		if !m.succeeded && !m.inFeed {
			m.late = true // it had left before the carrier said so
		}
		m.succeeded, m.lastSuccess = true, m.now
		if version > m.heldVersion {
			m.held, m.heldVersion = m.heard[version], version
		}
	}
	m.final = m.final || m.used == export.Limit
	m.settle()
}

// Whatever happens to an order, and in whatever order: what the carrier lacks is
// in the feed as long as it may be, and nothing else is.
func TestTheFeedHoldsWhatTheCarrierLacks(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		m := &model{present: "a", carrier: true, now: start, on: true, since: start.Add(-time.Hour), heard: map[int]string{}}
		var r export.Record
		facts := func() export.Facts {
			return export.Facts{Now: m.now, Window: window, Reexport: export.Reexport{On: m.on, Since: m.since}}
		}
		consider := func() {
			o := export.Order{Cancelled: m.cancelled, Fingerprint: []byte(m.present)}
			if m.carrier {
				o.Carrier = "postnord"
			}
			before := r
			r = export.Consider(r, o, facts())
			require.Equal(t, r, export.Consider(r, o, facts()), "looking again changes nothing")
			require.LessOrEqual(t, r.Version, before.Version+1)
			m.settle()
			if r.InFeed(facts().Reexport) {
				require.Equal(t, m.present, string(r.Fingerprint), "the newest is offered")
			}
		}
		consider()
		t.Repeat(map[string]func(*rapid.T){
			"change": func(t *rapid.T) {
				if !m.cancelled {
					m.present = rapid.SampledFrom([]string{"a", "b", "c"}).Draw(t, "payload")
				}
				consider()
			},
			"cancel": func(*rapid.T) {
				m.cancelled, m.present = true, "cancelled"
				consider()
			},
			"reactivate": func(t *rapid.T) {
				if m.cancelled {
					m.cancelled, m.present = false, rapid.SampledFrom([]string{"a", "b"}).Draw(t, "payload")
				}
				consider()
			},
			"retype": func(t *rapid.T) {
				m.carrier = rapid.Bool().Draw(t, "has a carrier")
				consider()
			},
			"fetch": func(*rapid.T) {
				if r.InFeed(facts().Reexport) {
					r = export.Fetch(r)
					m.heard[r.Version] = string(r.Fingerprint)
				}
			},
			"acknowledge": func(t *rapid.T) {
				if len(m.heard) == 0 {
					t.Skip("nothing was fetched")
				}
				var versions []int
				for version := 1; version <= r.Version; version++ {
					if _, fetched := m.heard[version]; fetched {
						versions = append(versions, version)
					}
				}
				version := rapid.SampledFrom(versions).Draw(t, "version")
				status := rapid.SampledFrom([]export.Status{export.StatusExported, export.StatusFailed}).Draw(t, "status")
				after, err := export.Acknowledge(r,
					export.Acknowledgement{Version: version, Fingerprint: []byte(m.heard[version]), Status: status}, facts())
				if m.used == export.Limit {
					require.ErrorIs(t, err, export.ErrSpent)
					return
				}
				require.NoError(t, err)
				r = after
				m.settle()
				m.acknowledge(version, status)
				if r.Owed || rapid.Bool().Draw(t, "looks") {
					consider()
				}
			},
			"wait": func(t *rapid.T) {
				m.now = m.now.Add(rapid.SampledFrom([]time.Duration{time.Second, window / 2, window}).Draw(t, "time"))
				m.settle()
				if rapid.Bool().Draw(t, "looks") {
					consider()
				}
			},
			"toggle": func(t *rapid.T) {
				m.now = m.now.Add(time.Second)
				m.on = !m.on
				if m.on {
					m.since = m.now
				}
				m.settle()
				if rapid.Bool().Draw(t, "looks") {
					consider()
				}
			},
			"": func(t *rapid.T) {
				require.Equal(t, m.used, r.Used)
				require.Equal(t, m.succeeded, r.IsUpdate())
				require.Equal(t, m.inFeed, r.InFeed(facts().Reexport))
				require.Equal(t, m.final, export.Settle(r, facts()).Final())
			},
		})
	})
}
