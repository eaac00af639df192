package edge_test

import (
	"go/ast"
	"go/token"
	"maps"
	"net/http"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"waybill/api/apitest"
	"waybill/domain/fault"
)

// Messages with a description are not errors; all others are texts of
// errors.
func TestTheCatalogueHasTheReasonOfEveryError(t *testing.T) {
	t.Parallel()
	english := readMessages(t)["en"]
	said := map[string]bool{}
	for _, text := range saidInSource(t) {
		for _, id := range text.find(english) {
			said[id] = true
		}
	}
	var made []any
	for _, id := range slices.Sorted(maps.Keys(english)) {
		if english[id]["description"] == "" && said[id] {
			made = append(made, fault.Say(id).Reason())
		}
	}
	require.ElementsMatch(t, made, apitest.Document(t).Components.Schemas["ErrorReason"].Value.Enum)
}

// The contract names the resource of each 404.
func TestContractListsResourcesOf404(t *testing.T) {
	t.Parallel()
	missing := map[any]bool{}
	eachFile(t, func(_ *token.FileSet, file *ast.File) {
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.CallExpr:
				if callee := calleeOf(n); callee == "fault.Missing" || callee == "absent" {
					missing[patternOf(n.Args[0])] = true
				}
			case *ast.CompositeLit:
				missing[missingBy(n)] = true
			}
			return true
		})
	})
	delete(missing, "*") // is handed on from elsewhere, and found there
	kinds := apitest.Document(t).Components.Schemas["ResourceType"].Value.Enum
	require.ElementsMatch(t, slices.Collect(maps.Keys(missing)), kinds)
}

// missingBy returns the resource of a NotFound fault, * for everything else.
func missingBy(fault *ast.CompositeLit) string {
	resource, notFound := "*", false
	for _, element := range fault.Elts {
		field, ok := element.(*ast.KeyValueExpr)
		if !ok {
			continue
		}
		switch key, _ := field.Key.(*ast.Ident); {
		case key == nil:
		case key.Name == "Resource":
			resource = patternOf(field.Value)
		case key.Name == "Kind":
			kind, ok := field.Value.(*ast.SelectorExpr)
			notFound = ok && kind.Sel.Name == "NotFound"
		}
	}
	if !notFound {
		return "*"
	}
	return resource
}

func TestReasonsAreTheSameInEveryLanguage(t *testing.T) {
	t.Parallel()
	for _, language := range []string{"", "nb", "da"} {
		full := answering(apitest.New(t), fault.Illegal("booking.full", "interval", "37"))
		w := apitest.Serve(full, http.MethodGet, "/x", "", "Accept-Language", language)
		status := apitest.Status(t, w.Body.Bytes())
		require.EqualValues(t, "BOOKING_FULL", apitest.Reason(status))
		info, err := status.Details[len(status.Details)-1].AsErrorInfoDetail()
		require.NoError(t, err)
		require.Equal(t, map[string]string{"name": "37"}, *info.Metadata)
	}
}
