package e2e_test

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.temporal.io/api/enums/v1"
	"go.temporal.io/sdk/client"

	"waybill/api/apitest"
	"waybill/api/contract"
	"waybill/workflows"
)

// newTemplate is a valid template that begins today, with changes.
func newTemplate(edits ...object) object {
	order := newOrder("", object{"externalId": nil, "date": nil, "delivery": object{
		"name": "Ola Hansen", "earliest": "2026-03-02T11:00:00Z", "latest": "2026-03-02T15:00:00Z",
		"address": object{"address1": "Thorvald Meyers gate 40", "postalCode": "0555", "city": "Oslo", "country": "NO"},
	}})
	template := object{
		"name": "Chairs", "orderTemplate": order, "rruleset": "FREQ=DAILY", "daysToGenerateAhead": 6,
		"startDate": today().Add(9 * time.Hour).UTC().Format(time.RFC3339),
	}
	for _, edit := range edits {
		for name, value := range edit {
			template[name] = value
		}
	}
	return template
}

// today is the midnight in Oslo that has just been.
func today() time.Time {
	oslo, err := time.LoadLocation("Europe/Oslo")
	if err != nil {
		panic(err)
	}
	now := time.Now().In(oslo)
	return time.Date(now.Year(), now.Month(), now.Day(), 0, 0, 0, 0, oslo)
}

func day(n int) string { return today().AddDate(0, 0, n).Format(time.DateOnly) }

func (o *organization) createTemplate(t *testing.T, edits ...object) contract.RecurringOrder {
	t.Helper()
	return read[contract.RecurringOrder](t, o.expect(t, http.StatusCreated, http.MethodPost, "/v1/recurring_orders", newTemplate(edits...)))
}

func templatePath(id int64) string { return fmt.Sprintf("/v1/recurring_orders/%d", id) }

func (o *organization) change(t *testing.T, id int64, change object) contract.RecurringOrder {
	t.Helper()
	return read[contract.RecurringOrder](t, o.expect(t, http.StatusOK, http.MethodPut, templatePath(id), change))
}

// generated are the numbers, days and statuses of a template's orders.
func (o *organization) generated(t *testing.T, id int64) []string {
	t.Helper()
	return list(t, o.installation, `
		select o.date || ' ' || s.name || coalesce(' ' || o.reference, '') from recurring_occurrences c
		join orders o on o.org_id = c.org_id and o.number = c.number join order_statuses s on s.id = o.status_id
		where c.org_id = $1 and c.recurring_order_id = $2 order by o.date, o.number`, o.id, id)
}

func (o *organization) awaitGenerated(t *testing.T, id int64, want []string) {
	t.Helper()
	eventually(t, fmt.Sprintf("the orders are %v", want), func() bool {
		return strings.Join(o.generated(t, id), ",") == strings.Join(want, ",")
	})
}

func days(from, to int, suffix string) []string {
	var all []string
	for n := from; n <= to; n++ {
		all = append(all, day(n)+" "+suffix)
	}
	return all
}

const registered = "registered PO "

func TestRecurringOrderGenerates(t *testing.T) {
	t.Parallel()
	o := shared.organization(t)
	created := o.createTemplate(t)
	require.Equal(t, "RRULE:FREQ=DAILY", created.Rruleset)
	require.True(t, created.IsActive)
	require.NotNil(t, created.GenerationStats)
	require.Positive(t, created.CustomerID)
	require.Positive(t, created.DeliveryLocationID)
	o.awaitGenerated(t, created.RecurringOrderID, days(0, 6, registered))

	first := read[contract.Order](t, o.get(t, fmt.Sprintf("/v1/orders/internal/recurring-%d-%s?loads=OrderLocations", created.RecurringOrderID, today().Format("20060102")+"T0900")))
	earliest := (*first.OrderLocations)[1].Earliest.MustGet()
	require.Equal(t, day(0)+" 12:00", earliest.In(today().Location()).Format("2006-01-02 15:04"), "fixed times move with the day")
	stats := read[contract.RecurringOrder](t, o.get(t, templatePath(created.RecurringOrderID))).GenerationStats
	require.Equal(t, int64(7), stats.GeneratedCount)
	require.Equal(t, day(6), stats.GeneratedThrough.MustGet().String())
	require.True(t, stats.NextRunAt.MustGet().Equal(today().AddDate(0, 0, 1)))

	page := read[contract.RecurringOrderList](t, o.get(t, "/v1/recurring_orders?isActive=true&limit=1&startDateFrom=2020-01-01T00:00:00Z"))
	require.Equal(t, int64(1), page.Total)
	require.Empty(t, read[contract.RecurringOrderList](t, o.get(t, "/v1/recurring_orders?customerId=999999999")).RecurringOrders)
	require.Equal(t, int64(1), read[contract.RecurringOrderList](t, o.get(t, "/v1/recurring_orders?offset=5")).Total)
}

func TestRecurringOrderFollowsItsChanges(t *testing.T) {
	t.Parallel()
	o := shared.organization(t)
	id := o.createTemplate(t).RecurringOrderID
	o.awaitGenerated(t, id, days(0, 6, registered))
	number := func(n int) string {
		return fmt.Sprintf("recurring-%d-%sT0900", id, today().AddDate(0, 0, n).Format("20060102"))
	}

	// Without the flag the change applies only to future orders.
	order := newTemplate()["orderTemplate"].(object)
	order["reference"] = "new"
	o.change(t, id, object{"orderTemplate": order, "daysToGenerateAhead": 7})
	o.awaitGenerated(t, id, append(days(0, 6, registered), day(7)+" registered new"))

	// One is cancelled by hand, one is begun, one is edited.
	o.expect(t, http.StatusNoContent, http.MethodDelete, "/v1/import/orders/"+number(1), nil)
	_, err := o.admin.Exec(t.Context(), "update orders set status_id = 3 where org_id = $1 and number = $2", o.id, number(2))
	require.NoError(t, err)
	require.NotNil(t, o.importOrders(t, orders(newOrder(number(3), object{"date": day(3), "reference": "by hand"})))[0].OrderUpdated)

	change := object{"rruleset": "FREQ=DAILY\nEXDATE;VALUE=DATE:" + strings.ReplaceAll(day(5), "-", ""), "updateExistingOrders": true}
	preview := read[contract.RecurringOrderUpdatePreview](t, o.expect(t, http.StatusOK, http.MethodPost, templatePath(id)+"/preview-update", change))
	require.Empty(t, preview.Create)
	require.Equal(t, []string{number(0), number(4), number(6)}, numbersOf(preview.Change))
	require.Equal(t, []string{number(5)}, numbersOf(preview.Cancel))
	require.Len(t, preview.Protect, 3)
	for i, reason := range []string{"CANCELLED", "STARTED", "EDITED"} {
		require.Equal(t, reason, string(preview.Protect[i].Reason))
		require.Equal(t, number(i+1), preview.Protect[i].ExternalID)
	}
	require.Equal(t, append(days(0, 0, registered), day(1)+" cancelled PO "), o.generated(t, id)[:2], "a preview changes nothing")

	o.change(t, id, change)
	o.awaitGenerated(t, id, []string{
		day(0) + " registered new", day(1) + " cancelled PO ", day(2) + " at_pickup PO ", day(3) + " registered by hand",
		day(4) + " registered new", day(5) + " cancelled PO ", day(6) + " registered new", day(7) + " registered new",
	})

	// Restoring the rule reactivates orders that a change had cancelled, but
	// not those cancelled by hand.
	o.change(t, id, object{"rruleset": "FREQ=DAILY", "updateExistingOrders": true})
	o.awaitGenerated(t, id, []string{
		day(0) + " registered new", day(1) + " cancelled PO ", day(2) + " at_pickup PO ", day(3) + " registered by hand",
		day(4) + " registered new", day(5) + " registered new", day(6) + " registered new", day(7) + " registered new",
	})
	require.Equal(t, []string{"registered", "cancelled", "registered"}, statuses(t, o, number(5)))
}

func numbersOf(list []contract.GeneratedOrder) []string {
	numbers := make([]string, len(list))
	for i, g := range list {
		numbers[i] = g.ExternalID
	}
	return numbers
}

func TestRecurringOrderEndsAndBeginsAgain(t *testing.T) {
	t.Parallel()
	o := shared.organization(t)
	end := today().AddDate(0, 0, 2).UTC().Format(time.RFC3339)
	id := o.createTemplate(t, object{"endDate": end}).RecurringOrderID
	o.awaitGenerated(t, id, days(0, 2, registered))
	o.awaitClosed(t, id)

	changed := o.change(t, id, object{"name": "Longer"})
	require.False(t, changed.EndDate.IsNull(), "what is absent stays")
	require.True(t, o.change(t, id, object{"endDate": nil}).EndDate.IsNull())
	o.awaitGenerated(t, id, days(0, 6, registered))

	o.expect(t, http.StatusNoContent, http.MethodDelete, templatePath(id), nil)
	o.expect(t, http.StatusNoContent, http.MethodDelete, templatePath(id), nil)
	inactive := read[contract.RecurringOrder](t, o.get(t, templatePath(id)))
	require.False(t, inactive.IsActive)
	require.Nil(t, inactive.GenerationStats)
	o.awaitClosed(t, id)
	require.Len(t, o.generated(t, id), 7, "its orders stay")

	o.change(t, id, object{"isActive": true, "daysToGenerateAhead": 8})
	o.awaitGenerated(t, id, days(0, 8, registered))
}

// temporalClient reaches the server as an operator does.
func (i *installation) temporalClient(t *testing.T) client.Client {
	t.Helper()
	c, err := client.Dial(client.Options{HostPort: i.temporal.Address(), Namespace: i.temporal.Namespace()})
	require.NoError(t, err)
	t.Cleanup(c.Close)
	return c
}

func (o *organization) awaitClosed(t *testing.T, id int64) {
	t.Helper()
	c := o.temporalClient(t)
	eventually(t, "the workflow of the template ends", func() bool {
		d, err := c.DescribeWorkflowExecution(t.Context(), workflows.RecurringOrderID(o.slug, id), "")
		return err == nil && d.GetWorkflowExecutionInfo().GetStatus() == enums.WORKFLOW_EXECUTION_STATUS_COMPLETED
	})
}

func TestRecurringOrderIsPausedBySignal(t *testing.T) {
	t.Parallel()
	o := shared.organization(t)
	id := o.createTemplate(t).RecurringOrderID
	o.awaitGenerated(t, id, days(0, 6, registered))
	c := o.temporalClient(t)
	paused := func() bool { return read[contract.RecurringOrder](t, o.get(t, templatePath(id))).IsPaused }
	signal := func(name string) {
		require.NoError(t, c.SignalWorkflow(t.Context(), workflows.RecurringOrderID(o.slug, id), "", name, nil))
	}
	signal(workflows.PauseSignal)
	eventually(t, "the template is paused", paused)
	o.change(t, id, object{"daysToGenerateAhead": 9})
	eventually(t, "the workflow says so", func() bool {
		answer, err := c.QueryWorkflow(t.Context(), workflows.RecurringOrderID(o.slug, id), "", workflows.StatusQuery)
		require.NoError(t, err)
		var status workflows.RecurringStatus
		require.NoError(t, answer.Get(&status))
		return status.State == "PAUSED"
	})
	require.Len(t, o.generated(t, id), 7)
	signal(workflows.ResumeSignal)
	o.awaitGenerated(t, id, days(0, 9, registered))
	require.False(t, paused())
}

func TestMissingMasterDataCausesDrafts(t *testing.T) {
	t.Parallel()
	o := shared.organization(t)
	id := o.createTemplate(t, object{"daysToGenerateAhead": 0}).RecurringOrderID
	o.awaitGenerated(t, id, days(0, 0, registered))
	_, err := o.admin.Exec(t.Context(), "update customers set is_active = false where org_id = $1 and external_id = 'C-100'", o.id)
	require.NoError(t, err)
	o.change(t, id, object{"daysToGenerateAhead": 3})
	eventually(t, "the drafts are counted", func() bool {
		stats := read[contract.RecurringOrder](t, o.get(t, templatePath(id))).GenerationStats
		return stats.DraftCount == 3 && stats.GeneratedCount == 1 && !stats.LastError.IsNull() && stats.LastError.MustGet() == "CUSTOMER_NOT_FOUND_CODE"
	})

	_, err = o.admin.Exec(t.Context(), "update customers set is_active = true where org_id = $1", o.id)
	require.NoError(t, err)
	o.change(t, id, object{"updateExistingOrders": true})
	o.awaitGenerated(t, id, days(0, 3, registered))
}

func TestLocationsInUseAreKept(t *testing.T) {
	t.Parallel()
	o := shared.organization(t)
	created := o.createTemplate(t)
	o.awaitGenerated(t, created.RecurringOrderID, days(0, 6, registered))
	path := fmt.Sprintf("/v1/locations/%d", created.PickupLocationID)
	for language, want := range map[string]string{"en": "1 active recurring order ", "nb": "1 aktiv gjentakende ordre", "da": "1 aktiv tilbagevendende ordre"} {
		a := o.expect(t, http.StatusBadRequest, http.MethodDelete, path, nil, "Accept-Language", language)
		require.Contains(t, apitest.Status(t, a.body).Message, want)
	}
	o.createTemplate(t)
	a := o.expect(t, http.StatusBadRequest, http.MethodDelete, path, nil)
	require.Contains(t, apitest.Status(t, a.body).Message, "2 active recurring orders")

	for _, r := range read[contract.RecurringOrderList](t, o.get(t, "/v1/recurring_orders")).RecurringOrders {
		o.expect(t, http.StatusNoContent, http.MethodDelete, templatePath(r.RecurringOrderID), nil)
	}
	total := read[contract.LocationPage](t, o.get(t, "/v1/locations")).Total
	o.expect(t, http.StatusNoContent, http.MethodDelete, path, nil)
	o.expect(t, http.StatusNotFound, http.MethodGet, path, nil)
	o.expect(t, http.StatusNotFound, http.MethodDelete, path, nil)
	require.Equal(t, total-1, read[contract.LocationPage](t, o.get(t, "/v1/locations?limit=2&page=2")).Total)
	require.Equal(t, "T-OSL", one[string](t, o.installation, `
		select l.external_id from order_stops s join locations l on l.org_id = s.org_id and l.id = s.location_id
		where s.org_id = $1 and s.kind = 'pickup' limit 1`, o.id), "its orders keep it")
	require.NotNil(t, o.importOrders(t, orders(newOrder("GONE")))[0].DraftCreated, "imports no longer find it")

	// Activating a template with a deleted location creates drafts.
	o.change(t, created.RecurringOrderID, object{"isActive": true, "daysToGenerateAhead": 7})
	eventually(t, "the new day is a draft", func() bool {
		return read[contract.RecurringOrder](t, o.get(t, templatePath(created.RecurringOrderID))).GenerationStats.DraftCount == 1
	})
}

func TestCustomersAreFound(t *testing.T) {
	t.Parallel()
	o := shared.organization(t)
	require.Equal(t, int64(6), read[contract.CustomerPage](t, o.get(t, "/v1/customers?limit=2")).Total)
	found := read[contract.CustomerPage](t, o.get(t, "/v1/customers/search?query=FJORD"))
	require.Len(t, found.Items, 1)
	require.Equal(t, "C-100", found.Items[0].ExternalID.MustGet())
	require.Equal(t, found.Items[0], read[contract.Customer](t, o.get(t, fmt.Sprintf("/v1/customers/%d", found.Items[0].CustomerID))))
	require.Len(t, read[contract.CustomerPage](t, o.get(t, "/v1/customers/search?external_id=C-101&business_name=sport")).Items, 1)
	require.Empty(t, read[contract.CustomerPage](t, o.get(t, "/v1/customers/search?external_id=C-10")).Items)
	o.expect(t, http.StatusBadRequest, http.MethodGet, "/v1/customers/search", nil)
}

func TestRecurrencePreview(t *testing.T) {
	t.Parallel()
	o := shared.organization(t)
	before := o.rowCounts(t)
	preview := read[contract.RecurringOrderPreview](t, o.expect(t, http.StatusOK, http.MethodPost, "/v1/recurring_orders/preview", object{
		"rruleset": "freq=daily", "startDate": "2027-03-27T23:30:00Z", "endDate": "2027-03-29T00:00:00Z",
	}))
	require.Equal(t, "RRULE:FREQ=DAILY", preview.Rruleset)
	var found []string
	for _, occurrence := range preview.Occurrences {
		found = append(found, occurrence.At.UTC().Format(time.RFC3339)+" "+occurrence.Date.String())
	}
	require.Equal(t, []string{"2027-03-27T23:30:00Z 2027-03-28", "2027-03-28T22:30:00Z 2027-03-29"}, found)
	require.Len(t, read[contract.RecurringOrderPreview](t, o.expect(t, http.StatusOK, http.MethodPost, "/v1/recurring_orders/preview", object{
		"rruleset": "FREQ=HOURLY", "startDate": "2027-01-01T00:00:00Z", "limit": 1000,
	})).Occurrences, 1000)
	require.Equal(t, before, o.rowCounts(t))
}

// TestTemplatesMoveWithTheTimeZone moves an organization between zones that
// always have different days: Kiritimati and Niue are 25 hours apart. The
// template sleeps, and nothing but the zone changes.
func TestTemplatesMoveWithTheTimeZone(t *testing.T) {
	t.Parallel()
	o := shared.organization(t)
	zoneIs := func(name string) *time.Location {
		zone, err := time.LoadLocation(name)
		require.NoError(t, err)
		slug := one[string](t, o.installation, "select slug from organizations where id = $1", o.id)
		file := filepath.Join(t.TempDir(), "organization.yaml")
		text := fmt.Sprintf("organization: {slug: %s, name: Org, timezone: %s}\n", slug, name)
		require.NoError(t, os.WriteFile(file, []byte(text), 0o600))
		_, err = o.command(t.Context(), "apply", "-f", file)
		require.NoError(t, err)
		return zone
	}
	west := zoneIs("Pacific/Niue")
	id := o.createTemplate(t, object{"daysToGenerateAhead": 3, "startDate": "2026-01-01T00:00:00Z"}).RecurringOrderID
	through := func() contract.RecurringOrder { return read[contract.RecurringOrder](t, o.get(t, templatePath(id))) }
	generated := func(zone *time.Location) func() bool {
		return func() bool {
			stats := through().GenerationStats
			if stats.GeneratedThrough.IsNull() || stats.NextRunAt.IsNull() {
				return false
			}
			now := time.Now().In(zone)
			midnight := time.Date(now.Year(), now.Month(), now.Day()+1, 0, 0, 0, 0, zone)
			return stats.GeneratedThrough.MustGet().String() == now.AddDate(0, 0, 3).Format(time.DateOnly) &&
				stats.NextRunAt.MustGet().Equal(midnight)
		}
	}
	eventually(t, "there are orders for the days of the west", generated(west))
	before := through()
	eventually(t, "there are orders for the days of the east", generated(zoneIs("Pacific/Kiritimati")))
	require.Equal(t, before.UpdatedAt, through().UpdatedAt, "nobody changed the template")
	require.Equal(t, []string{"organization.timezone_changed"}, list(t, o.installation, `
		select kind from events where org_id = $1 and kind = 'organization.timezone_changed' and data ->> 'to' = 'Pacific/Kiritimati'`, o.id))
}
