package e2e_test

import (
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"waybill/workflows"
)

// provider is a geocoding provider in the format of Photon, which fails some requests first.
type provider struct {
	mu      sync.Mutex
	failing int            // how many requests still fail
	failed  int            // how many have failed
	answers map[string]int // how often each address was answered
	// held is closed to let requests go that came while it was held, and begun tells of each.
	held, begun chan struct{}
}

func (p *provider) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	q := r.URL.Query().Get("q")
	if p.fails() {
		w.WriteHeader(http.StatusServiceUnavailable)
		return
	}
	held, begun := p.answered(q)
	if held != nil {
		begun <- struct{}{}
		<-held // the caller dies with its answer under way
	}
	street, rest, _ := strings.Cut(q, ", ")
	at := strings.LastIndexByte(street, ' ')
	_, _ = fmt.Fprintf(w, `{"type":"FeatureCollection","features":[{"geometry":{"coordinates":[10.75,59.92]},"properties":
		{"type":"house","street":%q,"housenumber":%q,"postcode":%q,"city":"Atlantis","countrycode":"NO"}}]}`,
		street[:at], street[at+1:], rest[:4])
}

func (p *provider) fails() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.failing == 0 {
		return false
	}
	p.failing--
	p.failed++
	return true
}

func (p *provider) answered(q string) (held, begun chan struct{}) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.answers[q]++
	return p.held, p.begun
}

// hold has the next answers wait until they are let go.
func (p *provider) hold() (letGo func()) {
	held := make(chan struct{})
	p.mu.Lock()
	defer p.mu.Unlock()
	p.held, p.begun = held, make(chan struct{}, 100)
	return func() {
		p.mu.Lock()
		p.held = nil
		p.mu.Unlock()
		close(held)
	}
}

func (p *provider) count() (addresses, most, together int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, n := range p.answers {
		together += n
	}
	return len(p.answers), slices.Max(append(slices.Collect(maps.Values(p.answers)), 0)), together
}

// toAtlantis are orders to addresses of their own that no register has.
func toAtlantis(count int) (entries []object) {
	for n := range count {
		entries = append(entries, toPlan(n, object{"delivery": object{
			"name": fmt.Sprintf("Door %d", n), "address": object{
				"address1": fmt.Sprintf("Sea Street %d", n+1), "postalCode": "9999", "city": "Atlantis", "country": "NO",
			},
		}}))
	}
	return entries
}

// TestUnknownAddressesSurviveFaults has a provider fail as often as within an hour, and kills the
// worker twice while an answer is under way.
func TestUnknownAddressesSurviveFaults(t *testing.T) {
	t.Parallel()
	const addresses, failures, kills = 1000, 120, 2
	p := &provider{failing: failures, answers: map[string]int{}}
	server := httptest.NewServer(p)
	t.Cleanup(server.Close)
	i := install(t, "serve")
	settings := []string{
		"WAYBILL_GEOCODER_URL=photon+" + server.URL, "WAYBILL_GEOCODER_RATE=1000", "WAYBILL_GEOCODER_PAUSE=10ms",
		"WAYBILL_PLANNING_DAYS=0", // nobody has to plan them
	}
	require.NoError(t, i.startAs("work0", "work", settings...))
	o := i.organization(t)
	entries := toAtlantis(addresses)
	letGo := p.hold()
	require.Equal(t, map[string]int{"orderCreated": addresses}, kinds(o.importOrders(t, orders(entries...))))
	for kill := range kills {
		<-p.begun
		i.kill(fmt.Sprintf("work%d", kill))
		letGo()
		if kill+1 < kills {
			letGo = p.hold()
		}
		require.NoError(t, i.startAs(fmt.Sprintf("work%d", kill+1), "work", settings...))
	}
	o.planned(t, "each address is placed", `select count(*) = $2 from order_stops s where s.org_id = $1
		and s.kind = 'delivery' and s.position ->> 'source' = 'PROVIDER' and s.position ->> 'precision' = 'POINT'`, addresses)
	asked, most, together := p.count()
	require.Equal(t, addresses, asked)
	require.LessOrEqual(t, most, 2, "each at most once more than needed")
	require.LessOrEqual(t, together, addresses+kills, "only what a dead worker had under way is asked for again")
	require.Equal(t, failures, p.failed)
	eventually(t, "the workflow ends", func() bool {
		d, err := o.temporalClient(t).DescribeWorkflowExecution(t.Context(), workflows.PlacesID(o.slug), "")
		return err == nil && d.GetWorkflowExecutionInfo().GetCloseTime() != nil
	})
}
