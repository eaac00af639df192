package main

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strconv"
	"time"

	"github.com/go-chi/chi/v5"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

// bareRecord is what an action is, and what the bare handler writes for it: it knows
// beforehand what our rules find out.
type bareRecord struct {
	Type     string    `json:"type"`
	ID       string    `json:"id"`
	StopID   int64     `json:"stopId"`
	At       time.Time `json:"occurredAt"`
	Position place     `json:"position"`
	Order    int64     `json:"order"`
	Status   int16     `json:"status"`
	Pickup   string    `json:"pickup"`
	Delivery string    `json:"delivery"`
}

// bareWrites are the rows of an action: the action, the driver's position, the
// documentation, the order, the progress of its stops, and the event. Finishing
// a stop also writes the ETAs of those that follow.
var bareWrites = []string{
	`insert into driver_actions (org_id, id, driver_id, type, stop_id, order_id, occurred_at, device_at, sent_at,
	    latitude, longitude, accuracy_meters, distance_meters, outcome)
	 values (@org, @id, @driver, @type, @stop, @order, @at, @at, @at, @latitude, @longitude, 12, 40, 'APPLIED')`,
	`insert into driver_whereabouts (org_id, driver_id, latitude, longitude, accuracy_meters, at)
	 values (@org, @driver, @latitude, @longitude, 12, @at)
	 on conflict (org_id, driver_id) do update set latitude = excluded.latitude, longitude = excluded.longitude,
	    accuracy_meters = excluded.accuracy_meters, at = excluded.at`,
	`insert into order_documentations (org_id, order_id, stop_id, type, driver_id, action_id, occurred_at)
	 values (@org, @order, @stop, @type, @driver, @id, @at)`,
	"update orders set status_id = @status, driver_id = @driver, updated_at = now() where org_id = @org and id = @order",
	`insert into order_progress (org_id, order_id, given_to, pickup_status, delivery_status)
	 values (@org, @order, @driver, @pickup, @delivery)
	 on conflict (org_id, order_id) do update set pickup_status = excluded.pickup_status,
	    delivery_status = excluded.delivery_status`,
	`insert into events (org_id, kind, subject_type, subject_id, order_id, external_id, order_status_id, driver_id, stop,
	    occurred_at, product_ids, actor, cause, data)
	 values (@org, 'bench.acted', 'order', @order, @order, 'B', @status, @driver, 'pickup', @at, '{}', 'system', 'bench',
	    jsonb_build_object('action', @id::text, 'type', @type::text))`,
}

const bareETAs = `
insert into live_etas (org_id, order_id, kind, driver_id, eta, told, ahead)
select p.org_id, p.order_id, p.kind, p.driver_id, @at, @at, p.seq from plan_stops p
left join order_progress g on g.org_id = p.org_id and g.order_id = p.order_id
where p.org_id = @org and p.driver_id = @driver
  and case p.kind when 'pickup' then g.pickup_status else g.delivery_status end is distinct from 'completed'
order by p.order_id, p.kind
on conflict (org_id, order_id, kind) do update set eta = excluded.eta, told = excluded.told, ahead = excluded.ahead,
    updated_at = now()`

// bareAction writes the rows of an action in one transaction.
func bareAction(pool *pgxpool.Pool) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		org, badOrg := strconv.ParseInt(chi.URLParam(r, "org"), 10, 64)
		driver, badDriver := strconv.ParseInt(chi.URLParam(r, "driver"), 10, 64)
		var said struct{ Actions []bareRecord }
		err := errors.Join(badOrg, badDriver, json.NewDecoder(r.Body).Decode(&said))
		if err == nil && len(said.Actions) != 1 {
			err = errors.New("expected exactly one action")
		}
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		if err := writeBare(r.Context(), pool, org, driver, &said.Actions[0]); err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(map[string]any{"id": said.Actions[0].ID, "outcome": "APPLIED"})
	}
}

func writeBare(ctx context.Context, pool *pgxpool.Pool, org, driver int64, a *bareRecord) error {
	args := pgx.NamedArgs{
		"org": org, "driver": driver, "id": a.ID, "type": a.Type, "stop": a.StopID, "order": a.Order, "at": a.At,
		"latitude": a.Position.Latitude, "longitude": a.Position.Longitude, "status": a.Status,
		"pickup": a.Pickup, "delivery": a.Delivery,
	}
	return pgx.BeginFunc(ctx, pool, func(tx pgx.Tx) error {
		writes := bareWrites
		if a.Type != "ARRIVE" {
			writes = append(writes[:len(writes):len(writes)], bareETAs)
		}
		for _, statement := range writes {
			if _, err := tx.Exec(ctx, statement, args); err != nil {
				return err
			}
		}
		return nil
	})
}
