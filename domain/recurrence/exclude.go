package recurrence

import "time"

// exclusions are the exclusions of EXDATE: instants and whole local days.
type exclusions struct {
	instants map[int64]bool
	days     map[int64]bool // by the midnight's wall time
}

func newExclusions(moments []moment, zone *time.Location) exclusions {
	e := exclusions{instants: map[int64]bool{}, days: map[int64]bool{}}
	for _, m := range moments {
		if m.form == dateForm {
			e.days[m.wall.Unix()] = true
		} else {
			e.instants[m.at(zone).Unix()] = true
		}
	}
	return e
}

// has reports whether an instant, in the rule's zone, is excluded.
func (e exclusions) has(at time.Time) bool {
	return e.instants[at.Unix()] || len(e.days) > 0 && e.days[dayOf(wallOf(at)).Unix()]
}
