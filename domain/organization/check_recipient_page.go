package organization

import (
	"strings"

	"waybill/domain/recipient"
)

// pageSays are what is said of a wrong page for recipients, by what is wrong.
var pageSays = map[string]string{
	"organization.no_color":   "must be # and six hexadecimal digits, such as #0A6B4F",
	"organization.no_logo":    "must be a PNG, JPEG or WebP picture as a data URL of at most 24 KiB",
	"organization.no_phone":   "must be a phone number, such as +47 22 00 00 00",
	"organization.no_email":   "must be an email address, such as post@example.com",
	"organization.no_website": "must be an address that begins with https://",
	"organization.no_domain":  "must be a host name, such as tracking.example.com",
}

// recipientPage checks how the organization shows itself to recipients, and what they may do.
func (c *checker) recipientPage(path string, page *recipient.Page) {
	for _, p := range page.Problems(path) {
		field := camelCase(p.Field)
		if says, known := pageSays[p.Text.ID]; known {
			c.complain(field, "%s", says)
		} else {
			c.complain(field, "must be between %s and %s", p.Text.Args["min"], p.Text.Args["max"])
		}
	}
}

// camelCase writes a path of the API as documents do: page.move_minutes is page.moveMinutes.
func camelCase(path string) string {
	words := strings.Split(path, "_")
	for i, word := range words[1:] {
		words[i+1] = strings.ToUpper(word[:1]) + word[1:]
	}
	return strings.Join(words, "")
}
