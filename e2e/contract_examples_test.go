package e2e_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/stretchr/testify/require"

	"waybill/api/apitest"
	"waybill/api/contract"
)

// meantToFail are examples that show what is wrong, by their operations and names.
var meantToFail = []string{"importOrders notEnough"}

// namesIDs are examples with ids of records, which differ in each organization.
var namesIDs = []string{"createDriver nora", "setOrderVehicleType byId", "holdSeat one"}

// TestExamplesOfTheContractWork sends each example of a request to an organization like the demo's, as
// somebody does who pastes it from the documentation or from Postman. Records that an example names may
// not be there, but what is sent must be right.
func TestExamplesOfTheContractWork(t *testing.T) {
	t.Parallel()
	o := shared.organization(t)
	sent := 0
	for _, e := range examplesForKeys(t) {
		if slices.Contains(meantToFail, e.name) || slices.Contains(namesIDs, e.name) {
			continue
		}
		sent++
		t.Run(e.name, func(t *testing.T) {
			a := o.call(t, e.method, e.target, contract.Moved(e.body, contract.Tomorrow(time.Now())))
			wrong := []int{http.StatusBadRequest, http.StatusUnsupportedMediaType, http.StatusUnprocessableEntity}
			require.NotContains(t, wrong, a.status, "%s", a.body)
			require.Less(t, a.status, http.StatusInternalServerError, "%s", a.body)
			require.NotRegexp(t, `"(draftCreated|failedUpdate)"|"result":"draft"`, string(a.body))
		})
	}
	require.Greater(t, sent, 50)
}

// exampleRequest is an example of a request as it is sent.
type exampleRequest struct{ name, method, target, body string }

// examplesForKeys are those of the operations for keys that take JSON; imports come first.
func examplesForKeys(t *testing.T) (all []exampleRequest) {
	t.Helper()
	for path, item := range apitest.Document(t).Paths.Map() {
		for method, op := range item.Operations() {
			callers, _ := op.Extensions["x-callers"].([]any)
			if op.RequestBody == nil || !slices.Contains(callers, any("key")) {
				continue
			}
			media := op.RequestBody.Value.Content.Get("application/json")
			if media == nil {
				continue
			}
			target := filledPath(path, slices.Concat(item.Parameters, op.Parameters))
			for name, example := range media.Examples {
				body, err := json.Marshal(example.Value.Value)
				require.NoError(t, err)
				all = append(all, exampleRequest{op.OperationID + " " + name, method, target, string(body)})
			}
		}
	}
	slices.SortFunc(all, func(a, b exampleRequest) int {
		if first := strings.HasPrefix(a.name, "importOrders "); first != strings.HasPrefix(b.name, "importOrders ") {
			return map[bool]int{true: -1, false: 1}[first]
		}
		return strings.Compare(a.name, b.name)
	})
	return all
}

// filledPath is a path with the examples of its parameters, and those that the query must have.
func filledPath(path string, parameters openapi3.Parameters) string {
	query := url.Values{}
	for _, p := range parameters {
		example := p.Value.Example
		if example == nil {
			example = p.Value.Schema.Value.Example
		}
		value := fmt.Sprint(example)
		switch {
		case p.Value.In == openapi3.ParameterInPath:
			path = strings.ReplaceAll(path, "{"+p.Value.Name+"}", url.PathEscape(value))
		case p.Value.In == openapi3.ParameterInQuery && p.Value.Required:
			query.Set(p.Value.Name, value)
		}
	}
	if len(query) > 0 {
		return path + "?" + query.Encode()
	}
	return path
}
