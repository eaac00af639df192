package recurrence

import (
	"strings"
	"time"
	_ "time/tzdata" // so that the zone data does not depend on the machine
)

// widestOffset is more than any zone's offset ever.
const widestOffset = 16 * time.Hour

// widestShift is more than any clock change ever: Samoa skipped a whole day in
// 2011.
const widestShift = 25 * time.Hour

// wallOf returns the wall time of t in its zone, as if it were UTC.
func wallOf(t time.Time) time.Time {
	return t.UTC().Add(offsetAt(t, t.Location()))
}

// place returns the instant of a wall time in a zone: the first one if a change
// of clock repeats it, and later by the length of the gap if a change of clock
// skips it. time.Date guarantees neither.
//
// It uses only offsets, because Time.ZoneBounds ends a leap year a day too
// early after the end of the zone's table, in 2038.
func place(wall time.Time, zone *time.Location) time.Time {
	before, after := offsetAt(wall.Add(-widestOffset), zone), offsetAt(wall.Add(widestOffset), zone)
	first, second := wall.Add(-before), wall.Add(-after)
	if offsetAt(first, zone) != before && offsetAt(second, zone) == after {
		return second.In(zone)
	}
	return first.In(zone)
}

// offsetAt returns how far the clocks of a zone are ahead of UTC at an instant.
func offsetAt(at time.Time, zone *time.Location) time.Duration {
	_, seconds := at.In(zone).Zone()
	return time.Duration(seconds) * time.Second
}

// lastOfDay returns the last second of a local day, whose midnight is given as a
// wall time.
func lastOfDay(day time.Time, zone *time.Location) time.Time {
	return place(day.AddDate(0, 0, 1), zone).Add(-time.Second)
}

// dayOf returns the midnight of a wall time's day.
func dayOf(wall time.Time) time.Time { return wall.Add(-timeOfDay(wall)) }

// timeOfDay returns how long after midnight a wall time is.
func timeOfDay(wall time.Time) time.Duration {
	hour, minute, second := wall.Clock()
	return time.Duration(hour)*time.Hour + time.Duration(minute)*time.Minute + time.Duration(second)*time.Second
}

// zones remembers the zones that one text names, so that each is loaded once.
type zones map[string]*time.Location

// load returns the zone of an IANA name.
func (z zones) load(name string) (*time.Location, error) {
	if zone, ok := z[name]; ok {
		return zone, nil
	}
	if !portable(name) {
		return nil, refuse("TZID", msgZone, "value", shown(name))
	}
	zone, err := time.LoadLocation(name)
	if err != nil {
		return nil, refuse("TZID", msgZone, "value", shown(name))
	}
	z[name] = zone
	return zone, nil
}

// IsZone reports whether a name is the IANA name of a time zone, which means the same zone on every machine.
func IsZone(name string) bool {
	_, err := zones{}.load(name)
	return err == nil
}

// portable reports whether a name means the same zone on every machine. It
// rejects names with a special meaning in Go or in a machine's zone files, and
// names that only some file systems accept.
func portable(name string) bool {
	switch name {
	case "Local", "localtime", "posixrules", "Factory":
		return false
	}
	for segment := range strings.SplitSeq(name, "/") {
		if segment == "" || segment == "posix" || segment == "right" || !plain(segment) {
			return false
		}
	}
	return true
}

// plain reports whether a text has only characters of zone names.
func plain(text string) bool {
	const characters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_+-"
	return strings.Trim(text, characters) == ""
}

// Wall returns the wall time of an instant in a zone, as if it were UTC.
func Wall(at time.Time, zone *time.Location) time.Time { return wallOf(at.In(zone)) }

// Place returns the instant of a wall time in a zone, given as if it were UTC:
// the first one if a change of clock repeats it, and later by the length of the
// gap if a change of clock skips it.
func Place(wall time.Time, zone *time.Location) time.Time { return place(wall, zone) }
