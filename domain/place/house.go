package place

import (
	"regexp"
	"strconv"
	"strings"
)

// House is a house number with its letter. Number is zero if there is none.
type House struct {
	Number int
	Letter string
}

// String returns the number as people write it: 22B.
func (h House) String() string {
	if h.Number == 0 {
		return ""
	}
	return strconv.Itoa(h.Number) + h.Letter
}

const (
	// highestNumber bounds house numbers; a higher one is something else.
	highestNumber = 99_999
	// longestRange is how many numbers of a range are taken: a longer one is rather a block.
	longestRange = 10
)

var (
	housePattern = regexp.MustCompile(`^\s*(\d{1,5})\s*-?\s*([A-Za-zÆØÅæøåÄÖäö]?)(?:\W|$)`)
	rangePattern = regexp.MustCompile(`^\s*(\d{1,5})\s*[A-Za-z]?\s*[-–/]\s*(\d{1,5})\s*[A-Za-z]?\s*(?:$|[,;])`)
)

// ReadHouse reads a house number at the beginning of a text: "22", "22 B", "22b, Floor 6".
func ReadHouse(text string) (House, bool) {
	m := housePattern.FindStringSubmatch(text)
	if m == nil {
		return House{}, false
	}
	number, err := strconv.Atoi(m[1])
	if err != nil || number == 0 || number > highestNumber {
		return House{}, false
	}
	return House{number, strings.ToUpper(m[2])}, true
}

// ReadHouses reads a register's house number: one, several ("1;3", "1,3"), or a range
// ("3-5") with the numbers of that side in it. Floors and other texts behind are left out.
func ReadHouses(text string) (all []House) {
	if m := rangePattern.FindStringSubmatch(text); m != nil {
		from, _ := strconv.Atoi(m[1]) // five digits at most
		to, _ := strconv.Atoi(m[2])
		if from > 0 && to > from && to <= highestNumber {
			return numbersBetween(from, to)
		}
	}
	for i, part := range strings.FieldsFunc(text, func(r rune) bool { return r == ';' || r == ',' || r == '+' }) {
		house, ok := ReadHouse(part)
		if ok && (i == 0 || house.String() == strings.ToUpper(strings.ReplaceAll(strings.TrimSpace(part), " ", ""))) {
			all = append(all, house)
		}
	}
	return all
}

// numbersBetween are the numbers of a range. Both ends of one side of the street have the same
// parity, and so have the numbers between them.
func numbersBetween(from, to int) (all []House) {
	step := 2
	if (to-from)%2 != 0 {
		step = to - from // only the ends are sure
	}
	if (to-from)/step >= longestRange {
		step = to - from
	}
	for n := from; n <= to; n += step {
		all = append(all, House{Number: n})
	}
	return all
}
