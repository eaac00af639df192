package notifications_test

import (
	"encoding/json"
	"net/http"
	"net/url"
	"testing"

	"github.com/stretchr/testify/require"

	"waybill/api/apitest"
	"waybill/api/contract"
	"waybill/domain/caller"
)

const suppressions = "/v1/notifications/suppressions"

func TestBlockedAddressIsListedAndUnblocked(t *testing.T) {
	t.Parallel()
	o := apitest.NewOffice(t)
	o.ID(`insert into suppressions (org_id, channel, address, reason)
		select $1, c, a, 'bounced' from (values ('EMAIL', 'kari@post.example'), ('EMAIL', 'ola@post.example'),
			('EMAIL', 'per@else.example'), ('SMS', '+4740000007')) as x (c, a) returning 1`)
	person, outsider := o.AsRole(o.Org, caller.Support), o.AsRole(o.Other, caller.Support)
	list := func(who string, query url.Values) (page contract.SuppressionPage) {
		answer := o.Send(http.MethodGet, suppressions+"?"+query.Encode(), "", "Authorization", who)
		require.Equal(t, http.StatusOK, answer.Code, answer.Body)
		require.NoError(t, json.Unmarshal(answer.Body.Bytes(), &page))
		return page
	}
	lift := func(who, address string) int {
		return o.Send(http.MethodPost, suppressions+"/lift", `{"address":"`+address+`"}`, "Authorization", who).Code
	}

	var all []string
	for query := (url.Values{"pageSize": {"2"}}); ; {
		page := list(person, query)
		for _, s := range page.Items {
			all = append(all, string(s.Channel)+" "+s.Address)
		}
		if !page.HasMore {
			break
		}
		query.Set("token", page.NextToken)
	}
	require.Equal(t, []string{
		"EMAIL kari@post.example", "EMAIL ola@post.example", "EMAIL per@else.example", "SMS +4740000007",
	}, all)
	require.Len(t, list(person, url.Values{"address": {"@POST."}}).Items, 2)
	require.Empty(t, list(outsider, nil).Items, "another organization's")

	require.Equal(t, http.StatusForbidden, lift("apikey "+o.Key, "kari@post.example"), "a key may not")
	require.Equal(t, http.StatusForbidden, lift(o.AsRole(o.Org, caller.Driver), "kari@post.example"), "nor may a driver")
	require.Equal(t, http.StatusNotFound, lift(outsider, "kari@post.example"), "another organization's")
	require.Equal(t, http.StatusNoContent, lift(person, "Kari@Post.example"))
	require.Equal(t, http.StatusNotFound, lift(person, "kari@post.example"), "it is open")
	require.Len(t, list(person, nil).Items, 3)
	require.Equal(t, "EMAIL", o.Text(`select data ->> 'channel' from events
		where org_id = $1 and kind = 'suppression.lifted'`))
}

func TestInvalidRequestsForBlockedAddresses(t *testing.T) {
	t.Parallel()
	o := apitest.NewOffice(t)
	person := o.AsRole(o.Org, caller.Support)
	for query, code := range map[string]int{
		"":             http.StatusOK,
		"token=!":      http.StatusBadRequest,
		"token=RU1B":   http.StatusBadRequest, // a channel without an address
		"pageSize=0":   http.StatusBadRequest,
		"pageSize=x":   http.StatusBadRequest,
		"address=%00":  http.StatusBadRequest,
		"pageSize=1":   http.StatusOK,
		"address=none": http.StatusOK,
	} {
		require.Equal(t, code, o.Send(http.MethodGet, suppressions+"?"+query, "", "Authorization", person).Code, query)
	}
}
