package masterdata

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/nyaruka/phonenumbers"

	"waybill/domain/fault"
	"waybill/domain/order"
)

// Limits of stored texts in bytes, of lists, and of numbers.
const (
	maxText   = 255
	maxList   = 1_000
	maxNumber = 1_000_000_000
)

// checker collects the violations of a record.
type checker struct{ problems []fault.Violation }

func (c *checker) complain(field string, text fault.Text) {
	c.problems = append(c.problems, fault.Violation{Field: field, Text: text})
}

// err returns the fault of all violations, or nil.
func (c *checker) err() error {
	if len(c.problems) == 0 {
		return nil
	}
	return &fault.Error{Kind: fault.Unprocessable, Text: fault.Say("request.unprocessable"), Violations: c.problems}
}

// name checks a text that must be there.
func (c *checker) name(field string, value *string) {
	*value = strings.TrimSpace(*value)
	if *value == "" {
		c.complain(field, fault.Say("master_data.missing"))
	}
	c.fits(field, *value)
}

// text checks an optional text.
func (c *checker) text(field string, value **string) {
	if *value == nil {
		return
	}
	trimmed := strings.TrimSpace(**value)
	*value = &trimmed
	if trimmed == "" {
		*value = nil
	}
	c.fits(field, trimmed)
}

func (c *checker) fits(field, value string) {
	switch {
	case len(value) > maxText:
		c.complain(field, fault.Say("field.too_long", "max", strconv.Itoa(maxText)))
	case !utf8.ValidString(value) || strings.IndexByte(value, 0) >= 0:
		c.complain(field, fault.Say("request.not_text"))
	}
}

func (c *checker) email(field string, value **string) {
	c.text(field, value)
	if *value == nil {
		return
	}
	at := strings.LastIndex(**value, "@")
	if at < 1 || at == len(**value)-1 || strings.ContainsAny(**value, " \t\r\n,;<>") {
		c.complain(field, fault.Say("driver.bad_email"))
	}
}

// phone also writes the number as E.164 does.
func (c *checker) phone(field string, value **string) {
	c.text(field, value)
	if *value == nil || len(**value) > maxText {
		return
	}
	number, err := phonenumbers.Parse(**value, "")
	if err != nil || !phonenumbers.IsPossibleNumber(number) {
		c.complain(field, fault.Say("driver.bad_phone"))
		return
	}
	written := phonenumbers.Format(number, phonenumbers.E164)
	*value = &written
}

func (c *checker) number(field string, value *float64) {
	if value != nil && !(*value >= 0 && *value < maxNumber) {
		c.complain(field, fault.Say("field.number_range"))
	}
}

// length checks a number that must not be 0 either.
func (c *checker) length(field string, value *float64) {
	c.number(field, value)
	if value != nil && *value == 0 {
		c.complain(field, fault.Say("master_data.zero"))
	}
}

func (c *checker) whole(field string, value *int32) {
	if value != nil && *value < 0 {
		c.complain(field, fault.Say("request.out_of_range", "min", "0", "max", strconv.Itoa(math.MaxInt32)))
	}
}

func (c *checker) oneOf(field, value string, allowed ...string) {
	for _, a := range allowed {
		if value == a {
			return
		}
	}
	c.complain(field, fault.Say("request.not_one_of", "allowed", strings.Join(allowed, ", ")))
}

// clock checks a time of the day, and writes it as HH:MM.
func (c *checker) clock(field string, value **string) *order.Clock {
	c.text(field, value)
	if *value == nil {
		return nil
	}
	clock, ok := order.ParseClock(**value)
	if !ok {
		c.complain(field, fault.Say("driver.bad_clock"))
		return nil
	}
	written := fmt.Sprintf("%02d:%02d", clock/60, clock%60)
	*value = &written
	return &clock
}

func (c *checker) atMost(field string, length, most int) {
	if length > most {
		c.complain(field, fault.Say("field.too_many", "max", strconv.Itoa(most)))
	}
}

func within(list string, i int, field string) string { return fmt.Sprintf("%s[%d].%s", list, i, field) }
