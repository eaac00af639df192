package masterdata

import (
	"maps"
	"slices"

	"waybill/domain/event"
)

// changes counts the items of a section that consists of several tables.
type changes struct {
	created, changed map[int64]bool
}

func newChanges() changes { return changes{map[int64]bool{}, map[int64]bool{}} }

func (c changes) add(ids []int64, err error) error {
	for _, id := range ids {
		c.changed[id] = true
	}
	return err
}

// note takes in a record that was written.
func (c changes) note(id int64, created bool) {
	c.changed[id] = true
	if created {
		c.created[id] = true
	}
}

func (c changes) counts() counts {
	n := counts{Created: int32(len(c.created))}
	for id := range c.changed {
		if !c.created[id] {
			n.Updated++
		}
	}
	return n
}

// note keeps the event of every record that was written, for the end of the
// transaction.
func (a *applier) note(c changes, of func(id int64, created bool) event.Event) {
	for _, id := range slices.Sorted(maps.Keys(c.changed)) {
		a.events = append(a.events, of(id, c.created[id]))
	}
}
