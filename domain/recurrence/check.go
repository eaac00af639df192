package recurrence

import "slices"

// maxADay is how many occurrences a rule may have on one day.
const maxADay = 24

// check refuses rules that are readable but invalid, by RFC 5545 or by our
// limits.
func (p *pattern) check() error {
	if p.freq == 0 {
		return refuse("FREQ", msgMissing)
	}
	if p.until != nil && p.count > 0 {
		return refuse("UNTIL", msgUntilCount)
	}
	if len(p.positions) > 0 && !p.selective() {
		return refuse("BYSETPOS", msgSetPosAlone)
	}
	if err := p.checkFrequency(); err != nil {
		return err
	}
	if err := p.checkWeekdays(); err != nil {
		return err
	}
	return p.checkPerDay()
}

// selective reports whether BYSETPOS has anything to choose from.
func (p *pattern) selective() bool {
	return p.picksDays() || len(p.months)+len(p.hours)+len(p.minutes)+len(p.seconds) > 0
}

// picksDays reports whether the pattern itself selects days of a month or
// week. Otherwise the start does.
func (p *pattern) picksDays() bool {
	return len(p.monthDays)+len(p.yearDays)+len(p.weekdays) > 0
}

// timePart returns the name of a part that sets a time of day, or "".
func (p *pattern) timePart() string {
	switch {
	case len(p.hours) > 0:
		return "BYHOUR"
	case len(p.minutes) > 0:
		return "BYMINUTE"
	case len(p.seconds) > 0:
		return "BYSECOND"
	default:
		return ""
	}
}

// checkFrequency refuses parts that have no meaning at the rule's frequency.
func (p *pattern) checkFrequency() error {
	if len(p.monthDays) > 0 && p.freq == weekly {
		return refuse("BYMONTHDAY", msgNotWithFreq, "freq", p.freq.String())
	}
	if len(p.yearDays) > 0 && (p.freq == monthly || p.freq == weekly || p.freq == daily) {
		return refuse("BYYEARDAY", msgNotWithFreq, "freq", p.freq.String())
	}
	return nil
}

// checkWeekdays refuses numbers in BYDAY where they are meaningless. The
// library ignores such numbers, or other days, or panics.
func (p *pattern) checkWeekdays() error {
	numbered := func(w weekday) bool { return w.number != 0 }
	if !slices.ContainsFunc(p.weekdays, numbered) {
		return nil
	}
	if p.freq > monthly {
		return refuse("BYDAY", msgNumberFreq, "freq", p.freq.String())
	}
	reach := 53
	if p.freq == monthly || len(p.months) > 0 {
		reach = 5
	}
	for _, w := range p.weekdays {
		if !numbered(w) {
			return refuse("BYDAY", msgDayMixed)
		}
		if max(w.number, -w.number) > reach {
			return refuse("BYDAY", msgDayReach, "value", itoa(w.number), "max", itoa(reach))
		}
	}
	return nil
}

// checkPerDay refuses rules with too many occurrences in a day.
func (p *pattern) checkPerDay() error {
	hours := max(len(p.hours), 1)
	if p.freq == hourly {
		hours = (24 + p.step() - 1) / p.step()
		if len(p.hours) > 0 {
			hours = min(hours, len(p.hours))
		}
	}
	perDay := hours * max(len(p.minutes), 1) * max(len(p.seconds), 1)
	if perDay <= maxADay {
		return nil
	}
	return refuse(p.timePart(), msgManyADay, "value", itoa(perDay), "max", itoa(maxADay))
}

// checkReach refuses an HOURLY rule if none of its hours is a whole number of
// steps away from the start's: the library would search forever.
func (p *pattern) checkReach(startHour int) error {
	if p.freq != hourly || len(p.hours) == 0 {
		return nil
	}
	stride := gcd(p.step(), 24)
	for _, hour := range p.hours {
		if (hour-startHour)%stride == 0 {
			return nil
		}
	}
	return refuse("BYHOUR", msgHourReach)
}

func gcd(a, b int) int {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}
