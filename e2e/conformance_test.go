package e2e_test

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"waybill/conformance"
)

// conform runs waybill conformance against an address, and returns the results
// of the rules and whether all hold.
func (o *organization) conform(t *testing.T, address string) (outcomes map[string]conformance.Result, held bool) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), o.program, "conformance", "--url", address, "--key", o.key, "--json")
	printed, err := cmd.Output()
	var results []conformance.Result
	require.NoError(t, json.Unmarshal(printed, &results), "%s %v", printed, err)
	outcomes = make(map[string]conformance.Result, len(results))
	for _, r := range results {
		outcomes[r.Rule] = r
	}
	if err != nil {
		require.Equal(t, 1, cmd.ProcessState.ExitCode())
	}
	return outcomes, err == nil
}

func TestConformance(t *testing.T) {
	t.Parallel()

	t.Run("EveryRuleHolds", func(t *testing.T) {
		t.Parallel()
		o := shared.organization(t)
		outcomes, held := o.conform(t, "http://"+o.address)
		for _, r := range outcomes {
			require.Equal(t, conformance.Held, r.Outcome, "%s: %s", r.Rule, r.Detail)
		}
		require.True(t, held)
		require.Greater(t, len(outcomes), 12)
	})

	t.Run("WhatAProxyBreaksIsSeen", func(t *testing.T) {
		t.Parallel()
		o := shared.organization(t)
		outcomes, held := o.conform(t, breaking(t, o.address))
		require.False(t, held)
		for _, rule := range []string{
			"errors-have-reasons", "errors-in-languages", "method-not-allowed", "request-id", "reads-are-tagged",
			"import-is-repeatable", "one-order-per-number", "feed-is-ordered", "idempotency-key",
		} {
			require.Equal(t, conformance.Broken, outcomes[rule].Outcome, rule)
			require.NotEmpty(t, outcomes[rule].Detail, rule)
		}
		require.Equal(t, conformance.Held, outcomes["key-needed"].Outcome, "and nothing else")
	})

	t.Run("NothingIsImportedOutsideOfASandbox", func(t *testing.T) {
		t.Parallel()
		o := shared.organization(t)
		_, err := o.admin.Exec(t.Context(), "update organizations set sandbox = false where id = $1", o.id)
		require.NoError(t, err)
		outcomes, held := o.conform(t, "http://"+o.address)
		require.True(t, held)
		require.Equal(t, conformance.Skipped, outcomes["import-is-repeatable"].Outcome)
		require.Equal(t, conformance.Held, outcomes["key-needed"].Outcome)
		require.Zero(t, one[int](t, o.installation, "select count(*) from orders where org_id = $1", o.id))
	})
}

// breaking is a proxy that spoils answers in ways that are easy to overlook.
func breaking(t *testing.T, address string) string {
	t.Helper()
	target, err := url.Parse("http://" + address)
	require.NoError(t, err)
	proxy := &httputil.ReverseProxy{
		Rewrite: func(r *httputil.ProxyRequest) {
			r.SetURL(target)
			for _, lost := range []string{"X-Request-Id", "Accept-Language", "If-None-Match", "Idempotency-Key", "Accept-Encoding"} {
				r.Out.Header.Del(lost)
			}
		},
		ModifyResponse: func(answer *http.Response) error {
			answer.Header.Del("Allow")
			body, err := io.ReadAll(answer.Body)
			if err != nil {
				return err
			}
			if answer.StatusCode == http.StatusNotFound {
				body = []byte("not found")
			}
			spoiled := strings.NewReplacer(`"orderUpdated"`, `"orderCreated"`, `"nextToken"`, `"token"`).Replace(string(body))
			answer.Body = io.NopCloser(bytes.NewReader([]byte(spoiled)))
			answer.ContentLength = int64(len(spoiled))
			answer.Header.Del("Content-Length")
			return nil
		},
	}
	server := httptest.NewServer(proxy)
	t.Cleanup(server.Close)
	return server.URL
}
