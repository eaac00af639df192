package recurrence

import (
	"cmp"
	"slices"
	"strings"
	"time"
)

// The years that a rule may touch.
const (
	minYear = 1970
	maxYear = 2199
)

// form is the form in which a date is written.
type form int

const (
	localForm form = iota // 20250101T090000, in the rule's zone
	zonedForm             // the same with a TZID
	utcForm               // 20250101T080000Z
	dateForm              // 20250101
)

// The layouts of RFC 5545.
const (
	dateLayout  = "20060102"
	localLayout = "20060102T150405"
	utcLayout   = "20060102T150405Z"
)

// moment is a date as written: a wall time, and its reference.
type moment struct {
	form form
	wall time.Time      // as if in UTC
	zone *time.Location // of the TZID, else nil
	tzid string
}

// utcMoment writes an instant in UTC.
func utcMoment(t time.Time) moment {
	return moment{form: utcForm, wall: t.UTC().Truncate(time.Second)}
}

// zonedMoment writes an instant in the zone called tzid.
func zonedMoment(t time.Time, zone *time.Location, tzid string) moment {
	return moment{form: zonedForm, wall: wallOf(t.Truncate(time.Second).In(zone)), zone: zone, tzid: tzid}
}

// at returns the instant. A date alone means its midnight. A time without a
// zone is in the given one.
func (m moment) at(zone *time.Location) time.Time {
	switch m.form {
	case utcForm:
		return m.wall
	case zonedForm:
		return place(m.wall, m.zone)
	default:
		return place(m.wall, zone)
	}
}

// value writes the moment, without its parameters.
func (m moment) value() string {
	switch m.form {
	case dateForm:
		return m.wall.Format(dateLayout)
	case utcForm:
		return m.wall.Format(utcLayout)
	default:
		return m.wall.Format(localLayout)
	}
}

// params writes the parameters that the moment needs.
func (m moment) params() string {
	switch m.form {
	case dateForm:
		return ";VALUE=DATE"
	case zonedForm:
		return ";TZID=" + m.tzid
	default:
		return ""
	}
}

// inOrder sorts moments by the way they are written, then by time, and drops
// repetitions, so that equal sets are written equally.
func inOrder(moments []moment) []moment {
	slices.SortFunc(moments, func(a, b moment) int {
		return cmp.Or(cmp.Compare(a.form, b.form), cmp.Compare(a.tzid, b.tzid), a.wall.Compare(b.wall))
	})
	return slices.CompactFunc(moments, func(a, b moment) bool {
		return a.form == b.form && a.tzid == b.tzid && a.wall.Equal(b.wall)
	})
}

// readMoments reads the value of a DTSTART, RDATE or EXDATE line.
func readMoments(l line, known zones) ([]moment, error) {
	params, err := readDateParams(l, known)
	if err != nil {
		return nil, err
	}
	items := splitList(l.value)
	moments := make([]moment, len(items))
	for i, item := range items {
		m, err := readMoment(l.name, item)
		if err != nil {
			return nil, err
		}
		if moments[i], err = params.apply(l.name, m); err != nil {
			return nil, err
		}
	}
	return moments, nil
}

// readMoment reads one date without parameters.
func readMoment(part, text string) (moment, error) {
	layouts := [...]string{localForm: localLayout, utcForm: utcLayout, dateForm: dateLayout}
	upper := strings.ToUpper(text)
	for f, layout := range layouts {
		if layout == "" || len(layout) != len(upper) {
			continue
		}
		wall, err := time.Parse(layout, upper)
		if err != nil {
			break
		}
		if !yearInRange(wall.Year()) {
			return moment{}, refuseYear(part, wall.Year())
		}
		return moment{form: form(f), wall: wall}, nil
	}
	return moment{}, refuse(part, msgBadValue, "value", shown(text))
}

func yearInRange(year int) bool { return minYear <= year && year <= maxYear }
