package main

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"
)

// A measurement that fails is named, and the others are taken.
func TestFailedMeasurementDoesNotStopOthers(t *testing.T) {
	t.Parallel()
	broken := errors.New("answered 401")
	takes := func(name string, err error) measurement {
		return measurement{name, func(context.Context, *site) ([]result, error) {
			if err != nil {
				return nil, err
			}
			return []result{{Name: name, OK: false}}, nil
		}}
	}
	all := []measurement{takes("first", nil), takes("broken", broken), takes("last", nil), takes("other", broken)}
	results, err := measure(t.Context(), nil, all, nil)
	require.ErrorIs(t, err, broken)
	require.ErrorContains(t, err, "measure broken: answered 401")
	require.ErrorContains(t, err, "measure other: answered 401")
	require.Equal(t, []result{{Name: "first"}, {Name: "last"}}, results)

	results, err = measure(t.Context(), nil, all, []string{"last"})
	require.NoError(t, err, "a missed target is no failure")
	require.Len(t, results, 1)

	ended, end := context.WithCancel(t.Context())
	end()
	results, err = measure(ended, nil, all, nil)
	require.ErrorIs(t, err, context.Canceled)
	require.Empty(t, results)
}
