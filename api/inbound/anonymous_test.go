package inbound_test

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"waybill/api"
	"waybill/api/apitest"
	"waybill/operations"
	"waybill/store"
	"waybill/store/storetest"
)

// statements counts a pool's statements.
type statements struct{ atomic.Int64 }

// TraceQueryStart implements pgx.QueryTracer.
func (s *statements) TraceQueryStart(ctx context.Context, _ *pgx.Conn, _ pgx.TraceQueryStartData) context.Context {
	return ctx
}

// TraceQueryEnd implements pgx.QueryTracer.
func (s *statements) TraceQueryEnd(context.Context, *pgx.Conn, pgx.TraceQueryEndData) { s.Add(1) }

// TraceBatchStart implements pgx.BatchTracer.
func (s *statements) TraceBatchStart(ctx context.Context, _ *pgx.Conn, _ pgx.TraceBatchStartData) context.Context {
	return ctx
}

// TraceBatchQuery implements pgx.BatchTracer.
func (s *statements) TraceBatchQuery(context.Context, *pgx.Conn, pgx.TraceBatchQueryData) { s.Add(1) }

// TraceBatchEnd implements pgx.BatchTracer.
func (s *statements) TraceBatchEnd(context.Context, *pgx.Conn, pgx.TraceBatchEndData) {}

// porter is a server with two organizations that have a carrier with the same
// secret, and a third whose carrier has another one.
type porter struct {
	*apitest.Bundle
	asked statements
	owner *pgx.Conn
	store *store.Store
}

func newPorter(t *testing.T) *porter {
	t.Helper()
	db := storetest.New(t)
	p := &porter{}
	config, err := pgxpool.ParseConfig(db.AppURL)
	require.NoError(t, err)
	config.MaxConns, config.ConnConfig.Tracer = 1, &p.asked
	pool, err := pgxpool.NewWithConfig(t.Context(), config)
	require.NoError(t, err)
	t.Cleanup(pool.Close)
	owner, err := pgx.Connect(t.Context(), db.OwnerURL)
	require.NoError(t, err)
	t.Cleanup(func() { _ = owner.Close(context.Background()) })
	for slug, variable := range map[string]string{
		"one": "WAYBILL_CARRIER_SHARED", "two": "WAYBILL_CARRIER_SHARED", "three": "WAYBILL_CARRIER_OWN",
	} {
		_, err = owner.Exec(t.Context(), "insert into carriers (org_id, name, secret_env) values ($1, 'PN', $2)",
			storetest.Organization(t, db, slug), variable)
		require.NoError(t, err)
	}
	s := store.New(pool)
	p.owner, p.store = owner, s
	p.Bundle = apitest.New(t, func(_ *api.Config, d *api.Dependencies) {
		d.Store, d.Operations, d.Now = s, operations.New(s, time.Now, operations.Settings{}), time.Now
		d.Secret = func(name string) string {
			if name == "WAYBILL_CARRIER_SHARED_OTHER" { // not to be changed
				return ""
			}
			return "secret of " + name
		}
	})
	return p
}

// send sends an update that is signed over its parts.
func (p *porter) send(slug, secret string, parts ...string) int {
	const body = `{"externalId": "X", "eventType": "EVENT_TYPE_DELIVERED", "occurredAt": "2026-03-02T12:31:00Z"}`
	stamp := fmt.Sprint(time.Now().Unix())
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write([]byte(strings.Join(append(append([]string{stamp}, parts...), body), ".")))
	return p.Send(http.MethodPost, "/webhooks/carriers/"+slug, body, "X-Waybill-Timestamp", stamp, "X-Waybill-Signature",
		hex.EncodeToString(mac.Sum(nil))).Code
}

// An accepted call gets 404, because the order does not exist.
func TestCarrierSignatureIsValidForOneOrganization(t *testing.T) {
	t.Parallel()
	p := newPorter(t)
	const shared, own = "secret of WAYBILL_CARRIER_SHARED", "secret of WAYBILL_CARRIER_OWN"
	require.Equal(t, http.StatusNotFound, p.send("one", shared, "one"))
	require.Equal(t, http.StatusForbidden, p.send("two", shared, "one"), "it was for another one")
	require.Equal(t, http.StatusNotFound, p.send("two", shared, "two"))
	require.Equal(t, http.StatusForbidden, p.send("one", shared), "without a slug it would be good for both")
	require.Equal(t, http.StatusNotFound, p.send("three", own), "which does no harm where nobody else has the secret")
	require.Equal(t, http.StatusNotFound, p.send("three", own, "three"))
	require.Equal(t, http.StatusForbidden, p.send("three", shared, "three"))
}

// A carrier signs with its new secret before the old one is taken away.
func TestACarrierMayHaveTwoSecrets(t *testing.T) {
	t.Parallel()
	p := newPorter(t)
	const own, other = "secret of WAYBILL_CARRIER_OWN", "secret of WAYBILL_CARRIER_OWN_OTHER"
	require.Equal(t, http.StatusNotFound, p.send("three", own, "three"))
	require.Equal(t, http.StatusNotFound, p.send("three", other, "three"))
	require.Equal(t, http.StatusForbidden, p.send("one", other, "one"))
	require.Equal(t, http.StatusForbidden, p.send("one", "", "one"), "no secret signs nothing")
}

// The time of a refusal does not reveal whether the organization exists.
func TestRefusalTakesEquallyLongForAnySlug(t *testing.T) {
	t.Parallel()
	p := newPorter(t)
	asked := func(path string, headers ...string) int64 {
		before := p.asked.Load()
		require.Equal(t, http.StatusForbidden, p.Send(http.MethodPost, path, "{}", headers...).Code, path)
		return p.asked.Load() - before
	}
	stamp := fmt.Sprint(time.Now().Unix())
	for _, path := range []string{"carriers/", "sms/twilio/", "email/sendgrid/", "email/postmark/"} {
		known := asked("/webhooks/"+path+"one", "X-Waybill-Timestamp", stamp, "X-Waybill-Signature", "00")
		unknown := asked("/webhooks/"+path+"nobody", "X-Waybill-Timestamp", stamp, "X-Waybill-Signature", "00")
		require.Equal(t, known, unknown, path)
		require.Positive(t, known, path)
	}
}

// Operators and the organization can see which carrier sends invalid updates.
func TestRefusedCarrierUpdateIsVisible(t *testing.T) {
	t.Parallel()
	p := newPorter(t)
	const secret = "secret of WAYBILL_CARRIER_SHARED"
	for range 25 {
		require.Equal(t, http.StatusNotFound, p.send("one", secret, "one"))
	}
	require.Equal(t, http.StatusForbidden, p.send("one", "another", "one"))
	metrics := p.Send(http.MethodGet, "/metrics", "").Body.String()
	require.Contains(t, metrics, `waybill_carrier_updates_total{outcome="refused"} 25`)
	require.Contains(t, metrics, `waybill_carrier_updates_total{outcome="unsigned"} 1`)
	require.Contains(t, metrics, `waybill_carrier_updates_total{outcome="accepted"} 0`)
	require.Contains(t, p.Logs.Text(), `"msg":"carrier update refused","org_id":`)
	require.Contains(t, p.Logs.Text(), `"carrier":"PN","reason":"`)
	var kept int
	var carrier, reason string
	require.NoError(t, p.owner.QueryRow(t.Context(),
		"select count(*), min(carrier), min(reason) from refused_carrier_updates where request_id <> ''",
	).Scan(&kept, &carrier, &reason))
	require.Equal(t, 20, kept)
	require.Equal(t, "PN", carrier)
	require.NotEmpty(t, reason)
	waits, err := p.store.NeedsAttention(t.Context(), time.Now())
	require.NoError(t, err)
	require.Equal(t, map[string]int64{
		"carrier_refused": 1, "driver_silent": 0, "export_pending": 0, "order_left_over": 0, "template_failing": 0,
		"webhook_failing": 0, "webhook_switched_off": 0,
	}, waits)
	oldest, err := p.store.OldestWaitingMessages(t.Context(), time.Now())
	require.NoError(t, err)
	require.Equal(t, map[string]float64{"EMAIL": 0, "SMS": 0}, oldest)
}
