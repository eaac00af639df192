package masterdata_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"testing"

	"github.com/stretchr/testify/require"

	"waybill/api/contract"
	"waybill/domain/caller"
)

// field makes a custom field of the organization.
func (d desk) field(externalID, displayOn string) int64 {
	return d.ID(`insert into custom_field_definitions (org_id, external_id, label, title, display_on)
		values ($1, $2, 'L', 'T', $3) returning id`, externalID, displayOn)
}

func TestValuesAreReadAndSetByNumber(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	id := d.Import("A/1 ø")
	d.field("gate", "opposite")
	byNumber := "/v1/orders/internal/" + url.PathEscape("A/1 ø") + "/custom-field-values"
	byID := fmt.Sprintf("/v1/orders/%d/custom-field-values", id)
	none := fmt.Sprintf(`{"orderId": %d, "customFields": []}`, id)
	require.JSONEq(t, none, d.ask(http.MethodGet, byID, "").Body.String())
	w := d.ask(http.MethodPut, byNumber, `{"customFields": [{"externalId": "gate", "value": 7, "stop": "pickup"}]}`)
	require.Equal(t, http.StatusOK, w.Code, w.Body)
	for _, path := range []string{byID, byNumber} {
		read := d.ask(http.MethodGet, path, "")
		require.Equal(t, http.StatusOK, read.Code, read.Body)
		require.JSONEq(t, w.Body.String(), read.Body.String())
		require.Contains(t, read.Body.String(), `"stop":"pickup"`)
		require.Contains(t, read.Body.String(), `"shownOn":["delivery"]`)
	}
	require.Equal(t, "1", d.Text(`select count(*)::text from events
		where org_id = $1 and kind = 'order.updated' and order_id is not null`), "with its event")
	refused := d.ask(http.MethodPut, byNumber, `{"customFields": [{"externalId": "no", "value": 7}]}`)
	require.Equal(t, http.StatusUnprocessableEntity, refused.Code, refused.Body)
	missing := "/v1/orders/internal/NONE/custom-field-values"
	for method, body := range map[string]string{http.MethodGet: "", http.MethodPut: `{"customFields": []}`} {
		require.Equal(t, http.StatusNotFound, d.ask(method, missing, body).Code)
		other := d.AsRole(d.Other, caller.Dispatcher)
		require.Equal(t, http.StatusNotFound, d.Send(method, byNumber, body, "Authorization", other).Code)
	}
	other := d.AsRole(d.Other, caller.Dispatcher)
	require.Equal(t, http.StatusNotFound, d.Send(http.MethodGet, byID, "", "Authorization", other).Code)
}

func TestOrdersAreFoundByAValue(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.field("gate", "current")
	d.field("door", "current")
	set := func(number, values string) int64 {
		id := d.Import(number)
		w := d.ask(http.MethodPut, fmt.Sprintf("/v1/orders/%d/custom-field-values", id), `{"customFields": [`+values+`]}`)
		require.Equal(t, http.StatusOK, w.Code, w.Body)
		return id
	}
	set("A-1", `{"externalId": "gate", "value": "12"}`)
	set("A-2", `{"externalId": "gate", "value": 12, "stop": "delivery"}`)
	set("A-3", `{"externalId": "gate", "value": "123"}, {"externalId": "door", "value": "12"}`)
	set("A-4", `{"externalId": "gate", "value": true}`)
	search := func(field, value string) (found []string) {
		token := ""
		for more := true; more; {
			w := d.ask(http.MethodGet, "/v1/custom-field-values?pageSize=1&externalId="+field+"&value="+url.QueryEscape(value)+
				"&token="+token, "")
			require.Equal(t, http.StatusOK, w.Code, w.Body)
			var page contract.CustomFieldValuePage
			require.NoError(t, json.Unmarshal(w.Body.Bytes(), &page))
			for _, o := range page.Items {
				found = append(found, fmt.Sprint(o.InternalOrderNumber, " ", string(o.Value), " ", o.ShownOn))
			}
			token, more = page.NextToken, page.HasMore
		}
		return found
	}
	require.Equal(t, []string{"A-2 12 [delivery]", `A-1 "12" [pickup delivery]`}, search("gate", "12"))
	require.Equal(t, []string{`A-3 "12" [pickup delivery]`}, search("door", "12"))
	require.Equal(t, []string{"A-4 true [pickup delivery]"}, search("gate", "true"))
	require.Empty(t, search("gate", "1"))
	require.Empty(t, search("gate", "%"))

	const path = "/v1/custom-field-values?externalId=gate&value=12"
	other := d.AsRole(d.Other, caller.Dispatcher)
	require.Equal(t, http.StatusNotFound, d.Send(http.MethodGet, path, "", "Authorization", other).Code, "no such field")
	d.ID(`insert into custom_field_definitions (org_id, external_id, label, title) select $2, 'gate', 'L', 'T'
		where $1 > 0 returning id`, d.Other)
	require.JSONEq(t, `{"items": [], "nextToken": "", "hasMore": false}`,
		d.Send(http.MethodGet, path, "", "Authorization", other).Body.String())
	for _, bad := range []string{"externalId=gate", "value=12", "externalId=gate&value=%00"} {
		require.Equal(t, http.StatusBadRequest, d.ask(http.MethodGet, "/v1/custom-field-values?"+bad, "").Code, bad)
	}
	for _, bad := range []string{"&token=x", "&token=0", "&pageSize=0", "&pageSize=201"} {
		require.Equal(t, http.StatusBadRequest, d.ask(http.MethodGet, path+bad, "").Code, bad)
	}
	require.Equal(t, http.StatusNotFound, d.ask(http.MethodGet, "/v1/custom-field-values?externalId=no&value=1", "").Code)
}
