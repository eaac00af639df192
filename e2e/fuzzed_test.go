package e2e_test

import (
	"context"
	"encoding/json"
	"maps"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/goccy/go-yaml"
	"github.com/stretchr/testify/require"

	"waybill/api/contract"
)

// fuzzer is a program of others that makes requests of a contract: usual ones, odd
// ones, and wrong ones.
const fuzzer = "../bin/tools/python/bin/schemathesis"

// promises are the fuzzer's checks of every response. The log shows internal
// faults, because it distinguishes them from timeouts.
const promises = "status_code_conformance,content_type_conformance,response_headers_conformance,response_schema_conformance"

// callingOut tags the operations that look up and call addresses that callers name.
// No test calls those of others.
const callingOut = "Webhook endpoints"

// forFuzzing writes the part of the contract that is for keys to a file. Common
// headers are left out, because other tests cover them; values are the values
// of parameters by name.
func forFuzzing(t *testing.T, values map[string]any) string {
	t.Helper()
	var document map[string]any
	require.NoError(t, yaml.Unmarshal(contract.Document(), &document))
	components := document["components"].(map[string]any)["parameters"].(map[string]any)
	for _, parameter := range components {
		if value, known := values[parameter.(map[string]any)["name"].(string)]; known {
			delete(parameter.(map[string]any), "example")
			parameter.(map[string]any)["schema"].(map[string]any)["enum"] = []any{value}
			delete(parameter.(map[string]any)["schema"].(map[string]any), "example")
		}
	}
	for _, item := range document["paths"].(map[string]any) {
		of := item.(map[string]any)
		maps.DeleteFunc(of, func(name string, part any) bool {
			if name == "parameters" {
				return false
			}
			callers, _ := part.(map[string]any)["x-callers"].([]any)
			tags, _ := part.(map[string]any)["tags"].([]any)
			return !slices.Contains(callers, any("key")) || slices.Contains(tags, any(callingOut))
		})
		for _, part := range of {
			if op, ok := part.(map[string]any); ok && op["parameters"] != nil {
				op["parameters"] = withoutUsual(op["parameters"].([]any))
			}
		}
		if of["parameters"] != nil {
			of["parameters"] = withoutUsual(of["parameters"].([]any))
		}
	}
	text, err := json.Marshal(document)
	require.NoError(t, err)
	file := filepath.Join(t.TempDir(), "contract.json")
	require.NoError(t, os.WriteFile(file, text, 0o600))
	return file
}

func withoutUsual(parameters []any) []any {
	return slices.DeleteFunc(parameters, func(p any) bool {
		ref, _ := p.(map[string]any)["$ref"].(string)
		for _, usual := range []string{"AcceptLanguage", "RequestId", "IfNoneMatch"} {
			if strings.HasSuffix(ref, "/"+usual) {
				return true
			}
		}
		return false
	})
}

// TestTheContractIsFuzzed makes requests of the contract. They are deterministic, so that failures can be
// reproduced. WAYBILL_FUZZ_SEED makes it a long run with random requests, too.
func TestTheContractIsFuzzed(t *testing.T) {
	t.Parallel()
	if _, err := os.Stat(fuzzer); err != nil {
		t.Skip("schemathesis is not installed, so the contract is not fuzzed: run tools/python/install")
	}
	program, err := filepath.Abs(fuzzer)
	require.NoError(t, err)
	c := newServedCluster(t)
	o := c.organization(t)
	results := o.importOrders(t, orders(richOrder("FUZZ-1"), newOrder("FUZZ-2")))
	draft, err := strconv.ParseInt(strings.TrimPrefix(o.draft(t, "FUZZ-DRAFT"), "/v2/drafts/"), 10, 64)
	require.NoError(t, err)
	document := forFuzzing(t, map[string]any{
		"orderId": orderID(t, results[0]), "externalId": "FUZZ-2", "orderDraftId": draft,
		"recurringOrderId": o.createTemplate(t).RecurringOrderID,
	})
	printed, err := o.fuzz(t, program, document)
	if err != nil && !strings.Contains(printed, failures) { // the tool itself stumbled: once is an accident
		t.Logf("the fuzzer stumbled: %v\n%s", err, printed)
		printed, err = o.fuzz(t, program, document)
	}
	t.Log(printed)
	require.NoError(t, err)
	require.NoError(t, o.complaints())
	require.Contains(t, printed, "Tested: ")
	o.expect(t, http.StatusOK, http.MethodGet, "/v1/orders/today", nil)
}

// failures is the heading of the fuzzer's findings.
const failures = "= FAILURES ="

// fuzz runs the fuzzer, which fails if it has findings, or crashed.
func (o *organization) fuzz(t *testing.T, program, document string) (printed string, err error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Minute)
	defer cancel()
	run := exec.CommandContext(ctx, program, "run", document, "--url", "http://"+o.address,
		"--header", "Authorization: apikey "+o.key, "--checks", promises,
		"--workers", "1", "--request-timeout", "180", "--continue-on-failure", "--suppress-health-check", "all",
		"--warnings", "off", "--no-color")
	if seed := os.Getenv("WAYBILL_FUZZ_SEED"); seed != "" {
		run.Args = append(run.Args, "--phases", "examples,coverage,fuzzing,stateful", "--seed", seed, "--max-time", "400")
	} else {
		run.Args = append(run.Args, "--phases", "examples,coverage", "--generation-deterministic", "--max-time", "170")
	}
	run.Dir = t.TempDir()
	text, err := run.CombinedOutput()
	return string(text), err
}
