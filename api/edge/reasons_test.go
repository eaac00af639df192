package edge_test

import (
	"maps"
	"net/http"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"waybill/api/apitest"
	"waybill/domain/fault"
)

// Messages with a description are no errors; all others are what errors say.
func TestTheCatalogueHasTheReasonOfEveryError(t *testing.T) {
	t.Parallel()
	english := readMessages(t)["en"]
	said := map[string]bool{}
	for _, text := range saidInSource(t) {
		for _, id := range text.find(english) {
			said[id] = true
		}
	}
	var made []any
	for _, id := range slices.Sorted(maps.Keys(english)) {
		if english[id]["description"] == "" && said[id] {
			made = append(made, fault.Say(id).Reason())
		}
	}
	require.ElementsMatch(t, made, apitest.Document(t).Components.Schemas["ErrorReason"].Value.Enum)
}

func TestReasonsAreTheSameInEveryLanguage(t *testing.T) {
	t.Parallel()
	for _, language := range []string{"", "nb", "da"} {
		full := answering(apitest.New(t), fault.Illegal("booking.full", "interval", "37"))
		w := apitest.Serve(full, http.MethodGet, "/x", "", "Accept-Language", language)
		status := apitest.Status(t, w.Body.Bytes())
		require.EqualValues(t, "BOOKING_FULL", apitest.Reason(status))
		info, err := status.Details[len(status.Details)-1].AsErrorInfoDetail()
		require.NoError(t, err)
		require.Equal(t, map[string]string{"name": "37"}, *info.Metadata)
	}
}
