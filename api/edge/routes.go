package edge

import (
	"net/http"
	"strings"

	"github.com/go-chi/chi/v5"

	"waybill/domain/fault"
)

func routeNotFound(http.ResponseWriter, *http.Request) error {
	return &fault.Error{Kind: fault.NotFound, Text: fault.Say("route.not_found")}
}

// notAllowed is the error of a method that the path does not have.
type notAllowed struct {
	allowed string // the methods it has
}

// Error names the methods that would do.
func (e *notAllowed) Error() string { return "only " + e.allowed + " are allowed" }

func methodNotAllowed(_ http.ResponseWriter, r *http.Request) error {
	routes := chi.RouteContext(r.Context()).Routes
	path := r.URL.RawPath
	if path == "" {
		path = r.URL.Path
	}
	var allowed []string
	for _, method := range []string{
		http.MethodGet, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete,
	} {
		if routes.Match(chi.NewRouteContext(), method, path) {
			allowed = append(allowed, method)
		}
	}
	return &notAllowed{allowed: strings.Join(allowed, ", ")}
}
