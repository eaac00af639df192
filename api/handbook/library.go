package handbook

import (
	"bytes"
	"embed"
	"fmt"
	"html/template"
	"io/fs"
	"net/http"
	"slices"
	"strings"
	"sync"

	"waybill/api/contract"
	"waybill/docs"
)

//go:embed pages
var pages embed.FS

// page is one page, most of them below /docs.
type page struct {
	name    string // its path below /docs/
	title   string
	summary string // one sentence in plain text
	group   string // the group of guides that it belongs to
	tag     string // the part of the reference that it belongs to
	// template renders view. forReaders is the page in Markdown, made on
	// request.
	template   string
	view       any
	forReaders func() []byte
	sections   []section
	query      string // the query
}

// URL is where the page is.
func (p *page) URL() string { return strings.TrimSuffix("/docs/"+p.name, "/") }

// Title is the title of the page.
func (p *page) Title() string { return p.title }

// Summary describes the page in one sentence.
func (p *page) Summary() string { return p.summary }

// notFound is the page for links that lead nowhere.
var notFound = &page{title: "Page not found", template: "missing.html"}

// library is everything that is shown below /docs.
type library struct {
	pages     map[string]*page
	groups    []*group
	reference *contract.Reference
	pictures  map[string]asset
	aliases   map[string]string // names of Markdown files in the repository, which guides use for links
	index     []entry
	template  *template.Template
}

// group is a group of guides.
type group struct {
	Name  string
	Pages []*page
}

// openLibrary returns the library. It is made once, because that takes a moment.
func openLibrary() (*library, error) { return openOnce() }

var openOnce = sync.OnceValues(newLibrary)

func newLibrary() (*library, error) {
	l := &library{
		pages: make(map[string]*page), pictures: make(map[string]asset), aliases: make(map[string]string),
	}
	var err error
	if l.template, err = template.ParseFS(pages, "pages/*.html"); err != nil {
		return nil, fmt.Errorf("read the templates of the documentation: %w", err)
	}
	if l.reference, err = contract.ReadReference(); err != nil {
		return nil, err
	}
	if err := l.addPictures(); err != nil {
		return nil, err
	}
	if err := l.addGuides(); err != nil {
		return nil, err
	}
	l.addReference()
	l.addChangelog()
	l.addStart()
	l.addToIndex()
	return l, nil
}

func (l *library) addPictures() error {
	pictures, err := fs.ReadDir(docs.Files, "pictures")
	if err != nil {
		return fmt.Errorf("read the pictures of the guides: %w", err)
	}
	for _, entry := range pictures {
		name := "pictures/" + entry.Name()
		content, err := docs.Files.ReadFile(name)
		if err != nil {
			return fmt.Errorf("read a picture of the guides: %w", err)
		}
		l.pictures[name] = newAsset(name, content)
	}
	return nil
}

// addStart adds the page at /docs.
func (l *library) addStart() {
	l.pages[""] = &page{
		title: "Documentation", template: "start.html", view: l,
		summary: "Guides, the reference of the API and its changelog.",
	}
}

// markdown returns a page in Markdown, by the name of the page with the suffix
// .md, or by the name of the file in the repository.
func (l *library) markdown(name string) ([]byte, bool) {
	bare, isMarkdown := strings.CutSuffix(name, ".md")
	if !isMarkdown {
		return nil, false
	}
	if alias, ok := l.aliases[name]; ok {
		bare = alias
	}
	if found := l.pages[bare]; found != nil && found.forReaders != nil {
		return found.forReaders(), true
	}
	return nil, false
}

// shown is the data for the frame of a page.
type shown struct {
	*page

	View      any
	Library   *library
	IsGuide   bool
	Reference bool
}

// Name is the name of the page.
func (s shown) Name() string { return s.name }

// Query is the query of the search.
func (s shown) Query() string { return s.query }

// Group is the group of guides that the page belongs to.
func (s shown) Group() string { return s.group }

// Tag is the tag of the reference that the page belongs to.
func (s shown) Tag() string { return s.tag }

// HasMarkdown reports whether there is a version in Markdown.
func (s shown) HasMarkdown() bool { return s.forReaders != nil }

// OnThisPage are the parts of a long guide.
func (s shown) OnThisPage() []section {
	if !s.IsGuide || len(s.sections) < 4 {
		return nil
	}
	var parts []section
	for _, part := range s.sections[1:] {
		if part.Level == 2 {
			parts = append(parts, part)
		}
	}
	return parts
}

// neighbors are the previous and the next guide.
type neighbors struct{ Previous, Next *page }

// Neighbors are the previous and the next guide, or nil on other pages.
func (s shown) Neighbors() *neighbors {
	if !s.IsGuide {
		return nil
	}
	var all []*page
	for _, g := range s.Library.groups {
		all = append(all, g.Pages...)
	}
	at, found := slices.Index(all, s.page), &neighbors{}
	if at > 0 {
		found.Previous = all[at-1]
	}
	if at >= 0 && at+1 < len(all) {
		found.Next = all[at+1]
	}
	return found
}

// Groups are the groups of guides.
func (l *library) Groups() []*group { return l.groups }

// Tags are the tags of the reference.
func (l *library) Tags() []*contract.Tag { return l.reference.Tags }

// write responds with a page.
func (l *library) write(w http.ResponseWriter, r *http.Request, status int, p *page) error {
	var body bytes.Buffer
	err := l.template.ExecuteTemplate(&body, p.template, shown{
		page: p, View: p.view, Library: l, IsGuide: p.group != "",
		Reference: strings.HasPrefix(p.name, referenceName),
	})
	if err != nil {
		return fmt.Errorf("draw the page %s: %w", p.name, err)
	}
	newAsset("page.html", body.Bytes()).serveStatus(w, r, status)
	return nil
}
