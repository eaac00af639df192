package tracking_test

import (
	"net/http"
	"net/url"
	"testing"

	"github.com/oapi-codegen/nullable"
	"github.com/stretchr/testify/require"

	"waybill/api/contract"
	"waybill/domain/driving"
	"waybill/operations/operationstest"
)

// preferred is how the recipient of an order wants to hear of the delivery, as it is kept.
func (s street) preferred(number string) string {
	return operationstest.One[string](s.Office, `
		select coalesce(string_agg(concat_ws('|', coalesce(r.language, '-'), r.unwanted), ''), '')
		from recipient_preferences r join orders o on o.org_id = r.org_id and o.id = r.order_id
		where r.org_id = $1 and o.number = $2`, s.Org, number)
}

// TestRecipientsChooseTheirMessages goes the way of a browser without JavaScript, and of a program.
func TestRecipientsChooseTheirMessages(t *testing.T) {
	t.Parallel()
	s := newStreet(t)
	code, number := codes[0], operationstest.Numbered(0)
	require.Equal(t, http.StatusForbidden, s.send(code, "preferences", `{}`).Code, "the organization does not allow it")
	s.allowed(`{"preferences": {}}`)
	require.Contains(t, s.page(code), `href="`+code+`/preferences"`)
	require.Equal(t, []contract.RecipientAction{contract.RecipientActionPREFERENCES}, *s.told(code).Actions)
	require.Contains(t, s.page(code+"/preferences?lang=de"), "Sprache der Nachrichten")

	english := url.Values{"language": {"en"}, "messages": {"true"}}
	w := s.post(code, "preferences", english)
	require.Equal(t, http.StatusSeeOther, w.Code, w.Body)
	require.Equal(t, "en|f", s.preferred(number))
	logged := []string{number + ` delivery recipient {"language": "en", "unwanted": false}`}
	require.Equal(t, logged, s.logged("order.recipient_preferred"))
	require.Contains(t, s.page(code+"?said=PREFERENCES"), "Thank you. It is kept.")
	require.Contains(t, s.page(code+"/preferences"), `<option value="en" selected>English</option>`)
	require.Equal(t, http.StatusSeeOther, s.post(code, "preferences", english).Code)
	require.Equal(t, logged, s.logged("order.recipient_preferred"), "the same again changes nothing")

	require.Equal(t, http.StatusSeeOther, s.post(code, "preferences", url.Values{"messages": {"false"}}).Code)
	require.Equal(t, "-|t", s.preferred(number))
	require.Contains(t, s.page(code), "Send me no messages")
	require.Equal(t, &contract.RecipientPreferences{Messages: new(false)}, s.told(code).Preferences)
	require.Equal(t, http.StatusOK, s.send(code, "preferences", `{"language": "da"}`).Code)
	require.Equal(t, "da|f", s.preferred(number), "messages are wanted unless somebody says otherwise")
	require.Equal(t, &contract.RecipientPreferences{
		Messages: new(true), Language: nullable.NewNullableWithValue(contract.MessageLanguageDa),
	}, s.told(code).Preferences)

	w = s.post(code, "preferences", url.Values{"language": {"fr"}})
	require.Equal(t, http.StatusBadRequest, w.Code)
	require.Contains(t, w.Body.String(), "Choose one of the list.")
	require.Contains(t, s.send(code, "preferences", `{"language": "fr"}`).Body.String(), "REQUEST_NOT_ONE_OF")
	require.Equal(t, http.StatusForbidden, s.send(pickupCode, "preferences", `{}`).Code)
	require.Equal(t, http.StatusForbidden, s.post(code, "preferences", english, "Sec-Fetch-Site", "cross-site").Code)
	require.Equal(t, "da|f", s.preferred(number))
}

// TestMessagesAreChosenBeforeTheDriverIsThere has the deadline end what may be chosen.
func TestMessagesAreChosenBeforeTheDriverIsThere(t *testing.T) {
	t.Parallel()
	s := newStreet(t)
	code := codes[s.order(0)]
	s.allowed(`{"preferences": {"minutes_before": 0}}`)
	s.collected()
	require.Equal(t, http.StatusOK, s.send(code, "preferences", `{"messages": false}`).Code)
	s.Says(driving.Arrive, s.Stops[3].ID)
	require.Equal(t, http.StatusConflict, s.send(code, "preferences", `{"messages": true}`).Code)
	require.Equal(t, "-|t", s.preferred(operationstest.Numbered(s.order(0))))
}
