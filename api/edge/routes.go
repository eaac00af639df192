package edge

import (
	"maps"
	"net/http"
	"slices"
	"strings"

	"github.com/go-chi/chi/v5"

	"waybill/api/contract"
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
	return &notAllowed{allowed: strings.Join(slices.Sorted(maps.Keys(routesOf(r))), ", ")}
}

// forKnownCallers reports whether every operation of a request's path needs a
// caller. Anonymous callers then learn nothing about the path.
func (e *Edge) forKnownCallers(r *http.Request) bool {
	for method, pattern := range routesOf(r) {
		if op := e.operations[contract.Route{Method: method, Pattern: pattern}]; op != nil && len(op.Callers) > 0 {
			return true
		}
	}
	return false
}

// routesOf returns the patterns of the routes that a request's path has, by
// method.
func routesOf(r *http.Request) map[string]string {
	routes := chi.RouteContext(r.Context()).Routes
	path := r.URL.RawPath
	if path == "" {
		path = r.URL.Path
	}
	found := make(map[string]string)
	for _, method := range []string{
		http.MethodGet, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete,
	} {
		if pattern := routes.Find(chi.NewRouteContext(), method, path); pattern != "" {
			found[method] = pattern
		}
	}
	return found
}
