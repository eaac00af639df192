package main

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"os"
	"strconv"
	"time"

	"github.com/go-chi/chi/v5"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"waybill/store/queries"
)

// bareDatabaseVariable names the bare server's database.
const bareDatabaseVariable = "WAYBILL_BENCH_DATABASE_URL"

// serveBare is the baseline of our API: a handler that runs the same query on
// the same view and returns its JSON, one that takes a seat, one that stores an
// acknowledgement, and one that stores a driver's actions. They have no
// authentication, logs or metrics, and work as the owner, to whom no policy
// applies.
func serveBare(ctx context.Context, address string) error {
	config, err := pgxpool.ParseConfig(os.Getenv(bareDatabaseVariable))
	if err != nil {
		return err
	}
	config.MaxConns = poolSize
	pool, err := pgxpool.NewWithConfig(ctx, config)
	if err != nil {
		return err
	}
	defer pool.Close()
	router := chi.NewRouter()
	router.Get("/readyz", func(http.ResponseWriter, *http.Request) {})
	router.Get("/organizations/{org}/orders/{order}", bareRead(queries.New(pool)))
	router.Post("/organizations/{org}/orders/{order}/seat", bareBook(pool))
	router.Post("/acknowledgements", bareAcknowledgement(pool))
	router.Post("/organizations/{org}/drivers/{driver}/actions", bareAction(pool))
	server := &http.Server{Addr: address, Handler: router, ReadHeaderTimeout: time.Second}
	go func() {
		<-ctx.Done()
		_ = server.Close()
	}()
	if err := server.ListenAndServe(); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

// bareRead runs the query of our read on the same view, and answers its JSON.
func bareRead(q *queries.Queries) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		org, badOrg := strconv.ParseInt(chi.URLParam(r, "org"), 10, 64)
		id, badID := strconv.ParseInt(chi.URLParam(r, "order"), 10, 64)
		if badOrg != nil || badID != nil {
			http.Error(w, "no such order", http.StatusBadRequest)
			return
		}
		row, err := q.ReadOrderBare(r.Context(), queries.ReadOrderBareParams{OrgID: org, ID: id})
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write(row.Document) // the client is gone
	}
}

// bareBook takes a seat with one conditional update, writes one row, and
// returns the request with the number of seats taken. It checks nothing.
func bareBook(pool *pgxpool.Pool) http.HandlerFunc {
	type seat struct {
		IntervalID int64 `json:"intervalId"`
		Booked     int   `json:"bookedSlots"`
	}
	return func(w http.ResponseWriter, r *http.Request) {
		org, badOrg := strconv.ParseInt(chi.URLParam(r, "org"), 10, 64)
		order, badOrder := strconv.ParseInt(chi.URLParam(r, "order"), 10, 64)
		var wanted seat
		if err := errors.Join(badOrg, badOrder, json.NewDecoder(r.Body).Decode(&wanted)); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		err := pgx.BeginFunc(r.Context(), pool, func(tx pgx.Tx) error {
			err := tx.QueryRow(r.Context(),
				"update bare_seats set booked = booked + 1 where org_id = $1 and booked < slots returning booked", org).
				Scan(&wanted.Booked)
			if err != nil {
				return err
			}
			_, err = tx.Exec(r.Context(), "insert into bare_bookings (org_id, order_id, interval_id) values ($1, $2, $3)",
				org, order, wanted.IntervalID)
			return err
		})
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(wanted) // the client is gone
	}
}
