package notification

import (
	"regexp"
	"strings"
	"unicode"
)

// User-provided text appears in messages under the organization's name, so it must
// not imitate other content: one line, and no address that mail programs turn into a
// link.
var (
	// webAddress is a word that leads somewhere.
	webAddress = regexp.MustCompile(`(?i)\S*(://|\bwww\.|[\pL\pN-]\.\pL{2,}[/?#:])\S*`)
	// siteName is a word that is the name of a site. Companies are called so, but no
	// person is.
	siteName = regexp.MustCompile(`(?i)\S*[\pL\pN-]\.\pL{2,}\S*`)
)

// cleaned are facts without line breaks, control characters or links, except
// for our own link to the tracking page.
func (f Facts) cleaned() Facts {
	for _, text := range []*string{
		&f.Organization, &f.Number, &f.Reference, &f.Date, &f.Customer, &f.StopName, &f.Address1, &f.PostalCode, &f.City,
		&f.Series.Name,
	} {
		*text = withoutWords(webAddress, inOneLine(*text))
	}
	for _, name := range []*string{&f.FirstName, &f.LastName} {
		*name = cleanName(*name)
	}
	return f
}

// cleanName returns a person's name without anything that becomes a link.
func cleanName(name string) string {
	return withoutWords(siteName, withoutWords(webAddress, inOneLine(name)))
}

// inOneLine replaces invisible characters with a space.
func inOneLine(text string) string {
	return strings.TrimSpace(strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || unicode.In(r, unicode.Zl, unicode.Zp) || isDirection(r) {
			return ' '
		}
		return r
	}, text))
}

// isDirection reports whether a character changes the direction of the
// following text.
func isDirection(r rune) bool {
	return r >= '\u202a' && r <= '\u202e' || r >= '\u2066' && r <= '\u2069'
}

func withoutWords(words *regexp.Regexp, text string) string {
	if !strings.Contains(text, ".") && !strings.Contains(text, "://") {
		return text
	}
	return strings.TrimSpace(blank.ReplaceAllString(words.ReplaceAllString(text, ""), " "))
}
