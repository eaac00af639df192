package relay

import (
	"context"

	"waybill/store"
)

// TakeOn has a process begin to serve shards, each in its first term.
func TakeOn(ctx context.Context, s *store.Store, shards ...int16) error {
	d := &delivery{relay: &Relay{store: s}, shards: map[int16]*shard{}}
	terms := map[int16]int64{}
	for _, number := range shards {
		terms[number] = 1
	}
	return d.takeOn(ctx, terms)
}
