package order_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"waybill/domain/order"
)

func TestCutKeepsEntriesOfOneNumberTogetherAndInOrder(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		numbers := rapid.SliceOfN(rapid.IntRange(0, 30), 1, 200).Draw(t, "numbers")
		size := rapid.IntRange(1, 20).Draw(t, "size")
		entries := make([]order.Entry, len(numbers))
		for i, n := range numbers {
			if n > 0 {
				entries[i].ExternalID = fmt.Sprint(n)
			}
		}
		seen := map[int32]bool{}
		home := map[string]int{}
		for c, chunk := range order.Cut(entries, size) {
			for i, position := range chunk {
				require.False(t, seen[position], "a position comes once")
				seen[position] = true
				if i > 0 {
					require.Less(t, chunk[i-1], position, "the request's order holds")
				}
				if number := entries[position].ExternalID; number != "" {
					if at, known := home[number]; known {
						require.Equal(t, at, c, "one number, one chunk")
					}
					home[number] = c
				}
			}
		}
		require.Len(t, seen, len(entries), "no entry is lost")
	})
}
