package tracking_test

import (
	"encoding/json"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/api"
	"waybill/api/apitest"
	"waybill/api/contract"
	"waybill/domain/driving"
	"waybill/operations/operationstest"
)

// The codes of the links of the tests: codes[i] is of the delivery of the i-th order.
var codes = []string{"AAAAAAAAAAAAAAAAAAAAAAAAA2", "BBBBBBBBBBBBBBBBBBBBBBBBB2", "CCCCCCCCCCCCCCCCCCCCCCCCC2"}

// pickupCode is the code of the link to the first order's pickup.
const pickupCode = "PPPPPPPPPPPPPPPPPPPPPPPPP2"

// street is a day on the road that recipients follow.
type street struct {
	*operationstest.Road

	web *apitest.Bundle
}

func newStreet(t *testing.T) street {
	t.Helper()
	r := operationstest.NewRoad(t)
	s := street{Road: r, web: apitest.New(t, func(c *api.Config, d *api.Dependencies) {
		d.Store, d.Operations, d.Now = r.Store, r.Operations, func() time.Time { return r.Now }
		c.PublicURL = "https://waybill.example"
	})}
	for i, code := range codes {
		s.link(code, operationstest.Numbered(i), "delivery")
	}
	s.link(pickupCode, operationstest.Numbered(0), "pickup")
	return s
}

// link makes a link to a stop, whose code is known.
func (s street) link(code, number, kind string) {
	s.Do(`insert into tracking_links (org_id, code, order_id, stop_id, link, number, expires_at)
		select o.org_id, $2::text, o.id, s.id, 'https://waybill.example/t/' || $2::text, $3::text, now() + interval '1 day'
		from orders o join order_stops s on s.org_id = o.org_id and s.order_id = o.id and s.kind = $4
		where o.org_id = $1 and o.number = $3::text`, s.Org, code, number, kind)
}

// page reads the page of a code; headers are in pairs.
func (s street) page(code string, headers ...string) string {
	s.T.Helper()
	w := s.web.Send(http.MethodGet, "/t/"+code, "", append([]string{"Accept", "text/html"}, headers...)...)
	require.Equal(s.T, http.StatusOK, w.Code, w.Body)
	return w.Body.String()
}

// told reads what a program learns of a code.
func (s street) told(code string) (stop contract.TrackedStop) {
	s.T.Helper()
	w := s.web.Send(http.MethodGet, "/t/"+code, "", "Accept", "application/json")
	require.Equal(s.T, http.StatusOK, w.Code, w.Body)
	require.NoError(s.T, json.Unmarshal(w.Body.Bytes(), &stop))
	return stop
}

// both is all that the holder of a code can learn.
func (s street) both(code string) string {
	s.T.Helper()
	text, err := json.Marshal(s.told(code))
	require.NoError(s.T, err)
	return s.page(code) + string(text)
}

// collected has Nora on her way to the deliveries, with everything picked up.
func (s street) collected() {
	s.T.Helper()
	s.Says(driving.StartRoute, 0)
	for i := range 3 {
		s.Now = s.Now.Add(time.Minute)
		s.Says(driving.PickUp, s.Stops[i].ID)
	}
}

// order is the index of the order that is delivered as the i-th.
func (s street) order(i int) int {
	s.T.Helper()
	number := operationstest.One[string](s.Office, "select number from orders where id = $1", s.Stops[3+i].OrderID)
	for j := range codes {
		if operationstest.Numbered(j) == number {
			return j
		}
	}
	require.FailNow(s.T, "unknown order", number)
	return 0
}

// seen has Nora's phone report her position some time ago.
func (s street) seen(latitude, longitude float64, ago time.Duration) {
	s.Do(`insert into driver_whereabouts (org_id, driver_id, on_duty, latitude, longitude, at)
		values ($1, $2, true, $3, $4, now() - make_interval(secs => $5))
		on conflict (org_id, driver_id) do update set on_duty = true, latitude = $3, longitude = $4, at = excluded.at`,
		s.Org, s.Nora, latitude, longitude, ago.Seconds())
}

// settings sets how the organization shows itself.
func (s street) settings(page string) {
	s.Do("update organizations set recipient_page = $2::jsonb where id = $1", s.Org, page)
}
