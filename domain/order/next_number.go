package order

import (
	"fmt"
	"regexp"
	"strconv"
)

// numbersAhead is how many numbers may be taken before none is proposed.
const numbersAhead = 200

var (
	// counted is a number that ends with digits that can be counted on.
	counted = regexp.MustCompile(`^(|.*\D)(\d{1,15})$`)
	// drawn matches a number that the service generated for an order
	// without one.
	drawn = regexp.MustCompile(`^M-\d+$`)
)

// NextNumbers are the numbers after a given one. They increment its last
// digits, and keep leading zeros. A number without digits at its end has none,
// and neither has a generated one: leaving the number out generates the next
// one.
func NextNumbers(number string) []string {
	parts := counted.FindStringSubmatch(number)
	if parts == nil || drawn.MatchString(number) {
		return nil
	}
	last, err := strconv.ParseInt(parts[2], 10, 64)
	if err != nil {
		return nil
	}
	var next []string
	for i := range int64(numbersAhead) {
		n := fmt.Sprintf("%s%0*d", parts[1], len(parts[2]), last+1+i)
		if len(n) > maxName {
			break
		}
		next = append(next, n)
	}
	return next
}
