package contract_test

import (
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/stretchr/testify/require"

	"waybill/api/apitest"
)

// eachSchema visits a schema and its parts. References lead to named schemas,
// so they are followed by name and only once.
func eachSchema(name string, ref *openapi3.SchemaRef, seen map[string]bool, visit func(string, *openapi3.SchemaRef)) {
	if ref == nil {
		return
	}
	if ref.Ref != "" {
		if seen[ref.Ref] {
			return
		}
		seen[ref.Ref] = true
		name = strings.TrimPrefix(ref.Ref, "#/components/schemas/")
	}
	visit(name, ref)
	for _, property := range slices.Sorted(maps.Keys(ref.Value.Properties)) {
		eachSchema(name+"."+property, ref.Value.Properties[property], seen, visit)
	}
	for _, parts := range []openapi3.SchemaRefs{ref.Value.AllOf, ref.Value.OneOf, ref.Value.AnyOf} {
		for _, part := range parts {
			eachSchema(name, part, seen, visit)
		}
	}
	eachSchema(name+"[]", ref.Value.Items, seen, visit)
	eachSchema(name+"{}", ref.Value.AdditionalProperties.Schema, seen, visit)
}

// eachOperation visits the operations of the contract.
func eachOperation(t *testing.T, visit func(method, path string, op *openapi3.Operation)) {
	t.Helper()
	for path, item := range apitest.Document(t).Paths.Map() {
		for method, op := range item.Operations() {
			visit(method, path, op)
		}
	}
}

// A response with a secret is never stored, as x-secret declares.
func TestAnswersWithSecretsSaySo(t *testing.T) {
	t.Parallel()
	opens := []string{"secret", "key", "token", "upload_url", "recovery_codes", "pending"}
	found := 0
	eachOperation(t, func(_, _ string, op *openapi3.Operation) {
		for status, answer := range op.Responses.Map() {
			if !strings.HasPrefix(status, "2") {
				continue
			}
			for _, media := range answer.Value.Content {
				eachSchema(op.OperationID, media.Schema, map[string]bool{}, func(name string, s *openapi3.SchemaRef) {
					if s.Value.Type.Is(openapi3.TypeObject) {
						return
					}
					if _, property, _ := strings.Cut(name, "."); slices.Contains(opens, property) {
						found++
						require.Equal(t, true, op.Extensions["x-secret"], "%s answers with %s", op.OperationID, name)
					}
				})
			}
		}
	})
	require.Greater(t, found, 8)
}

// Query values can be invalid numbers, or contain invalid text.
func TestParametersCanBeRefused(t *testing.T) {
	t.Parallel()
	for path, item := range apitest.Document(t).Paths.Map() {
		for method, op := range item.Operations() {
			for _, p := range slices.Concat(item.Parameters, op.Parameters) {
				if p.Value.In == openapi3.ParameterInPath || p.Value.In == openapi3.ParameterInQuery {
					require.NotNil(t, op.Responses.Value("400"), "%s %s has the parameter %s", method, path, p.Value.Name)
				}
			}
		}
	}
}

// Generated clients require fields that have a default.
func TestNoFieldOfARequestHasADefault(t *testing.T) {
	t.Parallel()
	seen, bodies := map[string]bool{}, 0
	eachOperation(t, func(_, _ string, op *openapi3.Operation) {
		if op.RequestBody == nil {
			return
		}
		for _, media := range op.RequestBody.Value.Content {
			bodies++
			eachSchema(op.OperationID, media.Schema, seen, func(name string, s *openapi3.SchemaRef) {
				if s.Value.Default != nil {
					t.Errorf("%s has a default; say it in the description", name)
				}
			})
		}
	})
	require.Greater(t, bodies, 25)
}

func TestEverySchemaAndPropertyIsDescribed(t *testing.T) {
	t.Parallel()
	for name, schema := range apitest.Document(t).Components.Schemas {
		if schema.Value.Description == "" {
			t.Errorf("the schema %s has no description", name)
		}
		undescribed(t, name, schema.Value)
	}
}

// undescribed fails the test for each property that nothing describes.
func undescribed(t *testing.T, name string, schema *openapi3.Schema) {
	t.Helper()
	for property, value := range schema.Properties {
		if value.Value.Description == "" {
			t.Errorf("%s.%s has no description", name, property)
		}
		if value.Ref == "" {
			undescribed(t, name+"."+property, value.Value)
		}
	}
	for _, part := range schema.AllOf {
		if part.Ref == "" {
			undescribed(t, name, part.Value)
		}
	}
	if schema.Items != nil && schema.Items.Ref == "" {
		undescribed(t, name+"[]", schema.Items.Value)
	}
}

func TestCreatedRecordsHaveALocationHeader(t *testing.T) {
	t.Parallel()
	created := 0
	eachOperation(t, func(_, _ string, op *openapi3.Operation) {
		answer := op.Responses.Status(http.StatusCreated)
		if answer == nil {
			return
		}
		created++
		location := answer.Value.Headers["Location"]
		require.NotNil(t, location, op.OperationID)
		require.True(t, location.Value.Required, op.OperationID)
	})
	require.NotZero(t, created)
}

func TestRepeatableOperationsSayThatAnAnswerIsAnEarlierOne(t *testing.T) {
	t.Parallel()
	repeatable := 0
	eachOperation(t, func(_, _ string, op *openapi3.Operation) {
		if op.Parameters.GetByInAndName(openapi3.ParameterInHeader, "Idempotency-Key") == nil {
			return
		}
		for status, answer := range op.Responses.Map() {
			if status[0] == '2' {
				repeatable++
				require.NotNil(t, answer.Value.Headers["Idempotent-Replayed"], "%s %s", op.OperationID, status)
			}
		}
	})
	require.GreaterOrEqual(t, repeatable, 10)
}

func TestOperationsForCallersTakeALanguageAndARequestIdentifier(t *testing.T) {
	t.Parallel()
	for path, item := range apitest.Document(t).Paths.Map() {
		for _, op := range item.Operations() {
			callers, ok := op.Extensions["x-callers"].([]any)
			require.True(t, ok, op.OperationID)
			if len(callers) == 0 {
				continue
			}
			for _, header := range []string{"Accept-Language", "X-Request-ID"} {
				require.NotNil(t, item.Parameters.GetByInAndName(openapi3.ParameterInHeader, header), "%s of %s", header, path)
			}
		}
	}
}

func TestAResultOfAnImportHasOneOutcome(t *testing.T) {
	t.Parallel()
	result := apitest.Document(t).Components.Schemas["ImportResult"].Value
	created, draft := map[string]any{"externalId": "A", "OrderID": 1.0}, map[string]any{
		"externalId": "A", "reasons": []any{
			map[string]any{"code": "MISSING_PICKUP_CODE", "reason": "STOP_MISSING", "field": "pickup", "message": "…"},
		},
	}
	require.Len(t, result.OneOf, 5)
	for _, good := range []map[string]any{
		{"orderCreated": created},
		{"orderUpdated": created},
		{"orderMerged": created},
		{"draftCreated": draft},
		{"failedUpdate": draft},
	} {
		require.NoError(t, result.VisitJSON(good), good)
	}
	for _, bad := range []map[string]any{
		{}, {"orderCreated": created, "orderUpdated": created}, {"orderLost": created}, {"orderCreated": draft["reasons"]},
	} {
		require.Error(t, result.VisitJSON(bad), bad)
	}
}

// TestAnswersWithContactsSaySo finds what keys can read that names a contact: a key that is kept
// from contacts is refused there. Orders have contacts only in a relation.
func TestAnswersWithContactsSaySo(t *testing.T) {
	t.Parallel()
	names := []string{"firstname", "lastname", "phonenumber", "emailaddress"}
	found := 0
	eachOperation(t, func(_, path string, op *openapi3.Operation) {
		callers, _ := op.Extensions["x-callers"].([]any)
		if !slices.Contains(callers, any("key")) || isOfOrders(op) {
			return
		}
		for status, answer := range op.Responses.Map() {
			if !strings.HasPrefix(status, "2") {
				continue
			}
			for _, media := range answer.Value.Content {
				eachSchema(op.OperationID, media.Schema, map[string]bool{}, func(name string, _ *openapi3.SchemaRef) {
					property := strings.ToLower(strings.ReplaceAll(name[strings.LastIndex(name, ".")+1:], "_", ""))
					if slices.Contains(names, property) {
						found++
						require.Equal(t, "CONTACTS", op.Extensions["x-personal-data"],
							"%s %s answers with %s", op.OperationID, path, name)
					}
				})
			}
		}
	})
	require.Greater(t, found, 20)
}

// isOfOrders reports whether an operation returns orders, with selectable relations.
func isOfOrders(op *openapi3.Operation) bool {
	return slices.ContainsFunc(op.Parameters, func(p *openapi3.ParameterRef) bool { return p.Value.Name == "loads" }) ||
		op.OperationID == "listOrdersPaginated"
}
