package store_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"waybill/domain/order"
)

// TestQueriesKnowWhichPositionsAreCoarse compares the precisions in SQL with the rule. The providers
// are asked for less: a position in the street is as good as most of their answers.
func TestQueriesKnowWhichPositionsAreCoarse(t *testing.T) {
	t.Parallel()
	coarse := order.CoarsePrecisions()
	asked := coarse[1:]
	inList := regexp.MustCompile(`'precision' IN \(([^)]*)\)`)
	found := 0
	for _, pattern := range []string{"queries/*.sql", "../migrations/00621_*.sql", "../migrations/definitions/*/*.sql"} {
		files, err := filepath.Glob(pattern)
		require.NoError(t, err)
		for _, file := range files {
			text, err := os.ReadFile(file)
			require.NoError(t, err)
			for _, m := range inList.FindAllStringSubmatch(string(text), -1) {
				list := strings.Split(strings.ReplaceAll(strings.ReplaceAll(m[1], "'", ""), " ", ""), ",")
				require.Contains(t, [][]string{coarse, asked}, list, file)
				found++
			}
		}
	}
	require.Greater(t, found, 10)
}
