package orders_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/api/apitest"
	"waybill/api/contract"
	"waybill/domain/order"
)

// on is an edit that puts an order on a day.
func on(day string) func(*order.Request) { return func(r *order.Request) { r.Date = day } }

// overview requests rows, and returns the page.
func (d desk) overview(body object) (page contract.OrdersOverview) {
	d.T.Helper()
	w := d.ask(http.MethodPost, "/v2/orders/overview", body)
	require.Equal(d.T, http.StatusOK, w.Code, w.Body)
	require.NoError(d.T, json.Unmarshal(w.Body.Bytes(), &page))
	return page
}

func numbersOf(page contract.OrdersOverview) (numbers []string) {
	for _, row := range page.Items {
		numbers = append(numbers, row.ExternalIds...)
	}
	return numbers
}

func TestTheOverviewShowsOneRowPerOrder(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	first, second := d.Import("A-1"), d.Import("A-2")
	d.Import("A-3", on("2026-03-03"), func(r *order.Request) { r.Reference = "Isfjord 7" })
	d.Import("A-4", on("2026-03-09"))
	nora := d.driver("Nora")
	require.Equal(t, http.StatusOK, d.move(second, 2, nora).Code)
	days := object{"from": "2026-03-02", "to": "2026-03-03"}

	page := d.overview(days)
	require.Equal(t, []string{"A-1", "A-2", "A-3"}, numbersOf(page))
	require.False(t, page.HasMore)
	row := page.Items[1]
	require.Equal(t, second, row.OrderID)
	require.Equal(t, contract.OrderStatusName("planned"), row.Status)
	require.Equal(t, contract.NamedRecord{ID: nora, Name: "Nora"}, *row.Driver)
	require.Nil(t, page.Items[0].Driver)
	require.InDelta(t, 150.0, row.WeightKg, 0.001)
	require.InDelta(t, 1.0, row.Colli, 0.001)
	delivery := "select name from order_stops where org_id = $1 and order_id = $2 and kind = 'delivery'"
	require.Equal(t, d.Text(delivery, second),
		row.Delivery.Name)
	require.NotEqual(t, row.Pickup.Name, row.Delivery.Name)

	t.Run("InPagesInEitherSequence", func(t *testing.T) {
		d := desk{Office: d.Office, dispatcher: d.dispatcher}
		for sort, want := range map[string][]string{"date": {"A-1", "A-2", "A-3"}, "-date": {"A-3", "A-2", "A-1"}} {
			var got []string
			token := ""
			for more := true; more; {
				page := d.overview(object{"from": "2026-03-02", "to": "2026-03-03", "pageSize": 1, "sort": sort, "token": token})
				got, token, more = append(got, numbersOf(page)...), page.NextToken, page.HasMore
			}
			require.Equal(t, want, got, sort)
			require.Empty(t, token)
		}
	})
	t.Run("ByFilters", func(t *testing.T) {
		customer := fmt.Sprint(row.Customer.ID)
		for filter, want := range map[string][]string{
			`"statusIds": [2]`:                                    {"A-2"},
			`"statusIds": [1, 2]`:                                 {"A-1", "A-2", "A-3"},
			`"statusIds": [8]`:                                    nil,
			fmt.Sprintf(`"driverIds": [%d]`, nora):                {"A-2"},
			`"customerIds": [` + customer + `]`:                   {"A-1", "A-2", "A-3"},
			`"customerIds": [999999]`:                             nil,
			`"departmentIds": [999999]`:                           nil,
			`"text": "A-1"`:                                       {"A-1"},
			`"text": "isfjord"`:                                   {"A-3"},
			`"text": "` + fmt.Sprintf("%d", first) + `"`:          {"A-1"},
			`"text": "isfjord", "statusIds": [2]`:                 nil,
			`"text": "A-4"`:                                       nil,
			`"statusIds": [1], "customerIds": [` + customer + `]`: {"A-1", "A-3"},
		} {
			w := d.Send(http.MethodPost, "/v2/orders/overview", `{"from":"2026-03-02","to":"2026-03-03",`+filter+`}`,
				"Authorization", d.dispatcher)
			require.Equal(t, http.StatusOK, w.Code, w.Body)
			var page contract.OrdersOverview
			require.NoError(t, json.Unmarshal(w.Body.Bytes(), &page))
			require.Equal(t, want, numbersOf(page), filter)
		}
	})
	t.Run("OfOneOrganization", func(t *testing.T) {
		w := d.Send(http.MethodPost, "/v2/orders/overview", `{"from":"2026-03-02","to":"2026-03-03"}`,
			"Authorization", d.AsRole(d.Other, "dispatcher"))
		require.JSONEq(t, `{"items": [], "nextToken": "", "hasMore": false}`, w.Body.String())
	})
}

// An order's row shows its problems.
func TestTheOverviewFlagsOrders(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	at := func(offset time.Duration) string { return time.Now().Add(offset).UTC().Format(time.RFC3339) }
	window := func(from, to time.Duration) func(*order.Request) {
		return func(r *order.Request) {
			r.Date = time.Now().UTC().Format(time.DateOnly)
			r.Pickup.Earliest, r.Pickup.Latest = at(from-time.Hour), at(to)
			r.Delivery.Earliest, r.Delivery.Latest = at(from), at(to)
		}
	}
	late := d.Import("LATE", window(-2*time.Hour, -time.Hour))
	d.Import("AHEAD", window(time.Hour, 2*time.Hour))
	gone := d.Import("GONE", window(-2*time.Hour, -time.Hour))
	require.Equal(
		t, http.StatusOK, d.ask(http.MethodPost, "/v2/orders/cancel-orders", object{"externalIds": []string{"GONE"}}).Code,
	)
	locked := d.Import("LOCKED", window(time.Hour, 2*time.Hour))
	nora := d.driver("Nora")
	require.Equal(t, http.StatusOK, d.ask(http.MethodPut, ofOrder(locked, "/driver-lock"), object{"driver_id": nora}).Code)
	d.ID(`insert into exceptions (org_id, kind, day, driver_id, order_id, stop, at)
		values ($1, 'LATE_STOP', current_date, $2, $3, 'delivery', now()) returning id`, nora, locked)

	flags := map[string]string{}
	today := time.Now().UTC()
	page := d.overview(object{
		"from": today.AddDate(0, 0, -1).Format(time.DateOnly), "to": today.AddDate(0, 0, 1).Format(time.DateOnly),
	})
	for _, row := range page.Items {
		flags[row.ExternalIds[0]] = fmt.Sprint(row.IsLate, row.Flags)
	}
	require.Equal(t, map[string]string{
		"LATE": "true [LATE]", "AHEAD": "false []", "GONE": "false []", "LOCKED": "false [EXCEPTION LOCKED]",
	}, flags)
	require.NotZero(t, late)
	require.NotZero(t, gone)
}

func TestADayIsSummedUp(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.Import("A-1")
	second := d.Import("A-2")
	d.Import("A-3", on("2026-03-03"))
	nora := d.driver("Nora")
	require.Equal(t, http.StatusOK, d.move(second, 2, nora).Code)
	sum := func(query string) (out contract.OrdersSummary) {
		w := d.ask(http.MethodGet, "/v2/orders/summary?"+query, nil)
		require.Equal(t, http.StatusOK, w.Code, w.Body)
		require.NoError(t, json.Unmarshal(w.Body.Bytes(), &out))
		return out
	}
	day := sum("date=2026-03-02")
	require.Equal(t, int64(2), day.Total)
	require.InDelta(t, 300.0, day.WeightKg, 0.001)
	require.Len(t, day.Groups, 2)
	require.Equal(t, "registered planned", day.Groups[0].Name.MustGet()+" "+day.Groups[1].Name.MustGet())
	require.Equal(t, int64(2), day.Late, "the day is long over, and nobody came")

	drivers := sum("date=2026-03-02&groupBy=driver")
	require.Len(t, drivers.Groups, 2)
	require.True(t, drivers.Groups[0].ID.IsNull())
	require.Equal(t, "Nora", drivers.Groups[1].Name.MustGet())
	for by, names := range map[string]int{"orderType": 1, "customer": 1, "department": 1} {
		groups := sum("date=2026-03-02&groupBy=" + by).Groups
		require.Len(t, groups, names, by)
		require.Equal(t, int64(2), groups[0].Total, by)
		require.False(t, groups[0].Name.IsNull(), by)
	}
	require.Zero(t, sum("date=2030-01-01").Total)
	require.Zero(t, sum("").Total)
	require.Equal(t, http.StatusBadRequest, d.ask(http.MethodGet, "/v2/orders/summary?groupBy=colour", nil).Code)
}

func TestAnOrderIsSummedUp(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	id := d.Import("A-1")
	read := func() (out contract.OrderSummary) {
		w := d.ask(http.MethodGet, fmt.Sprintf("/v2/orders/%d/summary", id), nil)
		require.Equal(t, http.StatusOK, w.Code, w.Body)
		require.NoError(t, json.Unmarshal(w.Body.Bytes(), &out))
		return out
	}
	before := read()
	require.Equal(t, []string{"A-1"}, before.Order.ExternalIds)
	require.Nil(t, before.LastEvent, "nothing has its place in the log yet")
	require.False(t, before.HasProof)
	d.ID(`with e as (update events set position = id where org_id = $1 returning id) select max(id) from e`)
	require.Equal(t, "order.created", read().LastEvent.Kind)
	d.ID(`insert into completion_proofs (org_id, order_id, type, occurred_at, counts)
		values ($1, $2, 'IN_PERSON', now(), true) returning id`, id)
	require.True(t, read().HasProof)

	w := d.Send(
		http.MethodGet, fmt.Sprintf("/v2/orders/%d/summary", id), "", "Authorization", d.AsRole(d.Other, "dispatcher"),
	)
	require.Equal(t, http.StatusNotFound, w.Code)
}

func TestTheOverviewRefusesBadInput(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	for body, status := range map[string]int{
		`{}`:                                 http.StatusBadRequest,
		`{"from":"2026-03-02"}`:              http.StatusBadRequest,
		`{"from":"2026-03-02","to":"today"}`: http.StatusBadRequest,
		`{"from":"2026-03-02","to":"2026-03-01"}`:                 http.StatusUnprocessableEntity,
		`{"from":"2026-03-02","to":"2026-05-01"}`:                 http.StatusBadRequest,
		`{"from":"2026-03-02","to":"2026-03-02","token":"x"}`:     http.StatusBadRequest,
		`{"from":"2026-03-02","to":"2026-03-02","sort":"colour"}`: http.StatusBadRequest,
		`{"from":"2026-03-02","to":"2026-03-02","pageSize":201}`:  http.StatusBadRequest,
		`{"from":"2026-03-02","to":"2026-03-02","statusIds":[9]}`: http.StatusBadRequest,
		`{"from":"2026-03-02","to":"2026-03-02","text":"\u0000"}`: http.StatusBadRequest,
	} {
		w := d.Send(http.MethodPost, "/v2/orders/overview", body, "Authorization", d.dispatcher)
		require.Equal(t, status, w.Code, "%s: %s", body, w.Body)
		require.NotEmpty(t, apitest.Refusal(t, w))
	}
}
