package recurrence

import (
	"slices"
	"strconv"
	"strings"
)

// bounds is the range of numbers of a part.
type bounds interface {
	read(in part, text string) (int, error)
}

// unsigned numbers range from min to max.
type unsigned struct{ min, max int }

// signed numbers range from min to max, or from -max to -min.
type signed struct{ min, max int }

func (b unsigned) read(in part, text string) (int, error) {
	if !digits(text) {
		return 0, refuse(in.name, msgBetween, "min", itoa(b.min), "max", itoa(b.max), "value", shown(text))
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < b.min || n > b.max {
		return 0, refuse(in.name, msgBetween, "min", itoa(b.min), "max", itoa(b.max), "value", shown(text))
	}
	return n, nil
}

func (b signed) read(in part, text string) (int, error) {
	n, err := strconv.Atoi(text)
	if err != nil || max(n, -n) < b.min || max(n, -n) > b.max {
		return 0, refuse(in.name, msgBetweenBoth, "min", itoa(b.min), "max", itoa(b.max), "value", shown(text))
	}
	return n, nil
}

// digits reports whether a text consists of digits, without a sign.
func digits(text string) bool {
	return text != "" && strings.Trim(text, "0123456789") == ""
}

// readCounter reads a number from 1 on.
func readCounter(in part, most int) (int, error) {
	return unsigned{1, most}.read(in, in.value)
}

// readNumbers reads a list of numbers, puts it in order and drops repetitions:
// the library would count a repeated value twice.
func readNumbers(in part, b bounds) ([]int, error) {
	var numbers []int
	for _, item := range splitList(in.value) {
		n, err := b.read(in, item)
		if err != nil {
			return nil, err
		}
		numbers = append(numbers, n)
	}
	slices.Sort(numbers)
	return slices.Compact(numbers), nil
}
