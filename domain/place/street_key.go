package place

import (
	"cmp"
	"slices"
	"strings"
)

// StreetKey is how a street's name is compared.
type StreetKey struct {
	// Plain is the name in small letters without accents and spaces: karljohansgate.
	Plain string
	// Key is Plain with its kind of street reduced to one form, so that gate, gata and gt.
	// are the same: karljohansgt.
	Key string
}

// NewStreetKey returns the key of a street's name in any of the supported
// languages: Norwegian, Swedish, Danish, Finnish, English and German.
func NewStreetKey(name string) StreetKey {
	all := words(fold(name))
	for i, word := range all {
		all[i] = written(word, i, len(all))
	}
	plain := compact(all)
	return StreetKey{Plain: plain, Key: reduce(plain)}
}

// IsEmpty reports whether the name had no letters.
func (k StreetKey) IsEmpty() bool { return k.Plain == "" }

// titles are abbreviations of the first words of names.
var titles = map[string]string{
	"dr": "doktor", "prof": "professor", "st": "sankt", "gen": "general", "kapt": "kaptein", "pres": "president",
	"ndr": "nordre", "sdr": "sondre", "nrd": "nordre", "gl": "gammel", "gml": "gamle", "kgs": "kongens",
	"chr": "christian", "fr": "frederik", "sgt": "sersjant", "ing": "ingenior", "adm": "admiral",
}

// kinds are abbreviations of kinds of streets, as separate words or with a dot
// after the end of a word: "v." in "Parkv.".
var kinds = map[string]string{
	"g": "gate", "gt": "gate", "gtn": "gate", "v": "vei", "vn": "vei", "vg": "vei", "pl": "plass", "plds": "plass",
	"al": "alle", "str": "strasse", "k": "katu", "t": "tie", "rd": "road", "ave": "avenue", "av": "avenue",
	"sq": "square", "ln": "lane", "st": "street", "blvd": "boulevard", "boul": "boulevard", "bd": "boulevard",
	"terr": "terrasse", "tg": "torg",
}

// dotted are the abbreviations that follow the stem of a compound, longest
// first.
var dotted = []string{"gtn.", "str.", "gt.", "vn.", "vg.", "pl.", "tg.", "g.", "v.", "k.", "t."}

// written writes a word in full when it is an abbreviation.
func written(word string, at, of int) string {
	bare := strings.TrimSuffix(word, ".")
	isLast := at == of-1 && of > 1
	if full, ok := kinds[bare]; ok && isLast {
		return full
	}
	if full, ok := titles[bare]; ok && !isLast && at == 0 {
		return full
	}
	if at == of-1 && bare != word {
		for _, end := range dotted {
			if stem, ok := strings.CutSuffix(word, end); ok && len(stem) > 2 {
				return stem + kinds[end[:len(end)-1]]
			}
		}
	}
	return word
}

// endings are the kinds of streets as names end with them, after folding, by their one form.
var endings = map[string]string{
	"gt":  "gate gata gaten gatan gade gaden gatene gatu",
	"v":   "vei veien veg vegen vej vejen vag vagen",
	"pl":  "plass plassen plads pladsen plats platsen platz",
	"al":  "alle alleen allee alleer",
	"tg":  "torg torget torv torvet",
	"st":  "strasse strase street str",
	"rd":  "road",
	"av":  "avenue avenyen aveny avenu",
	"bd":  "boulevard boulevarden bulevarden bulevard",
	"sq":  "square",
	"te":  "terrasse terrassen terasse",
	"bk":  "bakke bakken bakka",
	"br":  "brygge bryggen brygga",
	"sti": "sti stien stig stigen",
}

// ends are the endings, longest first.
var ends = sortedEnds()

type ending struct{ long, short string }

func sortedEnds() (all []ending) {
	for short, list := range endings {
		for long := range strings.FieldsSeq(list) {
			all = append(all, ending{long, short})
		}
	}
	slices.SortFunc(all, func(a, b ending) int {
		return cmp.Or(cmp.Compare(len(b.long), len(a.long)), cmp.Compare(a.long, b.long))
	})
	return all
}

// kindOf is the normalized kind of street with which a name ends, if any.
func kindOf(k StreetKey) string {
	for _, e := range ends {
		if stem, ok := strings.CutSuffix(k.Plain, e.long); ok && len(stem) > 1 {
			return e.short
		}
	}
	if strings.HasSuffix(k.Plain, "gt") {
		return "gt" // no name ends with these letters by itself
	}
	return ""
}

// reduce normalizes the word for the kind of street. A name of nothing else
// stays: Bryggen.
func reduce(plain string) string {
	for _, e := range ends {
		if stem, ok := strings.CutSuffix(plain, e.long); ok && len(stem) > 1 {
			return stem + e.short
		}
	}
	return plain
}
