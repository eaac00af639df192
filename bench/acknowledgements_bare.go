package main

import (
	"encoding/json"
	"net/http"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

// bareExports are the rows that the bare handler writes.
var bareExports = []string{
	`create table bare_exports (
	    token text primary key, state text not null, acknowledgements integer not null default 0)`,
	`create table bare_acknowledgements (
	    id bigint generated always as identity primary key, token text not null references bare_exports,
	    status text not null, received_at timestamptz not null default now())`,
}

// bareAcknowledgement writes one row and updates another in one transaction.
func bareAcknowledgement(pool *pgxpool.Pool) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		var said struct {
			ExportToken string `json:"exportToken"`
			Status      string `json:"status"`
		}
		if err := json.NewDecoder(r.Body).Decode(&said); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		var count int
		err := pgx.BeginFunc(r.Context(), pool, func(tx pgx.Tx) error {
			_, err := tx.Exec(r.Context(), "insert into bare_acknowledgements (token, status) values ($1, $2)",
				said.ExportToken, said.Status)
			if err != nil {
				return err
			}
			return tx.QueryRow(r.Context(), `
				update bare_exports set state = 'exported', acknowledgements = acknowledgements + 1 where token = $1
				returning acknowledgements`, said.ExportToken).Scan(&count)
		})
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(map[string]any{"state": "exported", "acknowledgements": count})
	}
}
