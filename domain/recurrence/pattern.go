package recurrence

import "strings"

// The largest counts in a rule.
const (
	maxCount    = 10_000
	maxInterval = 1_000
)

// frequency is the frequency of a pattern, from the rarest on.
type frequency int

const (
	yearly frequency = iota + 1
	monthly
	weekly
	daily
	hourly
)

var frequencyNames = [...]string{
	yearly: "YEARLY", monthly: "MONTHLY", weekly: "WEEKLY", daily: "DAILY", hourly: "HOURLY",
}

func (f frequency) String() string { return frequencyNames[f] }

// pattern is the value of an RRULE. Lists are sorted without duplicates;
// zero values are absent parts.
type pattern struct {
	freq      frequency
	interval  int
	count     int
	until     *moment
	weekStart int // days after Monday
	positions []int
	months    []int
	monthDays []int
	yearDays  []int
	weekdays  []weekday
	hours     []int
	minutes   []int
	seconds   []int
}

// step returns the interval, 1 by default.
func (p *pattern) step() int { return max(p.interval, 1) }

// readPattern reads and checks the value of an RRULE.
func readPattern(value string) (pattern, error) {
	parts, err := splitParts(value)
	if err != nil {
		return pattern{}, err
	}
	var p pattern
	seen := map[string]bool{}
	for _, part := range parts {
		if seen[part.name] {
			return pattern{}, refuse(part.name, msgRepeated)
		}
		seen[part.name] = true
		if err := p.set(part); err != nil {
			return pattern{}, err
		}
	}
	return p, p.check()
}

// part is one NAME=value of an RRULE.
type part struct{ name, value string }

// splitParts splits the value of an RRULE. One extra semicolon is tolerated,
// because many programs write it.
func splitParts(value string) ([]part, error) {
	value = strings.TrimSpace(strings.TrimSuffix(value, ";"))
	if value == "" {
		return nil, refuse("RRULE", msgEmpty)
	}
	var parts []part
	for raw := range strings.SplitSeq(value, ";") {
		name, text, found := strings.Cut(raw, "=")
		read := part{name: keyword(name), value: keyword(text)}
		if !found || read.name == "" || read.value == "" {
			return nil, refuse("RRULE", msgMalformed, "value", shown(strings.TrimSpace(raw)))
		}
		parts = append(parts, read)
	}
	return parts, nil
}

// set takes in one part.
func (p *pattern) set(in part) (err error) {
	switch in.name {
	case "FREQ":
		p.freq, err = readFrequency(in)
	case "INTERVAL":
		p.interval, err = readCounter(in, maxInterval)
	case "COUNT":
		p.count, err = readCounter(in, maxCount)
	case "UNTIL":
		p.until, err = readUntil(in)
	case "WKST":
		p.weekStart, err = readWeekStart(in)
	case "BYDAY":
		p.weekdays, err = readWeekdays(in)
	case "BYWEEKNO", "BYEASTER":
		err = refuse(in.name, msgUnsupported)
	default:
		err = p.setNumbers(in)
	}
	return err
}

// setNumbers sets one of the parts that are lists of numbers.
func (p *pattern) setNumbers(in part) (err error) {
	switch in.name {
	case "BYSETPOS":
		p.positions, err = readNumbers(in, signed{1, 366})
	case "BYMONTH":
		p.months, err = readNumbers(in, unsigned{1, 12})
	case "BYMONTHDAY":
		p.monthDays, err = readNumbers(in, signed{1, 31})
	case "BYYEARDAY":
		p.yearDays, err = readNumbers(in, signed{1, 366})
	case "BYHOUR":
		p.hours, err = readNumbers(in, unsigned{0, 23})
	case "BYMINUTE":
		p.minutes, err = readNumbers(in, unsigned{0, 59})
	case "BYSECOND":
		p.seconds, err = readNumbers(in, unsigned{0, 59})
	default:
		err = refuse(shown(in.name), msgUnknownPart)
	}
	return err
}

func readFrequency(in part) (frequency, error) {
	for f := yearly; f <= hourly; f++ {
		if in.value == f.String() {
			return f, nil
		}
	}
	if in.value == "MINUTELY" || in.value == "SECONDLY" {
		return 0, refuse(in.name, msgTooOften, "value", in.value)
	}
	return 0, refuse(in.name, msgBadValue, "value", shown(in.value))
}

func readUntil(in part) (*moment, error) {
	m, err := readMoment(in.name, in.value)
	if err != nil {
		return nil, err
	}
	return &m, nil
}
