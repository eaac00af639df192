package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
	"time"

	"golang.org/x/sync/errgroup"
)

const (
	// neighborTarget is how much longer nearly all small imports and reads may take
	// while another organization does its worst.
	neighborTarget = 3
	// neighborRate is how many requests a second a key may send, the default of the
	// program. The servers of the bench have no limit, so the bench keeps to it.
	neighborRate = 10
	neighborFor  = 15 * time.Second
	// neighborPause is the pause between two measured requests.
	neighborPause = 20 * time.Millisecond
	// heavyOrders is how many orders the worst imports and previews have.
	heavyOrders = 10_000
	// worstList has everything about all orders.
	worstList = "/v1/orders?startDate=2020-01-01&endDate=2199-01-01&" +
		"loads=Customer,Stops,OrderProducts,OrderLocations.Address"
)

// measureNeighbors has one organization import single orders and read them,
// first alone, and then while another one sends the heaviest requests as often
// as it may.
func measureNeighbors(ctx context.Context, s *site) ([]result, error) {
	worst, _, err := s.readable(ctx)
	if err != nil {
		return nil, err
	}
	org, err := s.newOrganization(ctx, "neighbors")
	if err != nil {
		return nil, err
	}
	ids, err := s.importToPlan(ctx, org, "N", 20)
	if err != nil {
		return nil, err
	}
	quiet, err := s.small(ctx, org, ids, "Q")
	if err != nil {
		return nil, err
	}
	var busy latencies
	err = s.doItsWorst(ctx, worst, func(ctx context.Context) (err error) {
		busy, err = s.small(ctx, org, ids, "B")
		return err
	})
	if err != nil {
		return nil, err
	}
	note("a small import: %.1f ms, next to the neighbor %.1f ms; a read: %.1f ms, %.1f ms (of 20 the slowest)",
		quiet.imports, busy.imports, quiet.reads, busy.reads)
	return []result{
		atMost(neighborTarget, "import of one order next to a busy neighbor (p95)", "ms",
			busy.imports, quiet.imports, busy.imports/quiet.imports),
		atMost(neighborTarget, "GET of one order next to a busy neighbor (p95)", "ms",
			busy.reads, quiet.reads, busy.reads/quiet.reads),
	}, nil
}

// latencies are how long nearly all requests of a kind take, in milliseconds.
type latencies struct{ imports, reads float64 }

// small imports an order and reads one, again and again.
func (s *site) small(ctx context.Context, org *organization, ids []int64, prefix string) (latencies, error) {
	var imports, reads []float64
	end := time.Now().Add(neighborFor)
	for i := 0; time.Now().Before(end); i++ {
		body, err := importBody(fmt.Sprintf("%s%d", prefix, i), 1, first)
		if err != nil {
			return latencies{}, err
		}
		for _, one := range []struct {
			took *[]float64
			request
		}{
			{&imports, request{url: s.url + "/v3/orders/import", key: org.key, body: body}},
			{&reads, request{url: fmt.Sprintf("%s/v1/orders/%d", s.url, ids[rand.IntN(len(ids))]), key: org.key}},
		} {
			took, err := timed(func() error {
				_, err := s.call(ctx, one.request)
				return err
			})
			if err != nil {
				return latencies{}, err
			}
			*one.took = append(*one.took, took)
			time.Sleep(neighborPause)
		}
	}
	return latencies{imports: quantile(imports, 0.95), reads: quantile(reads, 0.95)}, nil
}

// doItsWorst sends the heaviest requests of an organization at its key's limit
// during another task, regardless of the responses.
func (s *site) doItsWorst(ctx context.Context, org *organization, meanwhile func(context.Context) error) error {
	bulk, err := importBody("W", min(heavyOrders, s.sizes.Orders), changed)
	if err != nil {
		return err
	}
	heaviest := []request{
		{url: s.url + worstList, key: org.key},
		{url: s.url + "/v3/orders/import?validateOnly=true", key: org.key, body: bulk},
		{url: s.url + "/v3/orders/import", key: org.key, body: bulk},
		{url: s.url + "/v1/orders/search?query=a&limit=100", key: org.key},
	}
	sending, stop := context.WithCancel(ctx)
	var group errgroup.Group
	group.Go(func() error {
		for i := 0; sending.Err() == nil; i++ {
			group.Go(func() error {
				_, _ = s.call(sending, heaviest[i%len(heaviest)])
				return nil
			})
			time.Sleep(time.Second / neighborRate)
		}
		return nil
	})
	time.Sleep(neighborFor / 3) // until all is busy
	err = meanwhile(ctx)
	stop()
	_ = group.Wait()
	return err
}

const (
	// heldBodies are how many uploads of heldSize bytes hold back their last sixth.
	heldBodies = 60
	heldSize   = 60 << 20
	heldBack   = 10 << 20
	heldFor    = 5 * time.Second
	// heldMemory is how much memory serve may use meanwhile, in MiB.
	heldMemory = 1024
)

// measureHeldBodies has clients of one organization hold most of large bodies,
// and measures the memory of serve, and the reads of another organization.
func measureHeldBodies(ctx context.Context, s *site) ([]result, error) {
	holder, err := s.newOrganization(ctx, "holder")
	if err != nil {
		return nil, err
	}
	org, ids, err := s.readable(ctx)
	if err != nil {
		return nil, err
	}
	quiet, err := s.readLatency(ctx, org, ids)
	if err != nil {
		return nil, err
	}
	pid := s.pidOf("serve")
	if err := forgetPeak(pid); err != nil {
		return nil, err
	}
	holding, stop := context.WithCancel(ctx)
	var group errgroup.Group
	for range heldBodies {
		group.Go(func() error { return s.hold(holding, holder) })
	}
	time.Sleep(heldFor)
	busy, err := s.readLatency(ctx, org, ids)
	peak, unread := peakMemory(pid)
	stop()
	_ = group.Wait() // all were refused or broken off
	if err != nil {
		return nil, err
	}
	note("60 held bodies: %.0f MiB; a read: %.1f ms, next to them %.1f ms", peak, quiet, busy)
	return []result{
		within(heldMemory, "memory of serve while 60 clients hold 50 of 60 MiB", "MiB", peak),
		atMost(neighborTarget, "GET of one order with held bodies (p95)", "ms", busy, quiet, busy/quiet),
	}, unread
}

// hold sends most of a body, and then nothing.
func (s *site) hold(ctx context.Context, org *organization) error {
	body := &heldBody{ctx: ctx, left: heldSize - heldBack}
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, s.url+"/v3/orders/import", body)
	if err != nil {
		return err
	}
	r.ContentLength = heldSize
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Authorization", "apikey "+org.key)
	answer, err := s.client.Do(r)
	if err == nil {
		err = answer.Body.Close()
	}
	return err
}

// heldBody is the beginning of an import with one very long text.
type heldBody struct {
	ctx   context.Context
	left  int
	begun bool
}

// Read returns the part of the body that is sent, and then blocks.
func (b *heldBody) Read(p []byte) (int, error) {
	if b.left <= 0 {
		<-b.ctx.Done()
		return 0, b.ctx.Err()
	}
	n := 0
	if !b.begun {
		b.begun = true
		n = copy(p, `{"orders":[{"externalId":"`)
	}
	for ; n < min(len(p), b.left); n++ {
		p[n] = 'x'
	}
	b.left -= n
	return n, nil
}
