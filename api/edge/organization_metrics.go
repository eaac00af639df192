package edge

import (
	"cmp"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

// organizationRequests counts the requests of organizations in the last minutes, and shows the
// busiest and all others together, so that the number of series is bounded.
type organizationRequests struct {
	now               func() time.Time
	requests, seconds *prometheus.Desc

	mu sync.Mutex
	// minutes are the last ones, each with the minute that it counts.
	minutes [requestMinutes]requestMinute
}

// requestMinutes is for how many minutes requests are counted.
const requestMinutes = 10

// busiestOrganizations is how many organizations have their own metrics; the rest is combined as
// others.
const (
	busiestOrganizations = 10
	others               = "(others)"
)

type requestMinute struct {
	minute int64
	of     map[int64]requestShare
}

// requestShare is the load of an organization: its requests, and the time spent on them.
type requestShare struct {
	org      int64
	requests int
	took     time.Duration
}

func newOrganizationRequests(now func() time.Time) *organizationRequests {
	return &organizationRequests{
		now: now,
		requests: prometheus.NewDesc("waybill_organization_requests",
			"Requests of the busiest organizations in the last ten minutes, and of the others.", []string{"org_id"}, nil),
		seconds: prometheus.NewDesc("waybill_organization_request_seconds",
			"How long the answers to these requests took together.", []string{"org_id"}, nil),
	}
}

// count counts a request.
func (o *organizationRequests) count(org int64, took time.Duration) {
	minute := o.now().Unix() / 60
	o.mu.Lock()
	defer o.mu.Unlock()
	m := &o.minutes[minute%requestMinutes]
	if m.minute != minute {
		*m = requestMinute{minute: minute, of: map[int64]requestShare{}}
	}
	m.of[org] = m.of[org].with(requestShare{org, 1, took})
}

func (s requestShare) with(other requestShare) requestShare {
	return requestShare{other.org, s.requests + other.requests, s.took + other.took}
}

// Describe describes both gauges.
func (o *organizationRequests) Describe(to chan<- *prometheus.Desc) {
	to <- o.requests
	to <- o.seconds
}

// Collect shows the organizations whose answers took longest.
func (o *organizationRequests) Collect(to chan<- prometheus.Metric) {
	for i, s := range o.shares() {
		label := strconv.FormatInt(s.org, 10)
		if i == busiestOrganizations {
			label = others
		}
		to <- prometheus.MustNewConstMetric(o.requests, prometheus.GaugeValue, float64(s.requests), label)
		to <- prometheus.MustNewConstMetric(o.seconds, prometheus.GaugeValue, s.took.Seconds(), label)
	}
}

// shares adds up the last minutes, sorted by time spent. Those after the busiest are combined.
func (o *organizationRequests) shares() []requestShare {
	minute := o.now().Unix() / 60
	sums := map[int64]requestShare{}
	o.mu.Lock()
	for i := range o.minutes {
		if o.minutes[i].minute <= minute-requestMinutes {
			continue
		}
		for org, s := range o.minutes[i].of {
			sums[org] = sums[org].with(s)
		}
	}
	o.mu.Unlock()
	all := make([]requestShare, 0, len(sums))
	for _, s := range sums {
		all = append(all, s)
	}
	slices.SortFunc(all, func(a, b requestShare) int {
		return cmp.Or(cmp.Compare(b.took, a.took), cmp.Compare(a.org, b.org))
	})
	for len(all) > busiestOrganizations+1 {
		last := len(all) - 1
		all[last-1], all = all[last-1].with(all[last]), all[:last]
	}
	return all
}
