package planning

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"slices"
	"sync"
	"time"

	"waybill/domain/caller"
	"waybill/providers/travel"
	"waybill/store"
)

// DrawnDay is how far the ways of a plan's routes are drawn.
type DrawnDay struct {
	// Drawn counts the legs that were drawn now, Left those for which there was no time.
	Drawn, Left int
	// Failure says why the server of travel times drew no more, or is empty.
	Failure string
	// Corrected counts the legs that take another time than the plan has for them. The next plan uses
	// the times of the routes.
	Corrected int
}

// How many legs are asked for at a time, how many are saved together, and for how long one
// stretch of work lasts.
const (
	legsAtOnce    = 4
	legsTogether  = 64
	drawingLength = time.Second
)

// DrawDay has the server of travel times draw the ways of the plan's routes along streets.
// It asks only for those that nobody asked for before, and saves them as they come.
func (o *Operations) DrawDay(ctx context.Context, c caller.Caller, slice PlanningSlice) (DrawnDay, error) {
	done, err := o.drawDay(ctx, c, slice)
	if err != nil {
		return DrawnDay{}, fmt.Errorf("draw the ways of %s of department %d: %w",
			slice.Area.Date.Format(time.DateOnly), slice.Area.DepartmentID, err)
	}
	return done, nil
}

func (o *Operations) drawDay(ctx context.Context, c caller.Caller, slice PlanningSlice) (done DrawnDay, err error) {
	provider, kept := o.tables.Provider(), o.store.TravelLegs(c.OrgID)
	if _, draws := provider.(travel.Router); !draws {
		return DrawnDay{}, nil
	}
	legs, err := kept.LegsToDraw(ctx, provider.Name(), slice.Area)
	if err != nil {
		return DrawnDay{}, err
	}
	legs = slices.DeleteFunc(legs, func(leg store.LegToDraw) bool { return !o.draws(leg) })
	done.Left = len(legs)
	end := time.Now().Add(drawingLength)
	defer func() {
		if done.Corrected > 0 {
			o.areas.of(c.OrgID, slice.Area).forgetWays()
		}
	}()
	for some := range slices.Chunk(legs, legsTogether) {
		if over(end, slice.Ended) {
			break
		}
		drawn, fault := o.draw(ctx, some)
		corrected, err := o.correct(ctx, kept, drawn)
		if err == nil && len(drawn) > 0 {
			err = kept.SaveWays(ctx, provider.Name(), drawn)
		}
		done.Corrected += corrected
		if done.Drawn, done.Left = done.Drawn+len(drawn), done.Left-len(some); err != nil || ctx.Err() != nil {
			return done, cmp.Or(err, ctx.Err())
		}
		if fault != nil {
			done.Failure = fault.Error()
		}
		if len(drawn) == 0 { // the server is not well, and others need not be asked for
			break
		}
	}
	return done, nil
}

// draws reports whether the server has the streets of the leg for its own profile. The way of a car
// would be wrong for a truck, and kept.
func (o *Operations) draws(leg store.LegToDraw) bool {
	_, draws := o.tables.Asked(leg.Profile, leg.From, leg.To).(travel.Router)
	return draws && o.tables.Served(leg.Profile, leg.From, leg.To) == leg.Profile
}

// over reports whether a stretch of work is to end.
func over(end time.Time, ended <-chan struct{}) bool {
	select {
	case <-ended:
		return true
	default:
		return !time.Now().Before(end)
	}
}

// draw asks for the ways of some legs, and returns those that were answered, and a fault of
// the server. One leg that it cannot answer does not keep it from the others.
func (o *Operations) draw(ctx context.Context, legs []store.LegToDraw) (drawn []store.DrawnLeg, fault error) {
	var mu sync.Mutex
	var group sync.WaitGroup
	room := make(chan struct{}, legsAtOnce)
	for _, leg := range legs {
		room <- struct{}{}
		group.Go(func() {
			defer func() { <-room }()
			route, _, err := o.tables.Route(ctx, leg.Profile, leg.From, leg.To)
			mu.Lock()
			defer mu.Unlock()
			if err != nil {
				fault = err
				return
			}
			drawn = append(drawn, store.DrawnLeg{
				LegToDraw: leg, Leg: route.Leg, Polyline: route.Polyline, Version: route.Version, TableSeconds: -1,
			})
		})
	}
	group.Wait()
	return drawn, fault
}

// When the times of a route and of the plan differ: by more than a share and by more than some seconds. On short
// legs, the place on the road where one stops makes a difference.
const (
	differingShare   = 0.2
	differingSeconds = 30
)

// correct has the times of routes count where they differ from those of the plan, and returns how often
// that was.
func (o *Operations) correct(ctx context.Context, kept *store.TravelLegs, drawn []store.DrawnLeg) (corrected int, err error) {
	for i := range drawn {
		leg := &drawn[i]
		if leg.Polyline == "" || leg.PlannedSeconds < 0 || !differ(leg.PlannedSeconds, int64(leg.Seconds)) {
			continue
		}
		slog.WarnContext(ctx, "the route of a leg takes another time than the table said",
			"profile", leg.Profile, "table_seconds", leg.PlannedSeconds, "route_seconds", leg.Seconds)
		leg.TableSeconds = leg.PlannedSeconds
		if err := o.tables.Correct(ctx, kept, leg.Profile, leg.From, leg.To, leg.Leg); err != nil {
			return corrected, err
		}
		corrected++
	}
	return corrected, nil
}

func differ(planned, drawn int64) bool {
	by := max(planned-drawn, drawn-planned)
	return by > differingSeconds && float64(by) > differingShare*float64(max(planned, drawn))
}
