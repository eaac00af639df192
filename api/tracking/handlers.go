// Package tracking serves the public links to the stops of orders, and their
// page, which everybody who has the link may see.
package tracking

import (
	"net/http"
	"time"

	"github.com/go-chi/chi/v5"

	"waybill/api/edge"
	"waybill/operations"
	"waybill/store"
)

// Dependencies are the dependencies of the handlers.
type Dependencies struct {
	Edge       *edge.Edge
	Store      *store.Store
	Operations *operations.Operations
	// PublicURL is the service's address as the outside sees it; links begin
	// with it.
	PublicURL string
	// Rate is how many pages per second an address may request over time, Burst
	// how many at once; 0 means no limit.
	Rate  float64
	Burst int
	// Streets are drawn around the driver's way.
	Streets Streets
	Now     func() time.Time
}

// Handlers serve tracking links and their pages.
type Handlers struct {
	edge       *edge.Edge
	store      *store.Store
	operations *operations.Operations
	publicURL  string
	pages      *pages
	streets    Streets
	now        func() time.Time
}

// New returns handlers.
func New(d Dependencies) (*Handlers, error) {
	pages, err := newPages(d)
	if err != nil {
		return nil, err
	}
	return &Handlers{
		edge: d.Edge, store: d.Store, operations: d.Operations, publicURL: d.PublicURL, pages: pages,
		streets: d.Streets, now: d.Now,
	}, nil
}

// Routes are the public pages. The URL is the permission: there is no caller.
func (h *Handlers) Routes(r chi.Router) {
	r.Method(http.MethodGet, edge.TrackingPath+"{code}", http.HandlerFunc(h.trackingPage))
	// People copy links with a slash at the end.
	r.Method(http.MethodGet, edge.TrackingPath+"{code}/", http.HandlerFunc(h.trackingPage))
	r.Method(http.MethodGet, edge.TrackingPath+"{code}/logo", http.HandlerFunc(h.trackingLogo))
	for _, a := range actions {
		r.Method(http.MethodGet, edge.TrackingPath+"{code}/"+a.path, h.actionPage(a))
		r.Method(http.MethodPost, edge.TrackingPath+"{code}/"+a.path, h.takeAction(a))
	}
}
