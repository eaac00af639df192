package contract_test

import (
	"encoding/json"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/api/contract"
)

// An example that plays on a day that is over is of no use to anybody who pastes it.
func TestExamplesPlayTomorrow(t *testing.T) {
	t.Parallel()
	late := time.Date(2026, 12, 30, 23, 30, 0, 0, time.UTC) // the next day in Oslo
	tomorrow := contract.Tomorrow(late)
	require.Equal(t, "2027-01-01", tomorrow.Format(time.DateOnly))
	require.Equal(t, `{"date":"2027-01-01","latest":"2027-01-01T15:00:00Z","externalId":"SO-2026-1","on":"2027-01-03"}`,
		contract.Moved(
			`{"date":"2026-03-02","latest":"2026-03-02T15:00:00Z","externalId":"SO-2026-1","on":"2026-03-04"}`, tomorrow,
		))
}

// The collection can be kept: its days are those of each request.
func TestDaysOfThePostmanCollectionAreVariables(t *testing.T) {
	t.Parallel()
	text, err := contract.Postman()
	require.NoError(t, err)
	var collection struct {
		Event []struct {
			Listen string
			Script struct{ Exec []string }
		}
		Item json.RawMessage
	}
	require.NoError(t, json.Unmarshal(text, &collection))
	require.Equal(t, "prerequest", collection.Event[0].Listen)
	script := strings.Join(collection.Event[0].Script.Exec, "\n")
	used := regexp.MustCompile(`\{\{(day-?\d+)\}\}`).FindAllSubmatch(collection.Item, -1)
	require.Greater(t, len(used), 20)
	days := regexp.MustCompile(`-?\d+`).FindAllString(script, -1)
	for _, name := range used {
		require.Contains(t, days, strings.TrimPrefix(string(name[1]), "day"))
	}
	require.NotRegexp(t, `"(value|raw)": "[^"]*20\d\d-\d\d-\d\d`, string(collection.Item))
}
