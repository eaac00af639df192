package main

import (
	"testing"

	"github.com/stretchr/testify/require"

	"waybill/store/storetest"
)

// TestServerDetectsVanishedHost checks how soon the server probes a
// silent session.
func TestServerDetectsVanishedHost(t *testing.T) {
	t.Parallel()
	db := storetest.New(t)
	settings := func(url string) (found []string) {
		pool, err := openPool(t.Context(), config{DatabaseURL: url, DatabaseConns: 1}, "test", nil)
		require.NoError(t, err)
		defer pool.Close()
		for _, name := range []string{
			"application_name", "tcp_keepalives_idle", "tcp_keepalives_interval", "tcp_keepalives_count", "tcp_user_timeout",
			"idle_in_transaction_session_timeout", "statement_timeout", "lock_timeout",
		} {
			var value string
			require.NoError(t, pool.QueryRow(t.Context(), "show "+name).Scan(&value))
			found = append(found, value)
		}
		return found
	}
	require.Equal(t, []string{"test", "5", "2", "3", "30000", "1min", "10min", "1min"}, settings(db.AppURL))
	require.Equal(t, []string{"mine", "9", "2", "3", "30000", "1min", "10min", "7s"},
		settings(db.AppURL+"&application_name=mine&tcp_keepalives_idle=9&lock_timeout=7000"), "what the address says counts")
}
