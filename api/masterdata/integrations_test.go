package masterdata_test

import (
	"encoding/json"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"waybill/api/contract"
	"waybill/domain/caller"
)

// health reads how an integration fares.
func (d desk) health(name string) (h contract.IntegrationHealth) {
	d.T.Helper()
	w := d.ask(http.MethodGet, "/v2/integrations/"+name+"/health", "")
	require.Equal(d.T, http.StatusOK, w.Code, w.Body)
	require.NoError(d.T, json.Unmarshal(w.Body.Bytes(), &h))
	return h
}

func TestIntegrationsAreListed(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.ID("insert into carriers (org_id, name, secret_env) values ($1, 'bring', 'WAYBILL_TEST_NO_SUCH') returning org_id")
	d.ID("update order_types set export_carrier = 'dhl' where org_id = $1 returning org_id")
	d.ID(`insert into messaging_settings (org_id, email_from) values ($1, 'post@acme.example') returning org_id`)
	d.ID(`insert into oidc_providers (org_id, slug, name, issuer, client_id)
		values ($1, 'entra', 'Entra', 'https://id.example.com', 'waybill') returning id`)
	list := func(as string) (items map[string]contract.Integration) {
		w := d.Send(http.MethodGet, "/v2/integrations/supported", "", "Authorization", as)
		require.Equal(t, http.StatusOK, w.Code, w.Body)
		var all contract.IntegrationList
		require.NoError(t, json.Unmarshal(w.Body.Bytes(), &all))
		items = map[string]contract.Integration{}
		for _, i := range all.Items {
			items[i.Name] = i
		}
		return items
	}
	mine := list(d.AsRole(d.Org, caller.Support))
	require.Len(t, mine, 8, "with the carrier of every office")
	require.Equal(t, contract.IntegrationDirectionIN, mine["carrier-bring"].Direction)
	require.False(t, mine["carrier-bring"].Configured, "its secret is not set")
	require.Equal(t, contract.IntegrationDirectionOUT, mine["carrier-dhl"].Direction)
	require.True(t, mine["carrier-dhl"].Configured)
	require.Equal(t, "post@acme.example", mine["email"].Label)
	require.False(t, mine["email"].Configured, "there is no mail server")
	require.Contains(t, mine["email"].Events, "notification.sent")
	require.Equal(t, "crow", mine["travel-times"].Label)
	require.False(t, mine["travel-times"].Configured)
	require.True(t, mine["sign-in-entra"].Configured)

	others := list(d.AsRole(d.Other, caller.Dispatcher))
	require.Len(t, others, 5, "what is another organization's is not shown")
	outsider := d.Send(http.MethodGet, "/v2/integrations/carrier-bring/health", "",
		"Authorization", d.AsRole(d.Other, caller.Dispatcher))
	require.Equal(t, http.StatusNotFound, outsider.Code)
	require.Equal(t, http.StatusNotFound, d.ask(http.MethodGet, "/v2/integrations/none/health", "").Code)
	driver := d.AsRole(d.Org, caller.Driver)
	w := d.Send(http.MethodGet, "/v2/integrations/supported", "", "Authorization", driver)
	require.Equal(t, http.StatusForbidden, w.Code)
}

func TestIntegrationsReportTheirHealth(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	id := d.Import("A-1")
	d.ID("update order_types set export_carrier = 'bring' where org_id = $1 returning org_id")
	require.Equal(t, contract.IntegrationHealthStateIDLE, d.health("carrier-bring").State)
	d.ID(`insert into external_updates (org_id, order_id, carrier, event_type, occurred_at, raw_body)
		values ($1, $2, 'bring', 'EVENT_TYPE_STATUS_COMMENT', now(), '{}') returning id`, id)
	got := d.health("carrier-bring")
	require.Equal(t, contract.IntegrationHealthStateOK, got.State)
	require.EqualValues(t, 1, got.Succeeded)
	d.ID(`insert into order_exports (org_id, order_id, carrier, state, place, version)
		values ($1, $2, 'bring', 'pending', 1, 1) returning order_id`, id)
	d.ID(`insert into export_versions (org_id, order_id, version, token, payload, fingerprint)
		values ($1, $2, 1, 't', '{}', '') returning order_id`, id)
	d.ID(`insert into export_acknowledgements (org_id, order_id, version, status, failure_reason, received_at)
		values ($1, $2, 1, 'FAILED', 'no such depot', now() + interval '1 minute') returning id`, id)
	got = d.health("carrier-bring")
	require.Equal(t, contract.IntegrationHealthStateFAILING, got.State)
	require.Equal(t, "no such depot", *got.LastFailureReason)
	require.Equal(t, []int32{1, 1, 1}, []int32{got.Waiting, got.Succeeded, got.Failed})

	endpoint := d.ID(`insert into webhook_endpoints (org_id, url, sealed_secret, position)
		values ($1, 'https://user:pass@hooks.example/t0ken', '', 0) returning id`)
	attempt := `insert into webhook_attempts
			(org_id, endpoint_id, position, place, kind, number, at, duration_ms, delivered, status, fault)
		values ($1, $2, 1, 1, 'order.delivered', 1, now() - $3::interval, 5, $4, $5, $6) returning endpoint_id`
	name := "webhook-" + d.Text("select $2::bigint::text where $1 > 0", endpoint)
	d.ID(attempt, endpoint, "2 hours", true, 200, nil)
	require.Equal(t, contract.IntegrationHealthStateOK, d.health(name).State)
	d.ID(attempt, endpoint, "1 hour", false, 500, "STATUS")
	d.ID(attempt, endpoint, "50 hours", false, 500, "STATUS")
	got = d.health(name)
	require.Equal(t, contract.IntegrationHealthStateFAILING, got.State)
	require.Equal(t, "STATUS 500", *got.LastFailureReason)
	require.Equal(t, []int32{0, 1, 1}, []int32{got.Waiting, got.Succeeded, got.Failed}, "of 24 hours")
	list := d.ask(http.MethodGet, "/v2/integrations/supported", "").Body.String()
	require.Contains(t, list, `"label":"hooks.example"`)
	require.NotContains(t, list, "t0ken")
	require.NotContains(t, list, "pass")
	require.Equal(t, contract.IntegrationHealthStateNOTCONFIGURED, d.health("email").State)
}
