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
		drawn := rapid.SliceOfN(rapid.IntRange(0, 30), 1, 200).Draw(t, "numbers")
		size := rapid.IntRange(1, 20).Draw(t, "size")
		numbers := make([]string, len(drawn))
		for i, n := range drawn {
			if n > 0 {
				numbers[i] = fmt.Sprint(n)
			}
		}
		seen := map[int32]bool{}
		home := map[string]int{}
		for c, chunk := range order.Cut(numbers, size) {
			for i, position := range chunk {
				require.False(t, seen[position], "a position comes once")
				seen[position] = true
				if i > 0 {
					require.Less(t, chunk[i-1], position, "the request's order holds")
				}
				if number := numbers[position]; number != "" {
					if at, known := home[number]; known {
						require.Equal(t, at, c, "one number, one chunk")
					}
					home[number] = c
				}
			}
		}
		require.Len(t, seen, len(numbers), "no entry is lost")
	})
}
