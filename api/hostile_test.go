package api_test

import (
	"bytes"
	"encoding/json"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/stretchr/testify/require"

	"waybill/api/apitest"
	"waybill/api/contract"
)

// hostile are texts that the database cannot keep, or that something may take for more
// than a text.
var hostile = []string{"a\x00b", "\u202ea\u200b", `"><script>';--`, "%00%s{{.}}"}

// begun are operations that start a workflow, which these tests do not support.
// A test with a Temporal server covers their texts.
var begun = []string{"createRecurringOrder", "importOrders", "importOrdersV1", "importOrdersV2"}

// unwalked are operations of parts that these tests do not have: files and metrics.
var unwalked = []string{"downloadFile", "getMetrics", "uploadFile"}

// TestHostileTextsCauseNoInternalErrors replaces each text in the examples of every operation with each
// hostile text, one after the other: in the body, in the query and in the path. No response may be an
// internal error.
func TestHostileTextsCauseNoInternalErrors(t *testing.T) {
	t.Parallel()
	m := newMatrix(t)
	m.fill()
	callers := m.callers()
	for where := range m.ids {
		m.ids[where] = "999999999"
	}
	m.ids["{date}"], m.ids["{sha256}"] = "2026-03-02", strings.Repeat("0", 64)
	document := apitest.Document(t)
	all, err := contract.Read()
	require.NoError(t, err)
	var walked int
	for _, op := range all {
		item := document.Paths.Value(op.Route.Pattern)
		if item == nil {
			continue
		}
		described := item.GetOperation(op.Route.Method)
		if described == nil || slices.Contains(unwalked, op.ID) || slices.Contains(begun, op.ID) {
			continue
		}
		for _, target := range m.hostileTargets(op, described) {
			walked++
			m.requireNoFault(callers, op, target, exampleOf(described))
		}
		for _, body := range hostileBodies(exampleOf(described)) {
			walked++
			m.requireNoFault(callers, op, m.plainTarget(op), body)
		}
	}
	require.Greater(t, walked, 1000)
}

// requireNoFault sends a request with valid permissions.
func (m *matrix) requireNoFault(callers []someone, op *contract.Operation, target string, body []byte) {
	m.T.Helper()
	w := apitest.Serve(m.handler, op.Route.Method, target, string(body),
		append([]string{"Content-Type", "application/json"}, m.allowed(callers, op)...)...)
	if w.Code >= http.StatusInternalServerError && w.Code != http.StatusServiceUnavailable {
		m.T.Errorf("%s %s %s: %d %s", op.ID, target, body, w.Code, w.Body)
	}
}

// allowed returns the headers of a caller that the contract permits for an operation.
func (m *matrix) allowed(callers []someone, op *contract.Operation) []string {
	m.T.Helper()
	for _, s := range callers {
		if s.may(op) {
			if slices.Contains(op.Tags, "Account") {
				return m.again(s) // it may end the caller's session
			}
			return s.headers
		}
	}
	return nil
}

// plainTarget returns a path to an unknown record, so that the request changes nothing for
// the next one.
func (m *matrix) plainTarget(op *contract.Operation) string {
	return parameter.ReplaceAllStringFunc(op.Route.Pattern, m.valueOf) + queries[op.ID]
}

func (m *matrix) valueOf(name string) string {
	if id, known := m.ids[name]; known {
		return id
	}
	return "999999999"
}

// hostileTargets are paths and queries of an operation with a hostile text each.
func (m *matrix) hostileTargets(op *contract.Operation, described *openapi3.Operation) (targets []string) {
	for _, text := range hostile {
		for _, at := range parameter.FindAllStringIndex(op.Route.Pattern, -1) {
			path := parameter.ReplaceAllStringFunc(op.Route.Pattern[:at[0]], m.valueOf) + url.PathEscape(text) +
				parameter.ReplaceAllStringFunc(op.Route.Pattern[at[1]:], m.valueOf)
			targets = append(targets, path+queries[op.ID])
		}
		for _, p := range described.Parameters {
			if p.Value != nil && p.Value.In == openapi3.ParameterInQuery {
				query := strings.TrimPrefix(queries[op.ID]+"&", "?") + p.Value.Name + "=" + url.QueryEscape(text)
				targets = append(targets, parameter.ReplaceAllStringFunc(op.Route.Pattern, m.valueOf)+"?"+query)
			}
		}
	}
	return targets
}

// exampleOf is the first example of a body, or nil if an operation has none.
func exampleOf(op *openapi3.Operation) []byte {
	if op.RequestBody == nil || op.RequestBody.Value == nil {
		return nil
	}
	media := op.RequestBody.Value.Content.Get("application/json")
	if media == nil || len(media.Examples) == 0 {
		return nil
	}
	name := slices.Min(slices.Collect(maps.Keys(media.Examples)))
	encoded, err := json.Marshal(media.Examples[name].Value.Value)
	if err != nil {
		return nil
	}
	return encoded
}

// hostileBodies are copies of a body, each with a hostile text in place of one
// text.
func hostileBodies(body []byte) (bodies [][]byte) {
	_, texts := withText(body, -1, "")
	for i := range texts {
		for _, text := range hostile {
			changed, _ := withText(body, i, text)
			bodies = append(bodies, changed)
		}
	}
	return bodies
}

// withText replaces the text with a number, and counts the texts.
func withText(body []byte, number int, text string) (changed []byte, texts int) {
	return withValue(body, number, text, func(_ string, v any) bool {
		_, isText := v.(string)
		return isText
	})
}

// withValue replaces the nth matching value, by the name of its field or list, and
// returns how many match.
func withValue(
	body []byte, number int, value any, counts func(field string, v any) bool,
) (changed []byte, counted int) {
	var decoded any
	decoder := json.NewDecoder(bytes.NewReader(body))
	decoder.UseNumber()
	if decoder.Decode(&decoded) != nil {
		return nil, 0
	}
	var walk func(field string, v any) any
	walk = func(field string, v any) any {
		switch v := v.(type) {
		case []any:
			for i := range v {
				v[i] = walk(field, v[i])
			}
		case map[string]any:
			for _, key := range slices.Sorted(maps.Keys(v)) {
				v[key] = walk(key, v[key])
			}
		default:
			if counts(field, v) {
				counted++
				if counted-1 == number {
					return value
				}
			}
		}
		return v
	}
	changed, err := json.Marshal(walk("", decoded))
	if err != nil {
		return nil, 0
	}
	return changed, counted
}
