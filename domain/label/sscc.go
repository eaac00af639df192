// Package label decides which labels orders get and what their barcodes
// contain. The layout of labels belongs elsewhere.
package label

import (
	"fmt"
	"strconv"
)

// digits is how many digits a code has, its check digit included.
const digits = 18

// SSCC returns the serial shipping container code for a number under a GS1
// company prefix. The extension digit and the digits after the prefix count
// up; after the last number it starts over.
func SSCC(prefix string, number int64) string {
	free := digits - 1 - len(prefix)
	capacity := int64(1)
	for range free {
		capacity *= 10
	}
	serial := fmt.Sprintf("%0*d", free, number%capacity)
	code := serial[:1] + prefix + serial[1:]
	return code + strconv.Itoa(check(code))
}

// IsSSCC reports whether a text is a serial shipping container code.
func IsSSCC(code string) bool {
	if len(code) != digits {
		return false
	}
	for _, d := range code {
		if d < '0' || d > '9' {
			return false
		}
	}
	return check(code[:digits-1]) == int(code[digits-1]-'0')
}

// check is the check digit for digits: their weights alternate between three
// and one, ending with three.
func check(code string) int {
	sum := 0
	for i := range len(code) {
		weight := 1
		if (len(code)-i)%2 == 1 {
			weight = 3
		}
		sum += weight * int(code[i]-'0')
	}
	return (10 - sum%10) % 10
}

// Same returns the barcodes equal to a scanned one: an SSCC may be stored with
// its application identifier or without.
func Same(scanned string) []string {
	if code := CodeOf(scanned); code.SSCC {
		return []string{code.Text, "00" + code.Text}
	}
	return []string{scanned}
}
