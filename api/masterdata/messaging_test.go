package masterdata_test

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"waybill/api/apitest"
	"waybill/domain/caller"
)

// TestARuleIsPreviewed previews a rule's message, without storing anything.
func TestARuleIsPreviewed(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	const path = "/v1/notification-rules/preview"
	w := d.ask(http.MethodPost, path,
		`{"event":"ORDER_DELIVERED","channel":"SMS","receiver":"CUSTOMER",`+
			`"body":"Hi {{ contact.firstName }}: {{ order.externalId }}"}`)
	require.Equal(t, http.StatusOK, w.Code, w.Body)
	require.JSONEq(t, `{"subject":null,"text":"Hi Nora: A-1001","html":null}`, w.Body.String())

	w = d.ask(http.MethodPost, path,
		`{"event":"ORDER_CREATED","channel":"EMAIL","receiver":"CUSTOMER","subject":"{{ order.externalId }}"}`)
	require.Equal(t, http.StatusOK, w.Code, w.Body)
	require.Contains(t, w.Body.String(), `"subject":"A-1001"`)
	require.Contains(t, w.Body.String(), "Nora", "what is left out is the built-in text")

	w = d.ask(http.MethodPost, path, `{"event":"ORDER_CREATED","channel":"SMS","receiver":"CUSTOMER","body":"{{ order"}`)
	require.Equal(t, http.StatusUnprocessableEntity, w.Code, w.Body)
	require.Equal(t, "body NOTIFICATION_RULE_BAD_TEMPLATE", apitest.Refusal(t, w))
	require.Equal(t, "0", d.Text("select count(*)::text from notification_rules where org_id = $1"))
	support := d.AsRole(d.Org, caller.Support)
	require.Equal(t, http.StatusForbidden, d.Send(http.MethodPost, path, `{}`, "Authorization", support).Code)
}

// TestMessagingAndCarriersAreShown checks that settings are shown, but secrets
// only by name.
func TestMessagingAndCarriersAreShown(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	w := d.ask(http.MethodGet, "/v1/messaging", "")
	require.Equal(t, http.StatusOK, w.Code, w.Body)
	require.JSONEq(t, `{"email_from":null,"email_name":null,"sms_from":null,"country":null,"smtp_url_variable":null,
		"sms_account_variable":null,"sms_token_variable":null,"sendgrid_key_variable":null,"postmark_login_variable":null}`,
		w.Body.String())

	d.ID(`insert into messaging_settings (org_id, email_from, smtp_url)
		values ($1, 'post@acme.example', 'WAYBILL_SMTP_ACME') returning org_id`)
	d.ID(`insert into carriers (org_id, name, secret_env)
		values ($1, 'postnord', 'WAYBILL_CARRIER_ACME')
		on conflict (org_id, name) do update set secret_env = excluded.secret_env returning org_id`)
	w = d.ask(http.MethodGet, "/v1/messaging", "")
	require.JSONEq(t, `{"email_from":"post@acme.example","email_name":null,"sms_from":null,"country":null,
		"smtp_url_variable":"WAYBILL_SMTP_ACME","sms_account_variable":null,"sms_token_variable":null,
		"sendgrid_key_variable":null,"postmark_login_variable":null}`, w.Body.String())
	w = d.ask(http.MethodGet, "/v1/carriers", "")
	require.JSONEq(t, `{"items":[{"name":"postnord","secret_variable":"WAYBILL_CARRIER_ACME","is_shared":false}]}`,
		w.Body.String())

	d.ID(`insert into refused_carrier_updates (org_id, carrier, refused_at, reason, field, request_id) values
		($1, 'postnord', '2026-03-02 08:15:04Z', 'ORDER_NOT_FOUND', 'externalId', 'r-1'),
		($1, 'postnord', '2026-03-02 08:16:00Z', 'BODY_NOT_JSON', '', 'r-2') returning org_id`)
	w = d.ask(http.MethodGet, "/v1/carriers/refused-updates", "")
	require.JSONEq(t, `{"items":[
		{"carrier":"postnord","refused_at":"2026-03-02T08:16:00.000Z","reason":"BODY_NOT_JSON","field":"","request_id":"r-2"},
		{"carrier":"postnord","refused_at":"2026-03-02T08:15:04.000Z","reason":"ORDER_NOT_FOUND","field":"externalId",
			"request_id":"r-1"}]}`, w.Body.String())

	outsider := d.AsRole(d.Other, caller.Admin)
	w = d.Send(http.MethodGet, "/v1/carriers", "", "Authorization", outsider)
	require.NotContains(t, w.Body.String(), "WAYBILL_CARRIER_ACME")
	w = d.Send(http.MethodGet, "/v1/carriers/refused-updates", "", "Authorization", outsider)
	require.JSONEq(t, `{"items":[]}`, w.Body.String())
	support := d.AsRole(d.Org, caller.Support)
	require.Equal(t, http.StatusForbidden, d.Send(http.MethodGet, "/v1/messaging", "", "Authorization", support).Code)
}
