package main

import (
	"context"
	"encoding/json"
	"fmt"
	"sync"
	"time"
)

// positions has phones report positions: at the given rate, and then as fast as
// possible.
func (s *site) positions(ctx context.Context, day *drivingDay) ([]result, error) {
	for _, r := range day.routes {
		if _, err := s.owner.Exec(ctx,
			"update driver_whereabouts set on_duty = true where org_id = $1 and driver_id = $2", day.id, r.driver); err != nil {
			return nil, fmt.Errorf("begin duty: %w", err)
		}
	}
	etas, err := s.etasAtPace(ctx, day)
	if err != nil {
		return nil, err
	}
	rate, err := s.positionRate(ctx, day)
	note("positions: %.0f /s; ETAs after %.0f ms, %.0f ms for 95 of 100", rate, quantile(etas, 0.5), quantile(etas, 0.95))
	return []result{
		reached(positionsTarget, fmt.Sprintf("positions, %d in a request, %d drivers at once", positionsAtOnce, actors), "/s", rate),
		within(etaTarget, fmt.Sprintf("position until the ETAs that follow, %d positions a second", positionsTarget), "ms",
			quantile(etas, 0.5)),
	}, err
}

// etasAtPace sends positions at the given rate, and returns the time in
// milliseconds from each request until the next stops have new ETAs.
func (s *site) etasAtPace(ctx context.Context, day *drivingDay) ([]float64, error) {
	var mu sync.Mutex
	var took []float64
	pace := time.Second * positionsAtOnce / positionsTarget
	count := int(s.sizes.PositionsFor / pace)
	start := time.Now()
	locks := make([]sync.Mutex, len(day.routes)) // a phone sends one thing at a time
	_, err := perSecond(ctx, 4*drivers, count, func(ctx context.Context, i int) error {
		due := start.Add(time.Duration(i) * pace)
		if err := rest(ctx, time.Until(due)); err != nil {
			return err
		}
		r := day.routes[i%len(day.routes)]
		locks[i%len(day.routes)].Lock()
		defer locks[i%len(day.routes)].Unlock()
		if err := s.tellPositions(ctx, r, i); err != nil {
			return err
		}
		err := s.until(ctx, `select exists (select from live_etas where org_id = $1 and driver_id = $2 and updated_at >= $3)`,
			day.id, r.driver, due)
		mu.Lock()
		defer mu.Unlock()
		took = append(took, milliseconds(time.Since(due)))
		return err
	})
	return took, err
}

// positionRate is how many positions a second are kept.
func (s *site) positionRate(ctx context.Context, day *drivingDay) (float64, error) {
	count := max(int(s.sizes.PositionsFor*positionsTarget/time.Second/positionsAtOnce), drivers)
	rate, err := perSecond(ctx, actors, drivers, func(ctx context.Context, d int) error {
		for i := range count / drivers {
			if err := s.tellPositions(ctx, day.routes[d], i); err != nil {
				return err
			}
		}
		return nil
	})
	return rate * float64(count/drivers) * positionsAtOnce, err
}

// tellPositions reports where a driver was since the last report. Every second
// time it is some hundred metres away, so that the ETAs change.
func (s *site) tellPositions(ctx context.Context, r *route, turn int) error {
	type position struct {
		place
		At time.Time `json:"at"`
	}
	now := time.Now().UTC()
	step := now.Sub(r.at) / positionsAtOnce
	all := make([]position, positionsAtOnce)
	for i := range all {
		r.at = r.at.Add(step)
		all[i] = position{place{59.9 + float64(turn/drivers%2)/200 + float64(i)/10_000, 10.7, 10}, r.at.UTC().Truncate(time.Microsecond)}
	}
	body, err := json.Marshal(map[string]any{"positions": all})
	if err != nil {
		return err
	}
	answer, err := s.call(ctx, request{url: s.url + "/v1/driver/positions", cookie: r.cookie, body: body})
	var kept struct{ Kept int }
	if err == nil {
		err = json.Unmarshal(answer, &kept)
	}
	if err == nil && kept.Kept != positionsAtOnce {
		err = fmt.Errorf("%d positions were kept: %s", kept.Kept, answer)
	}
	return err
}
