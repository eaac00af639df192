package handbook

import (
	"cmp"
	"fmt"
	"html/template"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"waybill/api/contract"
)

// referenceName is the page of the reference, and the prefix of its pages'
// names.
const referenceName = "reference"

// addReference adds the pages of the contract: one for common rules, one for
// each tag, and one for each operation.
func (l *library) addReference() {
	start, err := read([]byte(l.reference.Description), contractLink)
	if err != nil {
		start.html = "" // goldmark writes to memory, which does not fail
	}
	l.pages[referenceName] = &page{
		name: referenceName, title: "API reference", summary: firstSentence(l.reference.Description),
		template: "reference.html", view: start.html, sections: start.sections,
		forReaders: func() []byte { return []byte(l.plainReference()) },
	}
	for _, tag := range l.reference.Tags {
		l.addTag(tag)
	}
}

func (l *library) addTag(tag *contract.Tag) {
	at := referenceName + "/" + tag.Slug
	operations := make([]*operation, len(tag.Operations))
	for i, op := range tag.Operations {
		operations[i] = &operation{Described: op, URL: "/docs/" + at + "/" + op.ID, IsListed: true}
	}
	l.pages[at] = &page{
		name: at, title: tag.Name, tag: tag.Slug, summary: firstSentence(tag.Description), template: "tag.html",
		view: tagView{tag, operations}, forReaders: func() []byte { return []byte(plainTag(tag)) },
	}
	for _, op := range operations {
		name := at + "/" + op.ID
		l.pages[name] = &page{
			name: name, title: op.Summary, tag: tag.Slug, summary: firstSentence(op.Description), template: "operation.html",
			view:       &operation{Described: op.Described, URL: op.URL},
			forReaders: func() []byte { return []byte(plainOperation(op.Described, 1)) },
		}
	}
}

type tagView struct {
	*contract.Tag

	Listed []*operation
}

// About is the contract's description of the tag.
func (v tagView) About() template.HTML { return inline(v.Description) }

// operation is an operation as the pages show it.
type operation struct {
	*contract.Described

	URL string
	// IsListed is true on the page of a tag, which leaves the members of
	// objects and common errors to the pages of its operations: otherwise some
	// would take seconds to render on a busy machine.
	IsListed bool
}

// About is the contract's description of the operation.
func (o *operation) About() template.HTML {
	drawn, err := read([]byte(o.Description), contractLink)
	if err != nil {
		return ""
	}
	return drawn.html
}

// Where is the path, which callbacks lack.
func (o *operation) Where() string { return cmp.Or(o.Path, "the URL of your webhook endpoint") }

// WhoMay describes who may call the operation.
func (o *operation) WhoMay() string { return whoMay(o.Described) }

func whoMay(d *contract.Described) string {
	switch {
	case d.IsEvent:
		return "Waybill calls it; you answer."
	case len(d.Callers) == 0:
		return "Everybody; it needs no authentication."
	}
	names := make([]string, len(d.Callers))
	for i, name := range d.Callers {
		names[i] = name
		if name == "key" {
			names[i] = "API keys"
		}
	}
	return strings.Join(names, ", ")
}

// Notes are further notes for callers.
func (o *operation) Notes() []string { return notesOf(o.Described) }

func notesOf(d *contract.Described) (notes []string) {
	if d.Deprecated {
		notes = append(notes, strings.TrimSpace("Deprecated. "+goes(d.Sunset)))
	}
	if d.MaxBodyMiB != "" {
		notes = append(notes, "The body may have up to "+d.MaxBodyMiB+" MiB.")
	}
	if d.Personal != "" {
		notes = append(notes, "Answers hold personal data ("+strings.ToLower(d.Personal)+"), which a key can be kept from.")
	}
	if d.Heavy {
		notes = append(notes, "An organization can have only a few of these requests answered at a time.")
	}
	if d.Fresh {
		notes = append(notes, "Needs a sign-in that is not older than 10 minutes.")
	}
	return notes
}

func goes(sunset string) string {
	if sunset == "" {
		return ""
	}
	return "It can disappear on " + sunset + "."
}

// usual are the headers that nearly all operations take.
var usual = []string{"Accept-Language", "X-Request-ID", "If-None-Match"}

// place are the parameters of one place.
type place struct {
	Title      string
	Parameters []field
}

// Places are the parameters by location.
func (o *operation) Places() (places []place) {
	for _, at := range []struct{ in, title string }{
		{"path", "Path parameters"}, {"query", "Query parameters"}, {"header", "Headers"}, {"cookie", "Cookies"},
	} {
		var found []field
		for _, p := range o.Parameters {
			if p.In == at.in && (!o.IsListed || !slices.Contains(usual, p.Name)) {
				found = append(found, parameterField(p))
			}
		}
		if len(found) > 0 {
			places = append(places, place{at.title, found})
		}
	}
	return places
}

// BodyAbout is the contract's description of the request body.
func (o *operation) BodyAbout() template.HTML { return inline(o.Body.Description) }

// content is a body in one media type.
type content struct {
	Type, Shape string
	Fields      []field
	Examples    []contract.Example
}

func (o *operation) contents(contents []contract.Content) (found []content) {
	for _, c := range contents {
		shown := content{c.Type, typeOf(c.Schema), fieldsOf(c.Schema, nil), slices.Clone(c.Examples)}
		for i, example := range shown.Examples {
			shown.Examples[i].Text = ofTomorrow(example.Text)
		}
		for i := range shown.Fields {
			if f := &shown.Fields[i]; o.IsListed && len(f.Fields) > 0 {
				f.Fields, f.Elsewhere = nil, o.URL
			}
		}
		found = append(found, shown)
	}
	return found
}

// ofTomorrow moves an example to tomorrow, so that it works when it is pasted.
func ofTomorrow(example string) string { return contract.Moved(example, contract.Tomorrow(time.Now())) }

// Samples are code that calls the operation tomorrow.
func (o *operation) Samples() []contract.Sample {
	samples := slices.Clone(o.Described.Samples())
	for i, s := range samples {
		samples[i].Source = ofTomorrow(s.Source)
	}
	return samples
}

// BodyContents are the forms of the request body.
func (o *operation) BodyContents() []content { return o.contents(o.Body.Contents) }

// answer describes one status.
type answer struct {
	Status, Meaning string
	About           template.HTML
	IsError         bool
	Headers         []field
	Contents        []content

	source string // of About, in Markdown
}

// Successes are the successful responses with their contents.
func (o *operation) Successes() (found []answer) {
	for _, a := range o.Answers {
		if a.IsError() {
			continue
		}
		shown := answer{
			Status: a.Status, Meaning: meaning(a.Status), About: inline(a.Description), source: a.Description,
			Contents: o.contents(a.Contents),
		}
		for _, header := range a.Headers {
			shown.Headers = append(shown.Headers, parameterField(header))
		}
		found = append(found, shown)
	}
	return found
}

// Errors are the statuses of errors, whose bodies all look the same.
func (o *operation) Errors() (found []answer) {
	for _, a := range o.Answers {
		if a.IsError() {
			found = append(found, answer{
				Status: a.Status, Meaning: meaning(a.Status), About: inline(a.Description), source: a.Description, IsError: true,
			})
		}
	}
	return found
}

// meaning is HTTP's text for a status.
func meaning(status string) string {
	code, err := strconv.Atoi(status)
	if err != nil {
		return "any other"
	}
	return http.StatusText(code)
}

// TryURL is where the operation can be tried.
func (o *operation) TryURL() string {
	if o.IsEvent || !o.IsForKeys() {
		return ""
	}
	return fmt.Sprintf("/docs/try#/%s/%s", strings.ReplaceAll(o.Tag, " ", "%20"), o.ID)
}
