package main

import (
	"context"
	"errors"
	"net/http"
	"os"
	"strconv"
	"time"

	"github.com/go-chi/chi/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"waybill/store/queries"
)

// bareDatabaseVariable tells the bare server where the database is.
const bareDatabaseVariable = "WAYBILL_BENCH_DATABASE_URL"

// serveBare is what our reads are measured beside: a handler that runs the
// same query on the same view and answers its JSON. It asks nobody who they
// are, logs and counts nothing, and works as the owner, whom no policy
// concerns.
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

func bareRead(q *queries.Queries) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		org, badOrg := strconv.ParseInt(chi.URLParam(r, "org"), 10, 64)
		id, badID := strconv.ParseInt(chi.URLParam(r, "order"), 10, 64)
		if badOrg != nil || badID != nil {
			http.Error(w, "no such order", http.StatusBadRequest)
			return
		}
		document, err := q.ReadOrderBare(r.Context(), queries.ReadOrderBareParams{OrgID: org, ID: id})
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write(document) // who is gone needs no answer
	}
}
