package main

import (
	"os"
	"testing"

	"github.com/stretchr/testify/require"
)

const root = "../../"

func TestTheCatalogueIsUpToDate(t *testing.T) {
	t.Parallel()
	reasons, err := readReasons(root + messagesFile)
	require.NoError(t, err)
	require.NotEmpty(t, reasons)

	written, err := os.ReadFile(root + contractFile)
	require.NoError(t, err)
	wanted, err := withReasons(written, reasons)
	require.NoError(t, err)
	require.True(t, string(wanted) == string(written), "run make generate: ErrorReason of the contract is not up to date")

	written, err = os.ReadFile(root + pageFile)
	require.NoError(t, err)
	require.Equal(t, string(page(reasons)), string(written), "run make generate")
}

func TestTheValuesOfTheSchemaAreReplaced(t *testing.T) {
	t.Parallel()
	schema := func(values string) string {
		return "schemas:\n  ErrorReason:\n    type: string\n    enum:" + values + "  Other:\n    type: string\n"
	}
	reasons := []reason{{name: "BOOKING_FULL"}, {name: "RATE_LIMITED"}}
	wanted := schema("\n      - BOOKING_FULL\n      - RATE_LIMITED\n    x-enum-varnames:\n      - BookingFull\n      - RateLimited\n")
	for _, old := range []string{" []\n", "\n      - OLD\n", "\n      - A\n      - B\n    x-enum-varnames:\n      - A\n      - B\n"} {
		replaced, err := withReasons([]byte(schema(old)), reasons)
		require.NoError(t, err)
		require.Equal(t, wanted, string(replaced))
	}
	_, err := withReasons([]byte("schemas:\n"), reasons)
	require.Error(t, err)
}

func TestThePageShowsAnyText(t *testing.T) {
	t.Parallel()
	shown := string(page([]reason{{"RANGE", "From {{.min}} to {{.max}} | or <KEY>."}}))
	require.Contains(t, shown, "| `RANGE` | From {min} to {max} \\| or \\<KEY>. |\n")
}
