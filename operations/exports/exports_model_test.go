package exports_test

import (
	"time"

	"waybill/domain/export"
)

// model says in plain terms what the feed must hold: what the carrier has
// acknowledged, what it may have heard since, and whether it is over.
type model struct {
	present    string
	hasCarrier bool
	cancelled  bool
	now        time.Time
	on         bool
	since      time.Time

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
		m.inFeed = m.hasCarrier && !m.cancelled
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
