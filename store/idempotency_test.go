package store_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/domain/caller"
	"waybill/store"
	"waybill/store/storetest"
)

func TestClaimsOfKeys(t *testing.T) {
	t.Parallel()
	d := newDocuments(t)
	org := storetest.Organization(t, d.Database, "acme")
	call := store.IdempotentCall{OrgID: org, Operation: "createDriver", Key: "k", Fingerprint: []byte{1}}
	claim := func(c store.IdempotentCall, lease time.Duration) (*caller.Repeat, *store.KeptAnswer, error) {
		return d.store.ClaimKey(t.Context(), c, lease, time.Hour)
	}
	first, kept, err := claim(call, -time.Second)
	require.NoError(t, err)
	require.Nil(t, kept)

	// The claim has lapsed, so another may try; the first must not answer then.
	second, _, err := claim(call, time.Minute)
	require.NoError(t, err)
	require.NotEqual(t, first.Claim, second.Claim)
	require.NoError(t, d.store.KeepAnswer(t.Context(), org, first, store.KeptAnswer{Status: 500}))
	_, _, err = claim(call, time.Minute)
	require.ErrorIs(t, err, store.ErrKeyBusy)
	answer := store.KeptAnswer{Status: 201, Header: map[string]string{"Location": "/x"}, Body: []byte("\x00body")}
	require.NoError(t, d.store.KeepAnswer(t.Context(), org, second, answer))
	_, kept, err = claim(call, time.Minute)
	require.NoError(t, err)
	require.Equal(t, answer, *kept)
	require.NoError(t, d.store.ReleaseKey(t.Context(), org, second), "an answer is not released")
	_, kept, err = claim(call, time.Minute)
	require.NoError(t, err)
	require.NotNil(t, kept)

	other := call
	other.Fingerprint = []byte{2}
	_, _, err = claim(other, time.Minute)
	require.ErrorIs(t, err, store.ErrKeyReused)

	free := call
	free.Key = "free"
	third, _, err := claim(free, time.Minute)
	require.NoError(t, err)
	require.NoError(t, d.store.ReleaseKey(t.Context(), org, third))
	_, kept, err = claim(free, time.Minute)
	require.NoError(t, err)
	require.Nil(t, kept)
}

func TestCallersDoNotShareKeys(t *testing.T) {
	t.Parallel()
	d := newDocuments(t)
	org := storetest.Organization(t, d.Database, "acme")
	for _, who := range []string{"", "user:12", "device:12"} {
		call := store.IdempotentCall{OrgID: org, Operation: "createDriver", Caller: who, Key: "k", Fingerprint: []byte(who)}
		claim, kept, err := d.store.ClaimKey(t.Context(), call, time.Minute, time.Hour)
		require.NoError(t, err, who)
		require.Nil(t, kept, who)
		require.NoError(t, d.store.KeepAnswer(t.Context(), org, claim, store.KeptAnswer{Status: 201, Body: []byte(who)}))
	}
	call := store.IdempotentCall{
		OrgID: org, Operation: "createDriver", Caller: "user:12", Key: "k", Fingerprint: []byte("user:12"),
	}
	_, kept, err := d.store.ClaimKey(t.Context(), call, time.Minute, time.Hour)
	require.NoError(t, err)
	require.Equal(t, "user:12", string(kept.Body))
}
