package main

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"
	"github.com/stretchr/testify/require"

	"waybill/providers/webhooks"
)

func TestEventsAreSentToADevelopersMachine(t *testing.T) {
	t.Parallel()
	const entry = `{"position":7,"type":"order.delivered","externalId":"SO-1","status":"delivered","occurredAt":"2026-03-02T08:12:44Z"}`
	service := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		answer := map[string]string{
			"":  `{"items":[{"position":3}],"nextToken":"3","hasMore":true}`,
			"3": `{"items":[],"nextToken":"4","hasMore":false}`, // now
			"4": `{"items":[` + entry + `,` + entry + `],"nextToken":"7","hasMore":false}`,
			"7": `{"items":[],"nextToken":"7","hasMore":false}`,
		}[r.URL.Query().Get("token")]
		if r.Header.Get("Authorization") != "apikey key" {
			w.WriteHeader(http.StatusUnauthorized)
		}
		_, _ = io.WriteString(w, answer)
	}))
	t.Cleanup(service.Close)
	secret := webhooks.NewSecret()
	hook, err := standardwebhooks.NewWebhook(secret)
	require.NoError(t, err)
	ctx, cancel := context.WithCancel(t.Context())
	got := make(chan string, 10)
	machine := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		if hook.Verify(body, r.Header) == nil {
			got <- r.Header.Get("webhook-id") + " " + string(body)
		}
		if len(got) == 2 {
			time.AfterFunc(50*time.Millisecond, cancel)
		}
	}))
	t.Cleanup(machine.Close)
	var out bytes.Buffer
	listen := func(key string) error {
		l := &listener{
			url: service.URL, key: key, forward: machine.URL, secret: secret, http: http.DefaultClient,
			sender: webhooks.New(true), out: &out, every: 10 * time.Millisecond,
		}
		return l.run(ctx)
	}
	require.ErrorIs(t, listen("other"), errNotForUs)
	require.NoError(t, listen("key"))
	body := `{"type":"order.delivered","timestamp":"2026-03-02T08:12:44.000Z","data":` + entry + `}`
	require.Equal(t, "evt_7_1 "+body, <-got, "what was there before is not told")
	require.Equal(t, "evt_7_2 "+body, <-got)
	require.Contains(t, out.String(), "SO-1 delivered -> 200 in ")
}
