package place

import (
	"regexp"
	"strings"
)

var (
	// careOf introduces a person's name, and a post box is no street.
	careOf = regexp.MustCompile(`(?i)^(c/o|c\.o\.|co\.|v/|att\.?:?|attn\.?:?|att:|p/a|z\.? ?hd\.?)\s*`)
	box    = regexp.MustCompile(`(?i)\b(postboks|postbox|boks|box|pb|p\.? ?o\.? ?box|pl \d+|postfach|postlokero)` +
		`\s*\.?\s*\d`)
	// floors are floors, flats, doors and halls of stairs.
	floors = regexp.MustCompile(`(?i)(^|[\s,])(` +
		`\d+\s*\.?\s*(etg|etasje|et|etage|sal|vån|våning|vaning|tr|trp|krs|kerros|og|stock|stk|floor|fl)` +
		`\b\.?(\s*(tv|th|mf)\b\.?)?` +
		`|(etg|etasje|floor|krs|kerros|våning|leil|leilighet|lgh|lägenhet|apt|app|flat|suite|unit|oppg|oppgang` +
		`|inng|inngang|rom)` +
		`\b\.?:?\s*[a-z]?\d*[a-z]?\b` +
		`|(\d+|st|kl)\s*\.?\s*(tv|th|mf)\b\.?` +
		`|[HULK]\s?\d{4}\b` +
		`|(u|h|k|l)\.? ?etg\b\.?)`)
	// glued is a number directly after a name.
	glued = regexp.MustCompile(`(\pL\.?|\.)(\d)`)
	// numberFirst is a house number in front of the street's name.
	numberFirst = regexp.MustCompile(`^(\d{1,5}\s?[A-Za-z]?)\s+(\pL.*)$`)
	// numberBehind is a house number after a name, and the text that follows.
	numberBehind = regexp.MustCompile(`^(.*?\pL.*?)\s+(?:(?i:nr|no|nummer|numero)\.?\s*)?` +
		`(\d{1,5}(?:[^\pL\d]|\pL(?:[^\pL]|$)|$).*)$`)
	lonely = regexp.MustCompile(`^\s*(?:(?i:nr|no)\.?\s*)?\d{1,5}\s?[A-Za-z]?\s*$`)
)

// readings are the ways to read the lines of an address, the likeliest first. A line with a
// number is likelier to be the street than one without.
func readings(lines []string) (all []Reading) {
	var unnumbered []Reading
	for i, line := range lines {
		isOthers := careOf.MatchString(line)
		line = careOf.ReplaceAllString(line, "")
		if box.MatchString(line) {
			continue
		}
		line = strings.TrimSpace(floors.ReplaceAllString(line, " "))
		if i+1 < len(lines) && lonely.MatchString(lines[i+1]) && !strings.ContainsAny(line, "0123456789") {
			line += " " + lines[i+1]
		}
		numbered, bare := readLine(line, isOthers)
		all, unnumbered = append(all, numbered...), append(unnumbered, bare...)
	}
	for i := range unnumbered {
		unnumbered[i].Strict = unnumbered[i].Strict || len(all) > 0
	}
	all = append(all, unnumbered...)
	return all[:min(len(all), mostReadings)]
}

// readLine parses one line. After c/o there is a name, which the street may
// follow.
func readLine(line string, isOthers bool) (numbered, bare []Reading) {
	line = glued.ReplaceAllString(line, "$1 $2")
	name, number := line, ""
	if m := numberBehind.FindStringSubmatch(line); m != nil {
		name, number = m[1], m[2]
	} else if m := numberFirst.FindStringSubmatch(line); m != nil {
		name, number = m[2], m[1]
	}
	house, ok := ReadHouse(number)
	if isOthers && !ok {
		return nil, nil
	}
	first := Reading{Name: strings.TrimSpace(name), Street: NewStreetKey(name), House: house, Strict: isOthers}
	if first.Street.IsEmpty() {
		return nil, nil
	}
	if !ok {
		return nil, []Reading{first}
	}
	numbered = append(numbered, first)
	if isOthers {
		return append(numbered, withoutNames(name, house)...), nil
	}
	return append(numbered, otherNumber(line, name)...), nil
}

// withoutNames are the readings of "Kari Hansen Storgata" that leave out the first words.
func withoutNames(name string, house House) (all []Reading) {
	parts := strings.Fields(name)
	for skip := 1; skip < len(parts) && skip < mostReadings; skip++ {
		rest := strings.Join(parts[skip:], " ")
		if key := NewStreetKey(rest); !key.IsEmpty() {
			all = append(all, Reading{Name: rest, Street: key, House: house})
		}
	}
	return all
}

// otherNumber reads a line with several numbers by its last one: "Felt 3 nr 12".
func otherNumber(line, name string) []Reading {
	last := lastNumber.FindStringIndex(line)
	if last == nil || last[0] <= len(name)+1 {
		return nil
	}
	house, ok := ReadHouse(line[last[0]:])
	name = strings.TrimSpace(nameOfNumber.ReplaceAllString(line[:last[0]], ""))
	key := NewStreetKey(name)
	if !ok || key.IsEmpty() {
		return nil
	}
	return []Reading{{Name: name, Street: key, House: house, Strict: true}}
}

var (
	lastNumber   = regexp.MustCompile(`\d{1,5}\s?[A-Za-z]?\s*$`)
	nameOfNumber = regexp.MustCompile(`(?i)\s*(nr|no|nummer)\.?\s*$`)
)
