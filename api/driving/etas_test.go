package driving_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/api/contract"
)

// eta returns the order's ETA at a stop, in minutes from now.
func (d depot) eta(id int64, stop int) float64 {
	d.T.Helper()
	w := d.Send(http.MethodGet, fmt.Sprintf("/v1/orders/%d?loads=OrderLocations", id), "", "Authorization", d.dispatcher)
	require.Equal(d.T, http.StatusOK, w.Code, w.Body)
	var order contract.Order
	require.NoError(d.T, json.Unmarshal(w.Body.Bytes(), &order))
	return time.Until((*order.OrderLocations)[stop].Eta.MustGet()).Minutes()
}

func TestETAsFollowTheDriver(t *testing.T) {
	t.Parallel()
	d := newDepot(t)
	nora := d.phone("Nora")
	id, pickup, delivery := nora.give("A-1")
	nora.plan(id, time.Now().UTC().Truncate(24*time.Hour))
	d.exec(`insert into tracking_links (org_id, code, order_id, stop_id, link, expires_at)
		select $1, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', $2, $3, '', now() + interval '1 day'`, id, delivery)
	page := func() string {
		return d.Send(http.MethodGet, "/t/ABCDEFGHIJKLMNOPQRSTUVWXYZ", "", "Accept-Language", "en").Body.String()
	}
	told := func() string {
		return d.Text(`select coalesce(string_agg(concat_ws(' ', kind, order_status_id, data ? 'delivery', product_ids), ', '
			order by id), '') from events where org_id = $1 and kind = 'order.eta_changed'`)
	}
	require.InDelta(t, 60, d.eta(id, 1), 1, "the plan's")
	require.Contains(t, page(), "Expected")

	nora.says(nora.did("START_ROUTE", 0, minute), nora.did("ARRIVE", pickup, 30*time.Second))
	require.Contains(t, page(), "1 stop before yours")
	nora.says(nora.did("PICK_UP", pickup, 0))
	require.InDelta(t, 5, d.eta(id, 1), 1, "the way there takes five minutes")
	require.Equal(t, "order.eta_changed 3 t {}", told(), "once: what moves by seconds is no news")
	require.NotContains(t, page(), "km away", "nobody knows where she is")

	at := object{"at": time.Now().Add(time.Second), "latitude": 59.99, "longitude": 10.7}
	w := nora.ask(http.MethodPost, "/v1/driver/positions", object{"positions": []object{at}})
	require.Equal(t, http.StatusOK, w.Code, w.Body)
	require.InDelta(t, 26, d.eta(id, 1), 1.5, "ten kilometres, at the speed of the plan")
	require.Contains(t, page(), "You are next. The driver is 10.0 km away.")
	var tracked contract.TrackedStop
	read := d.Send(http.MethodGet, "/t/ABCDEFGHIJKLMNOPQRSTUVWXYZ", "", "Accept", "application/json")
	require.NoError(t, json.Unmarshal(read.Body.Bytes(), &tracked), read.Body)
	require.InDelta(t, 26, time.Until(*tracked.Eta).Minutes(), 1.5, "a program learns what the page shows")
	require.Zero(t, *tracked.StopsBefore)
	require.InDelta(t, 10_000, *tracked.DistanceMeters, 100)
	require.Equal(t, "order.eta_changed 3 t {}, order.eta_changed 4 t {}", told())
	route, _ := nora.route(time.Now().UTC().Truncate(24 * time.Hour))
	require.InDelta(t, 26, time.Until(route.Stops[1].Eta.MustGet()).Minutes(), 1.5)

	d.exec("update events set position = id where org_id = $1 and position is null")
	w = d.Send(http.MethodGet, "/v2/orders/summary/orderstatusfeed", "", "Authorization", d.dispatcher)
	var feed contract.OrderStatusFeed
	require.NoError(t, json.Unmarshal(w.Body.Bytes(), &feed))
	last := feed.Items[len(feed.Items)-1]
	require.InDelta(t, 26, time.Until(*last.Eta).Minutes(), 1.5)

	nora.says(nora.did("ARRIVE", delivery, 0))
	require.NotContains(t, page(), "Expected", "she is there")
}
