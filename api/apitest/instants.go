package apitest

import (
	"encoding/json"
	"fmt"
	"net/http/httptest"
	"regexp"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/routers"
)

// instant is how an answer writes a timestamp: in UTC, with milliseconds.
var instant = regexp.MustCompile(`^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$`)

// checkInstants fails the test for each timestamp of an answer that is written otherwise.
func (d document) checkInstants(t testing.TB, route *routers.Route, answer *httptest.ResponseRecorder) {
	t.Helper()
	described := route.Operation.Responses.Status(answer.Code)
	var body any
	if described == nil || described.Value.Content["application/json"] == nil ||
		json.Unmarshal(answer.Body.Bytes(), &body) != nil {
		return // which the check of the schema reports
	}
	for _, wrong := range WrongInstants(described.Value.Content["application/json"].Schema, body) {
		t.Errorf("%s answers a timestamp that is not in UTC with milliseconds: %s", route.Operation.OperationID, wrong)
	}
}

// WrongInstants returns the timestamps of a value that are not in UTC with milliseconds, each with its
// place.
func WrongInstants(schema *openapi3.SchemaRef, value any) (wrong []string) {
	eachInstant(schema, value, "", func(place, text string) {
		if !instant.MatchString(text) {
			wrong = append(wrong, place+" "+text)
		}
	})
	return wrong
}

// asSent are the schemas of what callers sent, which is answered as it came.
var asSent = map[string]bool{"#/components/schemas/ImportOrderRequest": true}

// eachInstant visits the timestamps of a value.
func eachInstant(ref *openapi3.SchemaRef, value any, place string, visit func(place, text string)) {
	if ref == nil || asSent[ref.Ref] {
		return
	}
	schema := ref.Value
	for _, parts := range []openapi3.SchemaRefs{schema.AllOf, schema.OneOf, schema.AnyOf} {
		for _, part := range parts {
			eachInstant(part, value, place, visit)
		}
	}
	switch value := value.(type) {
	case string:
		if schema.Format == "date-time" {
			visit(place, value)
		}
	case []any:
		for i, item := range value {
			eachInstant(schema.Items, item, fmt.Sprintf("%s[%d]", place, i), visit)
		}
	case map[string]any:
		for name, member := range value {
			known, ok := schema.Properties[name]
			if !ok {
				known = schema.AdditionalProperties.Schema
			}
			eachInstant(known, member, place+"."+name, visit)
		}
	}
}
