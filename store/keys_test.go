package store_test

import (
	"crypto/sha256"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/domain/caller"
	"waybill/store"
	"waybill/store/storetest"
)

func TestAPIKeys(t *testing.T) {
	t.Parallel()
	db := storetest.New(t)
	s := store.New(db.Pool)
	org, other := storetest.Organization(t, db, "acme"), storetest.Organization(t, db, "other")
	ctx := t.Context()
	hash := sha256.Sum256([]byte("secret"))
	expires := time.Now().Add(time.Hour).Truncate(time.Microsecond)

	id, err := s.CreateAPIKey(ctx, caller.Service(org, "test"), store.NewAPIKey{
		Name: "erp", Public: "public1", Hash: hash, ExpiresAt: &expires,
	})
	require.NoError(t, err)
	found, err := s.FindAPIKey(ctx, "public1")
	require.NoError(t, err)
	require.True(t, expires.Equal(*found.ExpiresAt))
	found.ExpiresAt = nil
	require.Equal(t,
		store.APIKey{OrgID: org, ID: id, Name: "erp", Hash: hash[:], Timezone: "Europe/Oslo", Language: "nb"}, found)
	_, err = s.FindAPIKey(ctx, "public2")
	require.ErrorIs(t, err, store.ErrNotFound)

	require.NoError(t, s.TouchAPIKey(ctx, other, id), "another organization's key is not there to be touched")
	listed, err := s.ListAPIKeys(ctx, org)
	require.NoError(t, err)
	require.Len(t, listed, 1)
	require.Nil(t, listed[0].LastUsedAt)
	require.NoError(t, s.TouchAPIKey(ctx, org, id))
	listed, err = s.ListAPIKeys(ctx, org)
	require.NoError(t, err)
	require.WithinDuration(t, time.Now(), *listed[0].LastUsedAt, time.Minute)

	revoked, err := s.RevokeAPIKeys(ctx, caller.Service(other, "test"), "erp", time.Now())
	require.NoError(t, err)
	require.Empty(t, revoked)
	for _, tc := range []struct {
		in      time.Duration
		revokes bool
	}{{time.Hour, true}, {2 * time.Hour, false}, {0, true}, {time.Hour, false}} {
		revoked, err = s.RevokeAPIKeys(ctx, caller.Service(org, "test"), "erp", time.Now().Add(tc.in))
		require.NoError(t, err)
		require.Equal(t, tc.revokes, len(revoked) == 1, "the end of a key never moves back")
	}
	found, err = s.FindAPIKey(ctx, "public1")
	require.NoError(t, err)
	require.WithinDuration(t, time.Now(), *found.RevokedAt, time.Minute)
}

func TestOrganizationID(t *testing.T) {
	t.Parallel()
	db := storetest.New(t)
	s := store.New(db.Pool)
	org := storetest.Organization(t, db, "acme")
	got, err := s.OrganizationID(t.Context(), "acme")
	require.NoError(t, err)
	require.Equal(t, org, got)
	_, err = s.OrganizationID(t.Context(), "nobody")
	require.ErrorIs(t, err, store.ErrNotFound)
}
