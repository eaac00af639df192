package place

import (
	"regexp"
	"strings"
)

// digitsOfCodes are how many digits the postal codes of a country have.
var digitsOfCodes = map[string]int{
	"NO": 4, "DK": 4, "LI": 4, "AT": 4, "CH": 4, "BE": 4, "HU": 4, "SI": 4, "BG": 4, "LU": 4,
	"SE": 5, "FI": 5, "DE": 5, "AX": 5, "EE": 5, "FR": 5, "IT": 5, "ES": 5, "CZ": 5, "SK": 5,
}

var (
	// codeInText is a postal code of digits in a line with a town.
	codeInText = regexp.MustCompile(`(?i)(?:^|[\s,])(?:[a-z]{1,3}-)?(\d{3} \d{2}|\d{4,5})(?:$|[\s,])`)
	// codeAlone is a field with only a postal code of digits.
	codeAlone = regexp.MustCompile(`(?i)^\s*(?:[a-z]{1,3}[- ])?(\d{3} ?\d{2}|\d{2,5})\s*$`)
	// codeOfLetters is a field with a code of letters and digits, as in Britain.
	codeOfLetters = regexp.MustCompile(`(?i)^\s*([a-z]{1,2}\d[a-z\d]? ?\d[a-z]{2}|\d{4} ?[a-z]{2})\s*$`)
)

// CleanPostalCode returns a postal code in the form of registers: without
// spaces and a country prefix, and with the leading zero that spreadsheets
// lose. It returns "" for anything else.
func CleanPostalCode(country, text string) string {
	if m := codeAlone.FindStringSubmatch(text); m != nil {
		code := strings.ReplaceAll(m[1], " ", "")
		if missing := digitsOfCodes[country] - len(code); missing > 0 && missing < 3 {
			code = strings.Repeat("0", missing) + code
		}
		if want := digitsOfCodes[country]; want > 0 && want != len(code) {
			return ""
		}
		return code
	}
	if m := codeOfLetters.FindStringSubmatch(text); m != nil {
		return strings.ToUpper(strings.ReplaceAll(m[1], " ", ""))
	}
	return ""
}

// splitTown finds the postal code and the town in the two fields, in either
// order.
func splitTown(country, first, second string) (code, town string) {
	for _, field := range []string{first, second} {
		if found := CleanPostalCode(country, field); found != "" && code == "" {
			code = found
		} else if strings.TrimSpace(field) != "" {
			town = strings.TrimSpace(town + " " + field)
		}
	}
	if m := codeInText.FindStringSubmatchIndex(town); m != nil {
		if found := CleanPostalCode(country, town[m[2]:m[3]]); found != "" {
			town = strings.Trim(town[:m[0]]+" "+town[m[1]:], " ,")
			if code == "" {
				code = found
			}
		}
	}
	return code, town
}
