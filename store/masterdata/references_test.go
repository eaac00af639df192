package masterdata_test

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestPruningKnowsEveryReference compares the tables whose references would
// prevent pruned records from being deleted with the statements that prune.
func TestPruningKnowsEveryReference(t *testing.T) {
	t.Parallel()
	d := newDocuments(t)
	var statements strings.Builder
	for _, file := range []string{"organizations_prune", "organizations_fleet", "organizations_scheduling"} {
		text, err := os.ReadFile("../queries/" + file + ".sql")
		require.NoError(t, err)
		for query := range strings.SplitSeq(string(text), "-- name: ") {
			if strings.HasPrefix(query, "Prune") {
				statements.WriteString(query)
			}
		}
	}
	references := one[[]string](d, `
		select array_agg(c.conrelid::regclass || ' ' || c.confrelid::regclass order by 1) from pg_constraint c
		where c.contype = 'f' and c.confdeltype = 'a' and c.conparentid = 0 and c.confrelid = any (array[
			'departments', 'customers', 'vehicle_types', 'order_types', 'skills', 'order_groups', 'vehicles', 'drivers',
			'zones', 'freight_levels', 'price_lists', 'calendars']::regclass[])`)
	require.Greater(t, len(references), 20)
	for _, r := range references {
		from, to, _ := strings.Cut(r, " ")
		require.True(t, strings.Contains(statements.String(), "FROM "+from+" "), "%s refers to %s", from, to)
	}
}
