package edge

import (
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"waybill/domain/fault"
)

// requireText rejects URLs that are not valid text: Postgres accepts neither
// NUL nor invalid UTF-8, and a query that does not parse would silently lose
// its parameters.
func (e *Edge) requireText(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !IsText(r.URL.Path) {
			e.Fail(w, r, fault.Field("path", fault.Say("request.not_text")))
			return
		}
		if !isTextQuery(r.URL.RawQuery) {
			e.Fail(w, r, fault.Field("query", fault.Say("request.not_text")))
			return
		}
		next.ServeHTTP(w, r)
	})
}

func isTextQuery(raw string) bool {
	if !strings.ContainsAny(raw, "%;") {
		return IsText(raw)
	}
	if _, err := url.ParseQuery(raw); err != nil {
		return false
	}
	decoded, err := url.QueryUnescape(raw)
	return err == nil && IsText(decoded)
}

// refuseEmptyDates refuses empty dates in the query: the generated code would
// read them as the first day of the calendar.
func (e *Edge) refuseEmptyDates(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if name, found := e.emptyDate(r); found {
			e.Fail(w, r, fault.Field(name, fault.Say("param.date")))
			return
		}
		next.ServeHTTP(w, r)
	})
}

func (e *Edge) emptyDate(r *http.Request) (name string, found bool) {
	if !strings.HasSuffix(r.URL.RawQuery, "=") && !strings.Contains(r.URL.RawQuery, "=&") {
		return "", false
	}
	op := e.operationOf(r)
	if op == nil {
		return "", false
	}
	query := r.URL.Query()
	for _, name := range slices.Sorted(maps.Keys(query)) {
		if op.Formats[name] == "date" && query.Get(name) == "" {
			return name, true
		}
	}
	return "", false
}
