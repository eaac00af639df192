package e2e_test

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/waybill-tms/waybill-go"
	"waybill/api/contract"
)

// draft imports an order without a date, and returns the path of its draft.
func (o *organization) draft(t *testing.T, number string, edits ...object) string {
	t.Helper()
	result := o.importOrders(t, orders(newOrder(number, append(edits, object{"date": nil})...)))[0]
	require.NotNil(t, result.DraftCreated, kind(result))
	return fmt.Sprintf("/v2/drafts/%d", *result.DraftCreated.DraftID)
}

func (o *organization) complete(t *testing.T, status int, path string, body any) contract.Draft {
	t.Helper()
	a := o.expect(t, status, http.MethodPut, path, body)
	if status != http.StatusOK {
		return contract.Draft{}
	}
	return read[contract.Draft](t, a)
}

// kindsOf are the kinds of the events of a number, in their order.
func (o *organization) kindsOf(t *testing.T, number string) []string {
	t.Helper()
	return list(t, o.installation, "select kind from events where org_id = $1 and external_id = $2 order by id", o.id, number)
}

func TestDraftIsCompleted(t *testing.T) {
	t.Parallel()
	o := shared.organization(t)
	path := o.draft(t, "D-1", object{"customFields": []object{{"externalId": "gate_code", "value": 12345678901234567}}})

	d := read[contract.Draft](t, o.get(t, path, "Accept-Language", "nb"))
	require.Equal(t, contract.DraftStateIncomplete, d.State)
	require.Nil(t, d.OrderID)
	require.Equal(t, "date", d.Reasons[0].Field)
	require.Contains(t, d.Reasons[0].Message, "dato", "in the language of the reader")
	require.Contains(t, string(o.get(t, path).body), "12345678901234567", "as it was imported")

	still := o.complete(t, http.StatusOK, path, newOrder("D-1", object{"customer": object{"externalId": "nobody"}}))
	require.Equal(t, contract.DraftStateIncomplete, still.State)
	require.Equal(t, contract.ImportReasonCode("CUSTOMER_NOT_FOUND_CODE"), still.Reasons[0].Code)

	whole := newOrder("D-1", object{"externalId": nil})
	promoted := o.complete(t, http.StatusOK, path, whole)
	require.Equal(t, contract.DraftStatePromoted, promoted.State)
	require.Empty(t, promoted.Reasons)
	order := read[contract.Order](t, o.get(t, "/v1/orders/internal/D-1"))
	require.Equal(t, order.OrderID, *promoted.OrderID)
	require.Equal(t, []string{"draft.created", "draft.updated", "draft.promoted", "order.created"}, o.kindsOf(t, "D-1"))

	// Repeating it changes nothing; anything else is too late.
	before := o.rowCounts(t)
	require.Equal(t, promoted, o.complete(t, http.StatusOK, path, whole))
	o.complete(t, http.StatusConflict, path, newOrder("D-1", object{"reference": "other"}))
	o.expect(t, http.StatusConflict, http.MethodDelete, path, nil)
	require.Equal(t, before, o.rowCounts(t))
}

func TestDraftKeepsTheFallbacksOfItsImport(t *testing.T) {
	t.Parallel()
	o := shared.organization(t)
	request := orders(newOrder("D-FALL", object{"date": nil, "customer": nil, "orderType": nil}))
	request["fallbackCustomer"] = object{"externalId": "C-101"}
	request["fallbackOrderType"] = object{"name": "Standard"}
	path := fmt.Sprintf("/v2/drafts/%d", *o.importOrders(t, request)[0].DraftCreated.DraftID)
	fallback := read[contract.Draft](t, o.get(t, path)).FallbackCustomer
	require.Equal(t, "C-101", *fallback.ExternalID)
	promoted := o.complete(t, http.StatusOK, path, newOrder("D-FALL", object{"customer": nil, "orderType": nil}))
	require.Equal(t, contract.DraftStatePromoted, promoted.State, "%v", promoted.Reasons)
	order := read[contract.Order](t, o.get(t, fmt.Sprintf("/v1/orders/%d?loads=Customer", *promoted.OrderID)))
	require.Equal(t, "C-101", order.Customer.MustGet().ExternalID.MustGet())
}

func TestNumbersOfDrafts(t *testing.T) {
	t.Parallel()
	o := shared.organization(t)
	o.importOrders(t, orders(newOrder("TAKEN")))
	named, other := o.draft(t, "D-NAMED"), o.draft(t, "D-OTHER")
	nameless := fmt.Sprintf("/v2/drafts/%d", *o.importOrders(t, orders(newOrder("x", object{"externalId": nil})))[0].DraftCreated.DraftID)

	o.requireRefused(t, refusal{method: http.MethodPut, path: named, body: newOrder("D-ELSE"), want: http.StatusUnprocessableEntity, field: "externalId"})
	o.requireRefused(t, refusal{method: http.MethodPut, path: nameless, body: newOrder("TAKEN"), want: http.StatusConflict})
	o.requireRefused(t, refusal{method: http.MethodPut, path: nameless, body: newOrder("D-OTHER"), want: http.StatusConflict})

	still := o.complete(t, http.StatusOK, nameless, newOrder("x", object{"externalId": nil}))
	require.Equal(t, contract.DraftStateIncomplete, still.State)
	still = o.complete(t, http.StatusOK, nameless, newOrder("x", object{"externalId": strings.Repeat("x", 300)}))
	require.Equal(t, contract.DraftStateIncomplete, still.State)
	still = o.complete(t, http.StatusOK, nameless, newOrder("D-LATE", object{"date": nil}))
	require.Equal(t, "D-LATE", still.ExternalID, "it has a number now")
	require.Equal(t, 3, o.rowCounts(t)["drafts"])
	result := o.importOrders(t, orders(newOrder("D-LATE")))[0]
	require.NotNil(t, result.OrderCreated, "an import of that number promotes it")
	require.Equal(t, contract.DraftStatePromoted, read[contract.Draft](t, o.get(t, nameless)).State)
	require.Equal(t, contract.DraftStateIncomplete, read[contract.Draft](t, o.get(t, other)).State)
}

func TestDraftIsDiscarded(t *testing.T) {
	t.Parallel()
	o := shared.organization(t)
	path := o.draft(t, "D-GONE")
	o.expect(t, http.StatusNoContent, http.MethodDelete, path, nil)
	o.expect(t, http.StatusNoContent, http.MethodDelete, path, nil)
	require.Equal(t, contract.DraftStateDiscarded, read[contract.Draft](t, o.get(t, path)).State)
	o.requireRefused(t, refusal{method: http.MethodPut, path: path, body: newOrder("D-GONE"), want: http.StatusConflict})
	require.Equal(t, []string{"draft.created", "draft.discarded"}, o.kindsOf(t, "D-GONE"), "once")

	require.Equal(t, path, o.draft(t, "D-GONE"), "importing it again opens it again")
	require.Equal(t, contract.DraftStateIncomplete, read[contract.Draft](t, o.get(t, path)).State)
	o.expect(t, http.StatusNoContent, http.MethodDelete, path, nil)
	require.NotNil(t, o.importOrders(t, orders(newOrder("D-GONE")))[0].OrderCreated)
	require.Equal(t, contract.DraftStatePromoted, read[contract.Draft](t, o.get(t, path)).State)
}

func TestListOfDrafts(t *testing.T) {
	t.Parallel()
	o := shared.organization(t)
	var entries []any
	for _, number := range series("L-", 7) {
		entries = append(entries, newOrder(number, object{"date": nil}))
	}
	o.importOrders(t, object{"orders": entries})
	o.complete(t, http.StatusOK, o.draft(t, "L-0001"), newOrder("L-0001"))
	o.expect(t, http.StatusNoContent, http.MethodDelete, o.draft(t, "L-0002"), nil)

	c, err := waybill.New("http://"+o.address, o.key)
	require.NoError(t, err)
	walk := func(state waybill.DraftState) (numbers []string) {
		for d, err := range c.Drafts.ListAll(t.Context(), &waybill.DraftsListParams{State: state, PageSize: 2}) {
			require.NoError(t, err)
			numbers = append(numbers, d.ExternalID)
			require.True(t, state == "" || d.State == state)
		}
		return numbers
	}
	require.Equal(t, series("L-", 7), walk(""), "each once, oldest first")
	require.Equal(t, []string{"L-0000", "L-0003", "L-0004", "L-0005", "L-0006"}, walk(waybill.DraftStateIncomplete))
	require.Equal(t, []string{"L-0002"}, walk(waybill.DraftStateDiscarded))
	page := read[contract.DraftPage](t, o.get(t, "/v2/drafts?externalId=L-0004"))
	require.Len(t, page.Drafts, 1)
	for _, query := range []string{"state=lost", "state=", "token=x", "token=-1", "pageSize=0", "pageSize=1001", "pageSize=many"} {
		o.requireRefused(t, refusal{method: http.MethodGet, path: "/v2/drafts?" + query, want: http.StatusBadRequest})
	}
}

// TestChangedDraftsAreFollowed changes an old draft that is before every token.
func TestChangedDraftsAreFollowed(t *testing.T) {
	t.Parallel()
	o := shared.organization(t)
	first, second := o.draft(t, "F-1"), o.draft(t, "F-2")
	since := read[contract.Draft](t, o.get(t, second)).UpdatedAt.Add(time.Millisecond) // timestamps have milliseconds
	changed := func() []contract.DraftSummary {
		query := url.Values{"updatedSince": {since.Format(time.RFC3339Nano)}}
		return read[contract.DraftPage](t, o.get(t, "/v2/drafts?"+query.Encode())).Drafts
	}
	require.Empty(t, changed())
	o.complete(t, http.StatusOK, first, newOrder("F-1"))
	require.Len(t, changed(), 1)
	require.Equal(t, "F-1", changed()[0].ExternalID)
	require.Equal(t, contract.DraftStatePromoted, changed()[0].State)
	o.expect(t, http.StatusNoContent, http.MethodDelete, second, nil)
	require.Len(t, changed(), 2)
	o.requireRefused(t, refusal{
		method: http.MethodGet, path: "/v2/drafts?updatedSince=yesterday", want: http.StatusBadRequest, field: "updatedSince",
	})
}

func TestBadCompletions(t *testing.T) {
	t.Parallel()
	o := shared.organization(t)
	path := o.draft(t, "D-BAD")
	for body, field := range map[string]string{
		"":                               "",
		"[]":                             "",
		"null":                           "",
		`{"date":`:                       "date",
		`{"reference":7}`:                "reference",
		"{\"reference\":\"\\u0000\"}":    "reference",
		`{"pickup":{"contacts":{}}}`:     "pickup.contacts",
		`{"date":"2026-03-02","date":1}`: "date",
		`{"a":` + strings.Repeat("[", 20_000) + strings.Repeat("]", 20_000) + `}`: "",
	} {
		o.requireRefused(t, refusal{method: http.MethodPut, path: path, body: body, want: http.StatusBadRequest, field: field})
	}
	tooLarge := strings.NewReader(`{"reference":"` + strings.Repeat("x", 65<<20) + `"}`)
	o.requireRefused(t, refusal{method: http.MethodPut, path: path, body: tooLarge, want: http.StatusRequestEntityTooLarge})
	for _, id := range []string{"0", "-1", "9223372036854775807"} {
		o.requireRefused(t, refusal{method: http.MethodPut, path: "/v2/drafts/" + id, body: newOrder("D-BAD"), want: http.StatusNotFound})
		o.requireRefused(t, refusal{method: http.MethodDelete, path: "/v2/drafts/" + id, want: http.StatusNotFound})
	}
	for _, id := range []string{"x", "9223372036854775808", "1.5"} {
		for _, method := range []string{http.MethodGet, http.MethodPut, http.MethodDelete} {
			o.requireRefused(t, refusal{method: method, path: "/v2/drafts/" + id, body: newOrder("D-BAD"), want: http.StatusBadRequest, field: "orderDraftId"})
		}
	}
	require.Equal(t, contract.DraftStateIncomplete, o.complete(t, http.StatusOK, path, object{}).State)
}

// Concurrent completions and an import of a draft create one order.
func TestDraftIsPromotedOnce(t *testing.T) {
	t.Parallel()
	o := shared.organization(t)
	path := o.draft(t, "D-RACE")
	var wg sync.WaitGroup
	for n := range 8 {
		wg.Go(func() {
			if n%4 == 3 {
				r := o.importOrders(t, orders(newOrder("D-RACE")))[0]
				require.Contains(t, []string{"orderCreated", "orderUpdated"}, kind(r))
				return
			}
			a := o.call(t, http.MethodPut, path, newOrder("D-RACE", object{"reference": fmt.Sprint(n % 2)}))
			require.Contains(t, []int{http.StatusOK, http.StatusConflict}, a.status, string(a.body))
		})
	}
	wg.Wait()
	require.Equal(t, 1, o.rowCounts(t)["orders"])
	require.Equal(t, contract.DraftStatePromoted, read[contract.Draft](t, o.get(t, path)).State)
	require.Equal(t, 1, one[int](t, shared, "select count(*) from events where org_id = $1 and kind = 'draft.promoted'", o.id))
}

func TestManyDraftsAreCompleted(t *testing.T) {
	t.Parallel()
	o := shared.organization(t)
	good, poor, gone := draftID(t, o, "MANY-1"), draftID(t, o, "MANY-2"), draftID(t, o, "MANY-3")
	o.expect(t, http.StatusNoContent, http.MethodDelete, fmt.Sprintf("/v2/drafts/%d", gone), nil)
	body := object{"drafts": []object{
		{"orderDraftId": poor, "order": newOrder("MANY-2", object{"delivery": nil})},
		{"orderDraftId": gone, "order": newOrder("MANY-3")},
		{"orderDraftId": good, "order": newOrder("MANY-1")},
		{"orderDraftId": 999999999, "order": newOrder("MANY-4")},
	}}
	for range 2 { // the second time changes nothing
		results := read[contract.DraftCompletions](t, o.expect(t, http.StatusOK, http.MethodPost, "/v2/drafts/complete", body)).Results
		require.Len(t, results, 4)
		require.Equal(t, "incomplete refused completed refused", fmt.Sprint(
			results[0].Result, " ", results[1].Result, " ", results[2].Result, " ", results[3].Result))
		require.Equal(t, contract.ImportReasonCode("MISSING_DELIVERY_CODE"), results[0].Reasons[0].Code)
		require.Equal(t, contract.ErrorReason("DRAFT_DISCARDED"), *results[1].Reason)
		require.NotEmpty(t, *results[1].Message)
		require.Positive(t, *results[2].OrderID)
		require.Equal(t, contract.ErrorReason("DRAFT_NOT_FOUND"), *results[3].Reason)
	}
	for _, bad := range []object{{}, {"drafts": []object{}}, {"drafts": []object{{"orderDraftId": good}}}, {"drafts": 1}} {
		o.expect(t, http.StatusBadRequest, http.MethodPost, "/v2/drafts/complete", bad)
	}

	drafts := func(query string) int {
		return len(read[contract.DraftPage](t, o.get(t, "/v2/drafts?state=incomplete&"+query)).Drafts)
	}
	require.Equal(t, 1, drafts("reason=MISSING_DELIVERY_CODE"))
	require.Zero(t, drafts("reason=CUSTOMER_NOT_FOUND_CODE"))
	require.Equal(t, 1, drafts("date="+newOrder("X")["date"].(string)))
	require.Zero(t, drafts("date=2020-01-01"))
	o.expect(t, http.StatusBadRequest, http.MethodGet, "/v2/drafts?reason=NONE", nil)
}
