package learning

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"time"

	"waybill/domain/freight"
	"waybill/domain/traffic"
)

// weekdays are the days of the week that have hours in common.
type weekdays int

const (
	workdays weekdays = iota
	saturdays
	sundays
	allWeekdays
)

var codes = [allWeekdays][]string{
	workdays: {"MO", "TU", "WE", "TH", "FR"}, saturdays: {"SA"}, sundays: {"SU"},
}

func weekdaysOf(day time.Weekday) weekdays {
	switch day {
	case time.Saturday:
		return saturdays
	case time.Sunday:
		return sundays
	}
	return workdays
}

const hoursOfDay = 24

// cell is an hour of some days of the week.
type cell struct {
	days weekdays
	hour int
}

// region is a part of a country, by the beginning of its postal codes; the empty one is everywhere.
type region struct{ country, prefix string }

// prefixLength is how much of a postal code makes a region.
const prefixLength = 2

// regionOf returns the region of a leg that stays within one, or else false.
func regionOf(l *Leg) (region, bool) {
	from, to := regionAt(l.From), regionAt(l.To)
	return from, from == to && from.prefix != ""
}

func regionAt(p freight.Place) region {
	code := freight.Code(p.PostalCode)
	if len(code) < prefixLength {
		return region{}
	}
	return region{country: p.Country, prefix: code[:prefixLength]}
}

// Hours returns when driving takes longer or shorter than the road data says, by the legs that were driven: in each
// hour of workdays, Saturdays and Sundays, everywhere, and in areas where it differs. Hours without enough legs have
// the factor of their day, if that has enough. The zone is that of the organization.
func Hours(legs []Leg, zone *time.Location) []traffic.RushHours {
	l := collected(legs, zone)
	regions := l.distinct()
	hours := l.written(regions)
	if len(hours) > traffic.MostRushHours {
		hours = l.written(nil)
	}
	if len(hours) > traffic.MostRushHours {
		return nil
	}
	return hours
}

// lessons are the samples of all legs.
type lessons struct {
	// everywhere has the samples of cells, and regional those of regions.
	everywhere map[cell]*sample
	regional   map[region]map[cell]*sample
	// daily are the samples of whole days.
	daily [allWeekdays]sample
}

func collected(legs []Leg, zone *time.Location) *lessons {
	l := &lessons{everywhere: map[cell]*sample{}, regional: map[region]map[cell]*sample{}}
	for i := range legs {
		leg := &legs[i]
		if !leg.sound() {
			continue
		}
		middle := leg.Left.Add(leg.Took / 2).In(zone)
		at := cell{days: weekdaysOf(middle.Weekday()), hour: middle.Hour()}
		l.daily[at.days].add(leg)
		add(l.everywhere, at, leg)
		if in, within := regionOf(leg); within {
			if l.regional[in] == nil {
				l.regional[in] = map[cell]*sample{}
			}
			add(l.regional[in], at, leg)
		}
	}
	return l
}

func add(to map[cell]*sample, at cell, leg *Leg) {
	if to[at] == nil {
		to[at] = &sample{}
	}
	to[at].add(leg)
}

// factor returns the factor of an hour everywhere.
func (l *lessons) factor(at cell) float64 {
	switch {
	case l.everywhere[at].suffices(fewLegs):
		return l.everywhere[at].factor()
	case l.daily[at.days].suffices(manyLegs):
		return l.daily[at.days].factor()
	}
	return 1
}

// in returns the factor of an hour in a region, and whether it has one of its own.
func (l *lessons) in(r region, at cell) (factor float64, own bool) {
	if s := l.regional[r][at]; s.suffices(fewLegs) {
		return s.factor(), true
	}
	return l.factor(at), false
}

// distinct returns the regions in which some hour differs from that everywhere, in their order.
func (l *lessons) distinct() []region {
	var some []region
	for r, cells := range l.regional {
		for at := range cells {
			everywhere := l.factor(at)
			if own, is := l.in(r, at); is && (own > everywhere*(1+differs) || own < everywhere*(1-differs)) {
				some = append(some, r)
				break
			}
		}
	}
	slices.SortFunc(some, region.compare)
	return some
}

// written writes the factors as rush hours. Where several apply, the highest counts, so those everywhere are the lowest
// of all, and regions have what is above.
func (l *lessons) written(regions []region) (hours []traffic.RushHours) {
	others := l.others(regions)
	for days := range allWeekdays {
		lowest := [hoursOfDay]float64{}
		for hour := range lowest {
			at := cell{days: days, hour: hour}
			lowest[hour] = l.factor(at)
			for _, r := range regions {
				own, _ := l.in(r, at)
				lowest[hour] = min(lowest[hour], own)
			}
		}
		hours = append(hours, spans(days, nil, func(hour int) float64 { return lowest[hour] })...)
		above := func(factor float64, hour int) float64 {
			if factor <= lowest[hour] {
				return 1
			}
			return factor
		}
		for _, r := range regions {
			hours = append(hours, spans(days, []freight.Area{r.area()}, func(hour int) float64 {
				own, _ := l.in(r, cell{days: days, hour: hour})
				return above(own, hour)
			})...)
		}
		if len(others) > 0 {
			hours = append(hours, spans(days, others, func(hour int) float64 {
				return above(l.factor(cell{days: days, hour: hour}), hour)
			})...)
		}
	}
	return hours
}

// others returns the areas of all regions without factors of their own, if any has some.
func (l *lessons) others(regions []region) (areas []freight.Area) {
	if len(regions) == 0 {
		return nil
	}
	for _, r := range slices.SortedFunc(maps.Keys(l.regional), region.compare) {
		if !slices.Contains(regions, r) && len(areas) < traffic.MostAreas {
			areas = append(areas, r.area())
		}
	}
	return areas
}

func (r region) compare(other region) int {
	return cmp.Or(cmp.Compare(r.country, other.country), cmp.Compare(r.prefix, other.prefix))
}

func (r region) area() freight.Area {
	return freight.Area{Country: r.country, From: r.prefix, To: r.prefix}
}

// spans joins hours in a row that have the same factor. Those with the factor 1 need none.
func spans(days weekdays, areas []freight.Area, factor func(hour int) float64) (hours []traffic.RushHours) {
	for hour := 0; hour < hoursOfDay; {
		until, same := hour+1, factor(hour)
		for until < hoursOfDay && factor(until) == same {
			until++
		}
		if same != 1 {
			h := traffic.RushHours{
				Days: codes[days], From: clock(hour), Until: clock(until), Factor: same, Areas: areas,
			}
			hours = append(hours, h.Written())
		}
		hour = until
	}
	return hours
}

func clock(hour int) string { return fmt.Sprintf("%02d:00", hour) }
