package e2e_test

import (
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/api/apitest"
	"waybill/api/contract"
)

// reading is an organization with orders that are only read.
type reading struct {
	*organization
	rich contract.Order // the order that has everything
}

func newReading(t *testing.T) *reading {
	t.Helper()
	r := &reading{organization: shared.withoutDrivers(t)}
	require.Equal(t, map[string]int{"orderCreated": 60}, kinds(r.importOrders(t, demoOrders(t))))
	require.NotNil(t, r.importOrders(t, orders(richOrder("RICH")))[0].OrderCreated)
	r.rich = read[contract.Order](t, r.get(t, "/v1/orders/internal/RICH"))
	return r
}

// numbersOf are the numbers of the orders that a path lists.
func (r *reading) numbersOf(t *testing.T, path string) []string {
	t.Helper()
	var numbers []string
	for _, order := range read[[]contract.Order](t, r.get(t, path)) {
		numbers = append(numbers, order.InternalOrderNumber)
	}
	return numbers
}

func TestReads(t *testing.T) {
	t.Parallel()
	r := newReading(t)
	const days = "/v1/orders?startDate=2026-12-07&endDate=2026-12-11"

	t.Run("AListHoldsTheDaysThatAreAskedFor", func(t *testing.T) {
		t.Parallel()
		require.Len(t, r.numbersOf(t, days), 60)
		require.Len(t, r.numbersOf(t, "/v1/orders?startDate=2026-12-09&endDate=2026-12-09"), 16)
		require.Equal(t, []string{"RICH"}, r.numbersOf(t, "/v1/orders?startDate=2026-03-02&endDate=2026-03-02"))
		require.Empty(t, r.numbersOf(t, "/v1/orders?startDate=2026-12-12&endDate=2026-12-31"))
		require.JSONEq(t, "[]", string(r.get(t, "/v1/orders?startDate=2026-12-12&endDate=2026-12-31").body))
		listed := read[[]contract.Order](t, r.get(t, days))
		require.True(t, slices.IsSortedFunc(listed, func(a, b contract.Order) int {
			if c := strings.Compare(a.Date.String(), b.Date.String()); c != 0 {
				return c
			}
			return int(a.OrderID - b.OrderID)
		}))
	})

	t.Run("AListPassesEveryFilter", func(t *testing.T) {
		t.Parallel()
		const day = "/v1/orders?startDate=2026-03-01&endDate=2026-12-31&filters="
		o := r.rich
		for filter, some := range map[string]int{
			fmt.Sprintf("order_id=%d", o.OrderID):                           1,
			"internal_order_number=RICH":                                    1,
			"serial_code=" + o.SerialCode:                                   1,
			"internal_order_number=RICH,internal_order_number=NF-2026-0001": 2,
			"internal_order_number=RICH,order_status_id=8":                  0,
			"order_status_id=1":                                             61,
			"order_status_id=1,order_status_id=8":                           61,
			"order_status_id=2":                                             0,
			"driver_id=1":                                                   0,
			fmt.Sprintf("business_id=%d", o.BusinessID):                     61,
			"business_id=0":                                                 0,
			"":                                                              61,
		} {
			require.Len(t, r.numbersOf(t, day+filter), some, filter)
		}
		for name, id := range map[string]int64{
			"customer_id": o.CustomerID, "department_id": o.DepartmentID.MustGet(),
			"order_type_id": o.OrderTypeID, "vehicle_type_id": o.VehicleTypeID,
		} {
			filtered := r.numbersOf(t, fmt.Sprintf("%s%s=%d", day, name, id))
			require.Contains(t, filtered, "RICH", name)
			require.Less(t, len(filtered), 61, name)
			require.Empty(t, r.numbersOf(t, fmt.Sprintf("%s%s=%d", day, name, 1<<40)))
		}
	})

	t.Run("EachRelationComesWhenItIsAskedFor", func(t *testing.T) {
		t.Parallel()
		byID := fmt.Sprintf("/v1/orders/%d?loads=", r.rich.OrderID)
		bare := read[object](t, r.get(t, byID))
		relations := apitest.Document(t).Components.Schemas["OrderRelation"].Value.Enum
		require.NotEmpty(t, relations)
		var all []string
		for _, relation := range relations {
			name := relation.(string)
			all = append(all, name)
			loaded := read[object](t, r.get(t, byID+name))
			top, below, nested := strings.Cut(name, ".")
			member := snake(top)
			require.NotContains(t, bare, member)
			require.Contains(t, loaded, member, name)
			if nested {
				for _, element := range loaded[member].([]any) {
					require.Contains(t, element, snake(below), name)
				}
			}
			delete(loaded, member)
			require.Equal(t, bare, loaded, name)
		}
		everything := strings.Join(all, ",")
		byNumber := r.get(t, "/v1/orders/internal/RICH?loads="+everything)
		require.JSONEq(t, string(r.get(t, byID+everything).body), string(byNumber.body))
		list := r.get(t, "/v1/orders?startDate=2026-03-02&endDate=2026-03-02&loads="+everything)
		require.JSONEq(t, "["+string(byNumber.body)+"]", string(list.body))
		r.get(t, days+"&loads="+everything)
	})

	t.Run("AnOrderIsWhatWasImported", func(t *testing.T) {
		t.Parallel()
		o := read[contract.Order](t, r.get(t, "/v1/orders/internal/RICH?loads=Customer,Department,OrderStatus,Skills,OrderLocations.Address,"+
			"OrderLocations.OrderLocationContacts,OrderLocations.Location,OrderProducts.OrderProductSkills"))
		require.Equal(t, "Fjord Møbler AS", o.Customer.MustGet().BusinessName)
		require.Equal(t, "Oslo", o.Department.MustGet().Name)
		require.Equal(t, "F-RICH", o.InternalFreightNumber.MustGet())
		require.Equal(t, "R12", o.RouteNumber.MustGet())
		require.Len(t, *o.Skills, 3)
		stops := *o.OrderLocations
		require.Len(t, stops, 2)
		require.Equal(t, "L-3", stops[0].Location.MustGet().ExternalID.MustGet())
		require.Equal(t, time.Date(2026, 3, 2, 6, 30, 0, 0, time.UTC), stops[0].Earliest.MustGet(), "07:30 in Oslo")
		require.Equal(t, "Kari", (*stops[0].OrderLocationContacts)[0].FirstName.MustGet())
		require.Equal(t, time.Date(2026, 3, 2, 15, 0, 0, 0, time.UTC), stops[1].Latest.MustGet())
		require.Equal(t, "København", stops[1].Address.MustGet().City.MustGet())
		require.Len(t, *stops[1].OrderLocationContacts, 2)
		products := *o.OrderProducts
		require.Len(t, products, 3)
		require.Equal(t, products[0].ID, products[1].ParentID.MustGet())
		require.Equal(t, "370702380000000017", products[2].ParentSscc.MustGet())
		require.Equal(t, "RICH-01", products[2].InstanceNumber.MustGet())
		require.Equal(t, "Two-person delivery", (*products[1].OrderProductSkills)[0].Name)
	})

	t.Run("ProductsDurationAndSkillsOfAnOrder", func(t *testing.T) {
		t.Parallel()
		path := fmt.Sprintf("/v1/orders/%d", r.rich.OrderID)
		products := read[[]contract.OrderProduct](t, r.get(t, path+"/order-products"))
		require.Len(t, products, 3)
		require.Equal(t, products[1], read[contract.OrderProduct](t, r.get(t, fmt.Sprintf("%s/order-products/%d", path, products[1].ID))))
		other := read[contract.Order](t, r.get(t, "/v1/orders/internal/NF-2026-0001"))
		r.expect(t, http.StatusNotFound, http.MethodGet, fmt.Sprintf("/v1/orders/%d/order-products/%d", other.OrderID, products[1].ID), nil)
		require.Equal(t, "PT1H25M", read[contract.OrderDuration](t, r.get(t, path+"/duration")).TotalTime)
		skills := read[contract.OrderSkills](t, r.get(t, path+"/skills"))
		require.Equal(t, []string{"Tail lift", "Two-person delivery"}, []string{skills.RequiredSkills[0].SkillName, skills.RequiredSkills[1].SkillName})
		require.Equal(t, "ADR", skills.ProhibitedSkills[0].SkillName)
	})

	t.Run("CountsByDayAndStatus", func(t *testing.T) {
		t.Parallel()
		for query, count := range map[string]string{
			"": "61", "?startDate=2026-12-09&endDate=2026-12-09": "16", "?orderStatusID=1": "61", "?orderStatusID=8": "0",
			"?startDate=2026-12-08": "47", "?endDate=2026-12-07": "14",
		} {
			require.JSONEq(t, count, string(r.get(t, "/v1/orders/count"+query).body), query)
		}
	})

	t.Run("AnOrderTypeIsFoundByItsName", func(t *testing.T) {
		t.Parallel()
		found := read[contract.OrderTypeLookup](t, r.get(t, "/v2/order-types/search?name=eVening"))
		require.Equal(t, "Evening", found.OrderTypeName)
		require.Equal(t, "18:30", found.PickUpBefore.MustGet())
		require.Equal(t, int32(240), found.MinBookAheadMinutes.MustGet())
		carrier := read[contract.OrderTypeLookup](t, r.get(t, "/v2/order-types/search?name=Carrier"))
		require.True(t, carrier.DeliverBefore.IsNull())
		r.expect(t, http.StatusNotFound, http.MethodGet, "/v2/order-types/search?name=Nope", nil)
	})
}

// snake is a relation's name on the wire.
func snake(name string) string {
	var out strings.Builder
	for i, c := range name {
		if i > 0 && c >= 'A' && c <= 'Z' {
			out.WriteByte('_')
		}
		out.WriteRune(c)
	}
	return strings.ToLower(out.String())
}

func TestSearch(t *testing.T) {
	t.Parallel()
	r := newReading(t)
	search := func(t *testing.T, terms string) contract.OrderSearchResult {
		t.Helper()
		return read[contract.OrderSearchResult](t, r.get(t, "/v1/orders/search?"+terms))
	}

	t.Run("FindsByEveryTerm", func(t *testing.T) {
		t.Parallel()
		for _, terms := range []string{
			"internal_order_number=RICH", "serial_code=" + r.rich.SerialCode, fmt.Sprintf("order_id=%d", r.rich.OrderID),
			"reference=" + url.QueryEscape("po rich"), "shipment_id=f-ric", "location_name=" + url.QueryEscape("café nord"),
			"query=RICH", "query=" + r.rich.SerialCode,
			"query=" + url.QueryEscape("PO RICH"), "query=F-RICH", "query=" + url.QueryEscape("Café Norden"),
		} {
			found := search(t, terms)
			require.Equal(t, int64(1), found.Total, terms)
			require.Equal(t, "RICH", found.Items[0].InternalOrderNumber, terms)
		}
		byID := search(t, fmt.Sprintf("query=%d", r.rich.OrderID)).Items // a reference may contain these digits, too
		require.True(t, slices.ContainsFunc(byID, func(o contract.Order) bool { return o.OrderID == r.rich.OrderID }))
		for _, terms := range []string{"internal_order_number=RIC", "serial_code=WB-9999", "serial_code=nonsense", "query=nonsense", "order_id=999999999"} {
			require.Zero(t, search(t, terms).Total, terms)
		}
	})

	t.Run("AnOrderMatchesAllTerms", func(t *testing.T) {
		t.Parallel()
		require.Equal(t, int64(1), search(t, "reference=RICH&location_name=norden").Total)
		require.Zero(t, search(t, "reference=RICH&location_name=Rodeløkka").Total)
		require.Zero(t, search(t, "internal_order_number=RICH&serial_code=WB-1").Total)
		require.Zero(t, search(t, "internal_order_number=RICH&serial_code=nonsense").Total)
		require.Zero(t, search(t, "query=RICH&location_name=Rodeløkka").Total)
	})

	t.Run("ComesInPagesNewestFirst", func(t *testing.T) {
		t.Parallel()
		var numbers []string
		for page := 1; ; page++ {
			found := search(t, fmt.Sprintf("reference=PO-&limit=25&page=%d", page))
			require.Equal(t, int32(page), found.Page)
			if page == 1 {
				require.Equal(t, "2026-12-11", found.Items[0].Date.String())
			}
			for _, o := range found.Items {
				numbers = append(numbers, o.InternalOrderNumber)
			}
			if page >= int(found.Pages) {
				break
			}
		}
		total := search(t, "reference=PO-&limit=1").Total
		require.Len(t, numbers, int(total))
		slices.Sort(numbers)
		require.Len(t, slices.Compact(numbers), int(total), "no order comes twice")
		beyond := search(t, "reference=PO-&limit=25&page=100")
		require.Empty(t, beyond.Items)
		require.Equal(t, total, beyond.Total, "the total does not depend on the page")
	})
}

func TestPages(t *testing.T) {
	t.Parallel()
	r := newReading(t)
	page := func(t *testing.T, request object) contract.OrderPage {
		t.Helper()
		if request["order_status_ids"] == nil {
			request["order_status_ids"] = []int{1}
		}
		return read[contract.OrderPage](t, r.expect(t, http.StatusOK, http.MethodPost, "/v1/orders/paginated", request))
	}
	days := func(start, end string) object { return object{"start_date": start, "end_date": end} }

	first := page(t, object{"limit": 25})
	require.Equal(t, []int64{61, 1, 3, 25}, []int64{first.Total, int64(first.Page), int64(first.Pages), int64(first.Limit)})
	seen := map[int64]bool{}
	for number := range 3 {
		for _, o := range page(t, object{"limit": 25, "page": number + 1, "sort_by": "created_at"}).Items {
			require.False(t, seen[o.OrderID])
			seen[o.OrderID] = true
		}
	}
	require.Len(t, seen, 61)
	beyond := page(t, object{"limit": 25, "page": 4})
	require.Empty(t, beyond.Items)
	require.Equal(t, int64(61), beyond.Total, "the total does not depend on the page")

	for sort, newest := range map[string]string{"date": "2026-03-02", "-date": "2026-12-11"} {
		require.Equal(t, newest, page(t, object{"sort_by": sort}).Items[0].Date.String(), sort)
	}
	for _, sort := range []string{"order_id", "-order_id", "created_at", "-created_at", "updated_at", "-updated_at"} {
		require.Equal(t, int64(61), page(t, object{"sort_by": sort}).Total, sort)
	}
	require.Equal(t, int64(16), page(t, days("2026-12-09", "2026-12-09")).Total)
	require.Zero(t, page(t, object{"order_status_ids": []int{8}}).Total)
	filters := []object{
		{"order_type_ids": []int64{r.rich.OrderTypeID}},
		{"routes": []string{"R12"}},
		{"group_ids": []int64{one[int64](t, shared, "select id from order_groups where org_id = $1 and name = 'Morning'", r.id)}},
	}
	for _, filter := range filters {
		filtered := page(t, filter)
		require.NotZero(t, filtered.Total, filter)
		require.Less(t, filtered.Total, int64(61), filter)
		narrow := days("2026-03-02", "2026-03-02")
		maps.Copy(narrow, filter)
		require.Equal(t, "RICH", page(t, narrow).Items[0].InternalOrderNumber, filter)
	}
	require.Zero(t, page(t, object{"driver_ids": []int{1}}).Total)
}

func TestPagesOfARouteThatIsANumber(t *testing.T) {
	t.Parallel()
	o := shared.organization(t)
	o.importOrders(t, orders(newOrder("R-12", object{"routeNumber": 12}), newOrder("R-13", object{"routeNumber": "13"})))
	for _, route := range []any{12, "12"} {
		body := object{"order_status_ids": []int{1}, "routes": []any{route}}
		found := read[contract.OrderPage](t, o.expect(t, http.StatusOK, "POST", "/v1/orders/paginated", body))
		require.Equal(t, int64(1), found.Total)
		require.Equal(t, "R-12", found.Items[0].InternalOrderNumber)
	}
	o.requireRefused(t, refusal{
		method: "POST", path: "/v1/orders/paginated", body: object{"order_status_ids": []int{1}, "routes": []any{"1", true}},
		want: http.StatusBadRequest, field: "routes[1]",
	})
	o.requireRefused(t, refusal{
		method: "POST", path: "/v1/orders/paginated", body: object{"order_status_ids": []int{1}, "page": 101, "limit": 1000},
		want: http.StatusBadRequest, field: "page",
	})
}

func TestToday(t *testing.T) {
	t.Parallel()
	o := shared.organization(t)
	oslo, err := time.LoadLocation("Europe/Oslo")
	require.NoError(t, err)
	require.JSONEq(t, "[]", string(o.get(t, "/v1/orders/today").body))
	now := time.Now().In(oslo)
	day := func(days int) object {
		return object{"date": now.AddDate(0, 0, days).Format(time.DateOnly), "delivery": object{"externalId": "T-CPH"}}
	}
	o.importOrders(t, orders(newOrder("YESTERDAY", day(-1)), newOrder("TODAY", day(0)), newOrder("TOMORROW", day(1))))
	today := read[[]contract.Order](t, o.get(t, "/v1/orders/today?loads=OrderStatus"))
	require.Len(t, today, 1)
	require.Equal(t, "TODAY", today[0].InternalOrderNumber)
	require.Equal(t, contract.OrderStatusNameRegistered, today[0].OrderStatus.Name)
}
