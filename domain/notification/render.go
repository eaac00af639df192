package notification

import (
	"errors"
	"fmt"
	"html"
	"regexp"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/osteele/liquid"
)

// Facts are what a message may speak of. Times are in the organization's zone,
// as people write them.
type Facts struct {
	Event        Event
	Language     string
	Organization string
	OrderID      int64
	Number       string // the order's externalId
	Reference    string
	Date         string
	Customer     string
	FirstName    string
	LastName     string
	StopName     string
	Address1     string
	PostalCode   string
	City         string
	Earliest     string
	Latest       string
	// TrackingLink is the public page of the stop; empty where the rule's texts do
	// not speak of it.
	TrackingLink string
}

// Message is what is said.
type Message struct {
	Subject string
	Text    string
	HTML    string
}

// The longest texts, in bytes: a subject is one line, and an SMS ten parts.
const (
	maxSubject = 255
	maxSMS     = 1530
)

// allowedTag are the tags of templates. There are no loops and no files, so a
// template takes no longer than its text.
var allowedTag = regexp.MustCompile(
	`^(if|elsif|else|endif|unless|endunless|case|when|endcase|assign|comment|endcomment)$`)

var (
	tag    = regexp.MustCompile(`\{%-?\s*(\w*)`)
	filter = regexp.MustCompile(`\|\s*url_decode`)
	blank  = regexp.MustCompile(`\s+`)
)

// engine is shared: making one is dear, and using it is safe.
var engine = sync.OnceValue(newEngine)

// CheckTemplate refuses a template that could not be filled in.
func CheckTemplate(template string) error {
	for _, found := range tag.FindAllStringSubmatch(template, -1) {
		if !allowedTag.MatchString(found[1]) {
			return fmt.Errorf("the tag %q is not for messages; there are if, unless, case, assign and comment", found[1])
		}
	}
	if filter.MatchString(template) {
		return errors.New("the filter url_decode is not for messages")
	}
	if strings.Count(template, "{{") != strings.Count(template, "}}") ||
		strings.Count(template, "{%") != strings.Count(template, "%}") {
		return errors.New("a {{ or {% is not closed")
	}
	if strings.Contains(template, "\x00") {
		return errors.New("it must not contain the character NUL")
	}
	_, err := fill(template, Facts{Event: OrderCreated}, plain)
	return err
}

// Render says what a rule says of facts. The HTML of an email is made of its
// text unless the rule has its own; what comes from people is escaped there.
func Render(rule Rule, facts Facts) (Message, error) {
	standard := builtIn(facts.Language, facts.Event)
	if rule.Channel == SMS {
		text, err := fill(or(rule.Body, standard.sms), facts, plain)
		return Message{Text: cut(strings.TrimSpace(text), maxSMS)}, err
	}
	subject, err := fill(or(rule.Subject, standard.subject), facts, plain)
	if err != nil {
		return Message{}, err
	}
	text, err := fill(or(rule.Body, standard.body), facts, plain)
	if err != nil {
		return Message{}, err
	}
	m := Message{Subject: cut(oneLine(subject), maxSubject), Text: strings.TrimSpace(text)}
	if rule.HTML == "" {
		m.HTML = page(m.Text)
		return m, nil
	}
	m.HTML, err = fill(rule.HTML, facts, html.EscapeString)
	return m, err
}

// Links reports whether the rule's own texts speak of the stop's tracking link.
func (r Rule) Links() bool { return strings.Contains(r.Subject+r.Body+r.HTML, "trackingLink") }

func or(own, standard string) string {
	if own != "" {
		return own
	}
	return standard
}

func plain(text string) string { return text }

// fill puts facts into a template. What a template cannot do is an error,
// however the engine puts it; and so is a text that no log could keep.
func fill(template string, f Facts, escape func(string) string) (out string, err error) {
	defer func() {
		if cause := recover(); cause != nil {
			out, err = "", fmt.Errorf("fill in the template: %v", cause)
		}
	}()
	out, err = engine().ParseAndRenderString(template, bindings(f, escape))
	switch {
	case err != nil:
		return "", fmt.Errorf("fill in the template: %w", err)
	case !utf8.ValidString(out) || strings.Contains(out, "\x00"):
		return "", errors.New("fill in the template: what comes out is no text")
	}
	return out, nil
}

// bindings are the names by which templates speak of facts.
func bindings(f Facts, escape func(string) string) liquid.Bindings {
	return liquid.Bindings{
		"event":        string(f.Event),
		"organization": map[string]any{"name": escape(f.Organization)},
		"order": map[string]any{
			"id": f.OrderID, "externalId": escape(f.Number), "reference": escape(f.Reference), "date": escape(f.Date),
		},
		"customer": map[string]any{"businessName": escape(f.Customer)},
		"contact":  map[string]any{"firstName": escape(f.FirstName), "lastName": escape(f.LastName)},
		"stop": map[string]any{
			"name": escape(f.StopName), "address1": escape(f.Address1), "postalCode": escape(f.PostalCode),
			"city": escape(f.City), "earliest": escape(f.Earliest), "latest": escape(f.Latest),
			"trackingLink": escape(f.TrackingLink),
		},
	}
}

// oneLine keeps line breaks out of a header.
func oneLine(text string) string { return strings.TrimSpace(blank.ReplaceAllString(text, " ")) }

// cut shortens a text to a number of bytes, between two characters.
func cut(text string, longest int) string {
	if len(text) <= longest {
		return text
	}
	return strings.ToValidUTF8(text[:longest], "")
}

// page makes plain HTML of a text: a paragraph for each block of lines.
func page(text string) string {
	var b strings.Builder
	b.WriteString(`<!doctype html><html><body style="font-family:sans-serif;line-height:1.5">`)
	for _, paragraph := range strings.Split(text, "\n\n") {
		b.WriteString("<p>" + strings.ReplaceAll(html.EscapeString(strings.TrimSpace(paragraph)), "\n", "<br>") + "</p>")
	}
	b.WriteString("</body></html>")
	return b.String()
}
