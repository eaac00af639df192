// Package handbook serves the pages about the service: the landing page, the
// guides, the reference of the contract, one search over both, the changelog,
// and a page to try operations. The server renders everything, and only the
// last page needs JavaScript.
package handbook

import (
	"fmt"
	"net/http"
	"path"
	"strings"

	"github.com/go-chi/chi/v5"

	"waybill/api/contract"
	"waybill/api/edge"
	"waybill/domain/fault"
)

// Dependencies are the dependencies of the handlers.
type Dependencies struct {
	Edge *edge.Edge
	// HasConsole is set where the program was built with the console in it.
	HasConsole bool
	// HasPrivateProbes is true if readiness has its own address, which readers
	// can't reach.
	HasPrivateProbes bool
}

// Handlers serve the pages.
type Handlers struct {
	edge   *edge.Edge
	home   landing
	static map[string]asset
}

// New returns handlers.
func New(d Dependencies) (*Handlers, error) {
	static, err := newStatic()
	if err != nil {
		return nil, err
	}
	for name, document := range map[string][]byte{
		"openapi.yaml": contract.Published(), "openapi-3.1.yaml": contract.Published31(),
	} {
		static[name] = newAsset(name, document)
	}
	home := landing{HasConsole: d.HasConsole, Status: "/readyz"}
	if d.HasPrivateProbes {
		home.Status = "/healthz"
	}
	return &Handlers{edge: d.Edge, home: home, static: static}, nil
}

// Warm prepares the pages, so that the first reader need not wait for it.
func Warm() error {
	_, err := openLibrary()
	return err
}

// Routes are those of the pages.
func (h *Handlers) Routes(r chi.Router) {
	r = r.With(h.edge.Compress)
	r.Method(http.MethodGet, "/openapi.yaml", h.static["openapi.yaml"])
	r.Method(http.MethodGet, "/openapi-3.1.yaml", h.static["openapi-3.1.yaml"])
	r.Get("/", h.edge.Handle(h.showHome))
	r.Get("/llms.txt", h.edge.Handle(h.listPages("llms.txt")))
	r.Get("/docs.md", h.edge.Handle(h.listPages("docs.md")))
	r.Get("/docs", h.edge.Handle(h.showPage))
	r.Get("/docs/try", h.static["try.html"].ServeHTTP)
	r.Get("/docs/search", h.edge.Handle(h.search))
	r.Get("/docs/"+postmanFile, h.edge.Handle(made(postmanFile, contract.Postman)))
	r.Get("/docs/"+shownFile, h.edge.Handle(made(shownFile, contract.Shown)))
	r.Get("/docs/*", h.edge.Handle(h.showPage))
}

// The contract as a collection for Postman, and with code samples.
const (
	postmanFile = "waybill.postman_collection.json"
	shownFile   = "contract.yaml"
)

// made answers a file that is made from the contract.
func made(name string, content func() ([]byte, error)) func(http.ResponseWriter, *http.Request) error {
	return func(w http.ResponseWriter, r *http.Request) error {
		file, err := content()
		if err != nil {
			return err
		}
		newAsset(name, file).ServeHTTP(w, r)
		return nil
	}
}

// showPage answers a page, its Markdown, or a file that pages are made of.
func (h *Handlers) showPage(w http.ResponseWriter, r *http.Request) error {
	l, err := openLibrary()
	if err != nil {
		return err
	}
	name := strings.TrimSuffix(strings.TrimPrefix(strings.TrimPrefix(r.URL.Path, "/docs"), "/"), "/")
	if source, isMarkdown := l.markdown(name); isMarkdown {
		newAsset(path.Base(name), source).ServeHTTP(w, r)
		return nil
	}
	if found := l.pages[name]; found != nil {
		return l.write(w, r, http.StatusOK, found)
	}
	if file, ok := h.static[name]; ok && path.Ext(name) != ".html" && path.Ext(name) != ".yaml" {
		file.ServeHTTP(w, r)
		return nil
	}
	if file, ok := l.pictures[name]; ok {
		file.ServeHTTP(w, r)
		return nil
	}
	if strings.Contains(r.Header.Get("Accept"), "text/html") {
		return l.write(w, r, http.StatusNotFound, notFound)
	}
	return fault.Missing("page", name)
}

// listPages answers the list of all pages, for programs that read them.
func (h *Handlers) listPages(name string) func(http.ResponseWriter, *http.Request) error {
	return func(w http.ResponseWriter, r *http.Request) error {
		l, err := openLibrary()
		if err != nil {
			return err
		}
		newAsset(name, []byte(l.list())).ServeHTTP(w, r)
		return nil
	}
}

// landing has the links of the service's start page.
type landing struct {
	HasConsole bool
	Status     string
}

func (h *Handlers) showHome(w http.ResponseWriter, r *http.Request) error {
	l, err := openLibrary()
	if err != nil {
		return fmt.Errorf("show the start page: %w", err)
	}
	return l.write(w, r, http.StatusOK, &page{name: "home", title: "Waybill", template: "home.html", view: h.home})
}
