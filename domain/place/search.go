package place

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
)

// shortestSearch is how many letters of a street are needed to search.
const shortestSearch = 3

// Search is the text typed so far.
type Search struct {
	// Readings are the ways to part it into a street and a town.
	Readings []SearchReading
	// House is the number behind the street. It may be the beginning of a longer one.
	House House
}

// SearchReading is one way to split the typed text.
type SearchReading struct {
	Street StreetKey
	// Town is the beginning of a town's key, and PostalCode that of a postal code.
	Town, PostalCode string
}

var (
	searchedHouse = regexp.MustCompile(`^(.*?\pL.*?)[\s,]+(\d{1,4})\s?(\pL?)(?:[\s,]+(.*))?$`)
	searchedCode  = regexp.MustCompile(`^(.*?\pL.*?)[\s,]+(\d{4,5})(?:[\s,]+(.*))?$`)
	// codeFirst is a postal code, or the beginning of one, with or without a town behind it.
	codeFirst = regexp.MustCompile(`^(\d{3} \d{2}|\d{1,5})(?:[\s,]+(.*))?$`)
)

// ReadSearch parses typed text. Without enough letters of a street there are no
// readings.
func ReadSearch(typed string) (s Search) {
	typed = glued.ReplaceAllString(strings.TrimSpace(plainSpaces(typed)), "$1 $2")
	if m := searchedCode.FindStringSubmatch(typed); m != nil && !searchedHouse.MatchString(m[1]) {
		s.addPlaced(m[1], m[3], m[2])
		return s
	}
	if m := searchedHouse.FindStringSubmatch(typed); m != nil {
		s.House, _ = ReadHouse(m[2] + m[3])
		code, town := codeAndTown(m[4])
		s.addPlaced(m[1], town, code)
		return s
	}
	if street, town, ok := strings.Cut(typed, ","); ok {
		s.add(street, town, "")
		return s
	}
	s.add(typed, "", "")
	parts := strings.Fields(typed)
	for behind := 1; behind <= 2 && behind < len(parts); behind++ {
		s.add(strings.Join(parts[:len(parts)-behind], " "), strings.Join(parts[len(parts)-behind:], " "), "")
	}
	return s
}

// codeAndTown splits what is typed behind a house number.
func codeAndTown(typed string) (code, town string) {
	m := codeFirst.FindStringSubmatch(typed)
	if m != nil {
		town = m[2]
	} else if m = codeInText.FindStringSubmatch(typed); m == nil {
		return "", typed
	}
	return strings.ReplaceAll(m[1], " ", ""), town
}

// addPlaced adds the readings of a street in a town with a postal code. Either may be wrong, so
// each is enough; the streets with the postal code come first.
func (s *Search) addPlaced(street, town, code string) {
	if code != "" {
		s.add(street, "", code)
	}
	if code == "" || town != "" {
		s.add(street, town, "")
	}
}

func (s *Search) add(street, town, code string) {
	r := SearchReading{Street: NewStreetKey(street), Town: TownKey(town), PostalCode: code}
	if len(r.Street.Plain) >= shortestSearch {
		s.Readings = append(s.Readings, r)
	}
}

// Hit is a street that a search may mean.
type Hit struct {
	StreetID  int64
	Rank      int
	Addresses int64
	Town      string
	Key       StreetKey
	Entry     Entry
}

// Sort puts the likeliest streets first, and leaves out those that don't match:
// by the number of wrong letters, the wanted postal code, whole names, distance to a
// position, and number of addresses. A street in several sources is listed
// once.
func (s *Search) Sort(hits []Hit, near *Position) []Hit {
	type ranked struct {
		Hit
		wrong   int
		whole   bool
		hasCode bool
		meters  float64
	}
	var all []ranked
	for _, h := range hits {
		wrong, whole := s.wrong(&h)
		if wrong > mostWrong {
			continue
		}
		r := ranked{Hit: h, wrong: wrong, whole: whole, hasCode: s.hasCode(&h)}
		if near != nil {
			r.meters = near.Meters(h.Entry.At)
		}
		all = append(all, r)
	}
	slices.SortFunc(all, func(a, b ranked) int {
		return cmp.Or(
			cmp.Compare(a.wrong, b.wrong), compareFlags(b.hasCode, a.hasCode), compareFlags(b.whole, a.whole),
			cmp.Compare(a.meters, b.meters),
			cmp.Compare(b.Addresses, a.Addresses), cmp.Compare(a.Rank, b.Rank), cmp.Compare(a.StreetID, b.StreetID),
		)
	})
	listed := map[[3]string]bool{}
	sorted := make([]Hit, 0, len(all))
	for _, r := range all {
		name := [3]string{r.Entry.PostalCode, r.Town, r.Key.Plain}
		if !listed[name] {
			listed[name] = true
			sorted = append(sorted, r.Hit)
		}
	}
	return sorted
}

// wrong is how many letters are wrong in the likeliest reading, and whether the whole name of
// the street was typed.
func (s *Search) wrong(h *Hit) (best int, whole bool) {
	best = mostWrong + 1
	for i := range s.Readings {
		r := &s.Readings[i]
		if !strings.HasPrefix(h.Town, r.Town) || !strings.HasPrefix(h.Entry.PostalCode, r.PostalCode) {
			continue
		}
		wrong := wrongAtStart(r.Street.Plain, h.Key.Plain)
		isWhole := r.Street.Key == h.Key.Key
		if isWhole {
			wrong = 0
		}
		if wrong < best || wrong == best && isWhole {
			best, whole = wrong, isWhole
		}
	}
	return best, whole
}

// hasCode reports whether a street has the postal code that was typed.
func (s *Search) hasCode(h *Hit) bool {
	return slices.ContainsFunc(s.Readings, func(r SearchReading) bool {
		return r.PostalCode != "" && strings.HasPrefix(h.Entry.PostalCode, r.PostalCode)
	})
}

// wrongAtStart is the number of letters in which the typed text differs from
// the beginning of a key. Short texts may have none.
func wrongAtStart(typed, key string) int {
	if strings.HasPrefix(key, typed) {
		return 0
	}
	if len(typed) < heads[0] || digitsOf(typed) != digitsOf(key[:min(len(key), len(typed))]) {
		return mostWrong + 1
	}
	best := mostWrong + 1
	for end := max(0, len(typed)-mostWrong); end <= min(len(key), len(typed)+mostWrong); end++ {
		best = min(best, alignment(typed, key[:end]))
	}
	if best > 1 && len(typed) < longName {
		return mostWrong + 1
	}
	return best
}

// IsWhole reports whether the whole name of a street was typed, so that its houses are wanted.
func (s *Search) IsWhole(h *Hit) bool {
	return slices.ContainsFunc(s.Readings, func(r SearchReading) bool { return r.Street.Key == h.Key.Key })
}
