package notification

import (
	"html"
	"regexp"
	"strings"

	"github.com/osteele/liquid"
)

// Facts are the values available in a message. Times are in the organization's
// zone, in readable form.
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
	// Window is the time window for people, such as 24 November 2026,
	// 06:30–16:00.
	Window string
	// Arrival is the clock time of ETA.
	Arrival string
	// ETA is when service at the stop will begin, as far as known.
	ETA string
	// ETAFrom and ETATo are the clock times between which service is expected to begin.
	ETAFrom, ETATo string
	// DriverFirstName is the driver's first name; empty without a driver.
	DriverFirstName string
	// TrackingLink is the public page of the stop, or empty if the rule's texts
	// do not use it or the message is about no stop.
	TrackingLink string
	// Series describes recurring orders as a whole; zero in a message about one
	// order.
	Series SeriesFacts
}

// SeriesFacts are the values available about recurring orders as a whole. Days are
// in readable form.
type SeriesFacts struct {
	Name   string
	Orders int
	First  string
	Last   string
}

// Message is the content of a message.
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

var (
	blank  = regexp.MustCompile(`\s+`)
	linked = regexp.MustCompile(`\btrackingLink\b|\btracking\s*\.\s*link\b`)
)

// CheckTemplate refuses a template that could not be filled in.
func CheckTemplate(template string) error {
	if err := checkWords(template); err != nil {
		return err
	}
	_, err := fill(template, Facts{Event: OrderCreated}, plain)
	return err
}

// Render returns the message of a rule for some facts. Unless the rule has
// its own HTML, an email's HTML is made from its text; user-provided values
// are escaped.
func Render(rule Rule, facts Facts) (Message, error) {
	facts = facts.cleaned()
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

// Links reports whether the rule's texts use the stop's tracking link. The built-in
// texts are alike in each language.
func (r Rule) Links() bool {
	standard := builtIn("en", r.Event)
	if r.Channel == SMS {
		return linked.MatchString(or(r.Body, standard.sms))
	}
	return linked.MatchString(or(r.Subject, standard.subject) + or(r.Body, standard.body) + r.HTML)
}

func or(own, standard string) string {
	if own != "" {
		return own
	}
	return standard
}

func plain(text string) string { return text }

// bindings are the names of facts in templates.
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
			"eta": escape(
				f.ETA,
			), "window": escape(f.Window), "arrival": escape(f.Arrival), "trackingLink": escape(f.TrackingLink),
		},
		"series": map[string]any{
			"name": escape(f.Series.Name), "orders": f.Series.Orders, "first": escape(f.Series.First),
			"last": escape(f.Series.Last),
		},
		"eta":      map[string]any{"from": escape(f.ETAFrom), "to": escape(f.ETATo)},
		"tracking": map[string]any{"link": escape(f.TrackingLink)},
		"driver":   map[string]any{"firstName": escape(f.DriverFirstName)},
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

// page converts a text to plain HTML: a paragraph for each block of lines.
func page(text string) string {
	var b strings.Builder
	b.WriteString(`<!doctype html><html><body style="font-family:sans-serif;line-height:1.5">`)
	for _, paragraph := range strings.Split(text, "\n\n") {
		b.WriteString("<p>" + strings.ReplaceAll(html.EscapeString(strings.TrimSpace(paragraph)), "\n", "<br>") + "</p>")
	}
	b.WriteString("</body></html>")
	return b.String()
}
