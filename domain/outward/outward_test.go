package outward_test

import (
	"bytes"
	"encoding/json"
	"testing"
	"time"

	"github.com/oapi-codegen/nullable"
	"github.com/stretchr/testify/require"

	"waybill/domain/outward"
)

type inner struct {
	At time.Time `json:"at"`
}

// The precision of an instant does not depend on where it comes from.
func TestInstantsHaveMilliseconds(t *testing.T) {
	t.Parallel()
	oslo, err := time.LoadLocation("Europe/Oslo")
	require.NoError(t, err)
	at := time.Date(2026, 3, 2, 8, 30, 0, 123_456_789, oslo)
	whole := at.Truncate(time.Second)
	for wanted, value := range map[string]any{
		`"2026-03-02T07:30:00.123Z"`:                     at,
		`"2026-03-02T07:30:00.000Z"`:                     &whole,
		`{"at":"2026-03-02T07:30:00.123Z"}`:              nullable.NewNullableWithValue(inner{at}),
		`["2026-03-02T07:30:00.123Z"]`:                   []nullable.Nullable[time.Time]{nullable.NewNullableWithValue(at)},
		`{"x":null}`:                                     map[string]any{"x": nullable.NewNullNullable[time.Time]()},
		`{"x":{"at":"2026-03-02T07:30:00.123Z"}}`:        map[string]any{"x": inner{at}},
		`{"at":"2026-03-02T07:30:00.123456789Z"}`:        json.RawMessage(`{"at":"2026-03-02T07:30:00.123456789Z"}`),
		`"2026-03-02T07:30:00.123Z \u003cas text\u003e"`: "2026-03-02T07:30:00.123Z <as text>",
	} {
		text, err := outward.Marshal(value)
		require.NoError(t, err)
		require.Equal(t, wanted, string(text))
	}
}

// All else is as encoding/json writes it.
func TestAllElseIsAsEver(t *testing.T) {
	t.Parallel()
	value := map[string]any{
		"b": []byte("bytes"), "list": []int(nil), "map": map[string]int(nil), "html": "<&>\u2028",
		"number": 1.50, "long": int64(1) << 60,
		"nested": struct {
			Left  *int   `json:"left,omitempty"`
			Empty string `json:"empty,omitempty"`
			Kept  string
		}{},
	}
	for _, escapes := range []bool{true, false} {
		var ours, theirs bytes.Buffer
		our, their := outward.NewEncoder(&ours), json.NewEncoder(&theirs)
		our.SetEscapeHTML(escapes)
		their.SetEscapeHTML(escapes)
		require.NoError(t, our.Encode(value))
		require.NoError(t, their.Encode(value))
		require.Equal(t, theirs.String(), ours.String())
	}
}
