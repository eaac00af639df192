package waybill_test

import (
	"context"
	"errors"
	"iter"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/waybill-tms/waybill-go"
)

func collect[T any](t *testing.T, all iter.Seq2[T, error], text func(T) string) string {
	t.Helper()
	var found []string
	for entry, err := range all {
		check(t, err)
		found = append(found, text(entry))
	}
	return strings.Join(found, " ")
}

func TestIteratorsByToken(t *testing.T) {
	t.Parallel()
	pages := []reply{
		{status: 200, body: object{"drafts": []object{{"externalId": "A"}, {"externalId": "B"}}, "nextToken": "2", "hasMore": true}},
		{status: 200, body: object{"drafts": []object{{"externalId": "C"}}, "nextToken": "", "hasMore": false}},
	}
	s := newSite(t, append(pages, pages...)...)
	all := s.Drafts.ListAll(t.Context(), &waybill.DraftsListParams{State: "incomplete", PageSize: 2})
	for range 2 { // it begins again each time
		same(t, collect(t, all, func(d waybill.DraftSummary) string { return d.ExternalID }), "A B C")
	}
	same(t, s.requests[0].URL.RawQuery, "pageSize=2&state=incomplete")
	same(t, s.requests[1].URL.RawQuery, "pageSize=2&state=incomplete&token=2")
	same(t, s.requests[2].URL.RawQuery, "pageSize=2&state=incomplete")
}

func TestIteratorsByPage(t *testing.T) {
	t.Parallel()
	s := newSite(t,
		reply{status: 200, body: object{"items": []object{{"id": 1}}, "pages": 2}},
		reply{status: 200, body: object{"items": []object{{"id": 2}}, "pages": 2}},
	)
	same(t, collect(t, s.Customers.ListAll(t.Context(), nil), func(waybill.Customer) string { return "c" }), "c c")
	same(t, s.requests[0].URL.RawQuery, "page=1")
	same(t, s.requests[1].URL.RawQuery, "page=2")
	same(t, len(s.requests), 2)

	s = newSite(t,
		reply{status: 200, body: object{"shipments": []object{{}}, "totalPages": 2}},
		reply{status: 200, body: object{"shipments": []object{{}}, "totalPages": 2}},
	)
	same(t, collect(t, s.Exports.ListAll(t.Context(), nil), func(waybill.ExportShipment) string { return "s" }), "s s")

	s = newSite(t,
		reply{status: 200, body: object{"emailLogs": []object{{}}, "numPages": 2}},
		reply{status: 200, body: object{"emailLogs": []object{{}}, "numPages": 2}},
	)
	same(t, collect(t, s.Notifications.SearchEmailLogAll(t.Context(), waybill.EmailLogSearch{}), func(waybill.EmailLog) string { return "e" }), "e e")
	same(t, strings.Contains(s.bodies[1], `"page":2`), true)
}

func TestIteratorsByOffset(t *testing.T) {
	t.Parallel()
	s := newSite(t,
		reply{status: 200, body: object{"recurringOrders": []object{{}, {}}, "total": 3}},
		reply{status: 200, body: object{"recurringOrders": []object{{}}, "total": 3}},
	)
	same(t, collect(t, s.RecurringOrders.ListAll(t.Context(), nil), func(waybill.RecurringOrder) string { return "r" }), "r r r")
	same(t, s.requests[1].URL.RawQuery, "offset=2")
}

func TestAnIteratorEndsWithAnError(t *testing.T) {
	t.Parallel()
	s := newSite(t, reply{status: http.StatusUnauthorized, body: refusal("AUTH_KEY_NEEDED")})
	count := 0
	for _, err := range s.Drivers.ListAll(t.Context(), nil) {
		same(t, errors.Is(err, waybill.ErrUnauthorized), true)
		count++
	}
	same(t, count, 1)
}

func TestTheFeedIsFollowed(t *testing.T) {
	t.Parallel()
	s := newSite(t,
		reply{status: 200, body: object{"items": []object{{"externalId": "SO-1"}}, "nextToken": "2", "hasMore": true}},
		reply{status: 200, body: object{"items": []object{{"externalId": "SO-2"}}, "nextToken": "3", "hasMore": false}},
		reply{status: 200, body: object{"items": []object{{"externalId": "SO-3"}}, "nextToken": "4", "hasMore": false}},
	)
	var seen []string
	for page, err := range s.FollowStatusChanges(t.Context(), waybill.Follow{Token: "kept", Interval: time.Millisecond}) {
		check(t, err)
		seen = append(seen, page.Items[0].ExternalID, page.NextToken)
		if page.NextToken == "4" {
			break
		}
	}
	same(t, strings.Join(seen, " "), "SO-1 2 SO-2 3 SO-3 4")
	same(t, s.requests[0].URL.Query().Get("token"), "kept")
	same(t, s.requests[1].URL.Query().Get("token"), "2")

	pages := 0
	for _, err := range s.FollowStatusChanges(t.Context(), waybill.Follow{Interval: -1}) {
		check(t, err)
		pages++
	}
	same(t, pages, 1)
}

func TestFollowingEndsWithItsContext(t *testing.T) {
	t.Parallel()
	s := newSite(t, reply{status: 200, body: object{"items": []object{}, "hasMore": false}})
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	var last error
	for _, err := range s.FollowProductChanges(ctx, waybill.Follow{Interval: time.Hour}) {
		last = err
		stop()
	}
	same(t, errors.Is(last, context.Canceled), true)
}

func TestWaitForImport(t *testing.T) {
	t.Parallel()
	s := newSite(t,
		reply{status: 202, body: object{"importId": 7, "state": "RUNNING"}},
		reply{status: 200, body: object{"importId": 7, "state": "RUNNING"}},
		reply{status: 200, body: object{"importId": 7, "state": "COMPLETED", "results": []object{{"orderCreated": object{"externalId": "SO-1"}}}}},
	)
	done, err := s.ImportAndWait(t.Context(), waybill.ImportRequest{}, waybill.RespondAsync())
	check(t, err)
	same(t, done.Results[0].OrderCreated != nil, true)
	same(t, s.requests[0].Header.Get("Prefer"), "respond-async")
	same(t, s.requests[2].URL.Path, "/v3/orders/imports/7")

	s = newSite(t, reply{status: 202, body: object{"importId": 7, "state": "FAILED", "notDone": []int{1}}})
	_, err = s.ImportAndWait(t.Context(), waybill.ImportRequest{})
	var incomplete *waybill.ImportIncompleteError
	same(t, errors.As(err, &incomplete) && incomplete.Progress.NotDone[0] == 1, true)
}
