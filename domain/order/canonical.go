package order

import (
	"bytes"
	"math"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// CanonicalJSON encodes a value canonically (RFC 8785), so that equal values
// compare equal, except that whole numbers keep all their digits, because they
// are often identifiers. It reports false for a value with a number that cannot
// be stored, because it is too large or too small.
func CanonicalJSON(value []byte) (string, bool) {
	v := jsontext.Value(value).Clone()
	largest, keepable := surveyNumbers(value)
	// A database writes 1e21 as a whole number and an integer is one, so from
	// about there on all are written alike.
	if err := v.Canonicalize(jsontext.CanonicalizeRawInts(largest >= 1e20)); err != nil {
		return "", false
	}
	return string(v), keepable
}

// surveyNumbers returns the magnitude of the largest number in a JSON value, and
// reports whether all of them can be kept.
func surveyNumbers(value []byte) (largest float64, keepable bool) {
	dec := jsontext.NewDecoder(bytes.NewReader(value))
	keepable = true
	for {
		token, err := dec.ReadToken()
		if err != nil {
			return largest, keepable
		}
		if token.Kind() == '0' {
			text := token.String()
			n, _ := strconv.ParseFloat(text, 64)
			largest, keepable = max(largest, math.Abs(n)), keepable && keepableNumber(text, n)
		}
	}
}

// mostDecimals is how many digits Postgres keeps behind a number's point.
const mostDecimals = 16_383

// keepableNumber reports whether a number fits both a float64 and the database:
// it is neither so large that it becomes infinite nor so small that it becomes
// zero, and has no more decimals than the database.
func keepableNumber(text string, n float64) bool {
	digits, exponent, _ := strings.Cut(strings.ToLower(text), "e")
	_, decimals, _ := strings.Cut(digits, ".")
	power := 0
	if exponent != "" {
		var err error
		if power, err = strconv.Atoi(exponent); err != nil {
			return false
		}
	}
	vanished := n == 0 && strings.ContainsAny(digits, "123456789")
	return !math.IsInf(n, 0) && !vanished && power <= mostDecimals && len(decimals)-power <= mostDecimals
}
