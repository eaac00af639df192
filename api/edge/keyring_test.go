package edge_test

import (
	"errors"
	"net/http"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/api"
	"waybill/api/apitest"
	"waybill/api/edge"
)

func TestKeyring(t *testing.T) {
	t.Parallel()

	t.Run("AKeyIsLookedUpOnceInTwoSeconds", func(t *testing.T) {
		t.Parallel()
		b := apitest.New(t)
		for range 10 {
			require.Equal(t, http.StatusForbidden, b.Call(b.Key).Code)
		}
		require.Equal(t, 1, b.Keys.Count())
		b.Clock.Forward(2 * time.Second)
		require.Equal(t, http.StatusForbidden, b.Call(b.Key).Code)
		require.Equal(t, 2, b.Keys.Count())
	})

	t.Run("RevocationTakesEffectWithinTwoSeconds", func(t *testing.T) {
		t.Parallel()
		b := apitest.New(t)
		require.Equal(t, http.StatusForbidden, b.Call(b.Key).Code)
		now := b.Clock.Now()
		b.Keys.Change(func(k *edge.APIKey) { k.RevokedAt = &now })
		b.Clock.Forward(2 * time.Second)
		require.Equal(t, http.StatusUnauthorized, b.Call(b.Key).Code)
	})

	t.Run("ANewKeyWorksAtOnceAfterItWasRefused", func(t *testing.T) {
		t.Parallel()
		b, other := apitest.New(t), apitest.New(t)
		require.Equal(t, http.StatusUnauthorized, b.Call(other.Key).Code)
		b.Keys.Mu.Lock()
		for public, row := range other.Keys.Keys {
			b.Keys.Keys[public] = row
		}
		b.Keys.Mu.Unlock()
		require.Equal(t, http.StatusForbidden, b.Call(other.Key).Code)
	})

	t.Run("AWrongSecretDoesNotPassOnARememberedKey", func(t *testing.T) {
		t.Parallel()
		b := apitest.New(t)
		require.Equal(t, http.StatusForbidden, b.Call(b.Key).Code)
		require.Equal(t, http.StatusUnauthorized, b.Call(b.Key+"0").Code)
		require.Equal(t, 1, b.Keys.Count())
	})

	t.Run("UnknownKeysAreNotRemembered", func(t *testing.T) {
		t.Parallel()
		b, other := apitest.New(t), apitest.New(t)
		for range 3 {
			require.Equal(t, http.StatusUnauthorized, b.Call(other.Key).Code)
		}
		require.Zero(t, b.Server.Edge.KnownKeys())
		require.Equal(t, 3, b.Keys.Count())
	})

	t.Run("RememberedKeysAreBounded", func(t *testing.T) {
		t.Parallel()
		b := apitest.New(t)
		routes := b.Server.Routes()
		for range edge.MaxKnown + 50 {
			apitest.Serve(routes, http.MethodPost, apitest.ForPeople, "{}", "Authorization", "apikey "+b.Keys.Add(t, nil))
		}
		require.LessOrEqual(t, b.Server.Edge.KnownKeys(), edge.MaxKnown)
	})

	t.Run("ManyRequestsAtOnceAreServed", func(t *testing.T) {
		t.Parallel()
		b := apitest.New(t)
		var wg sync.WaitGroup
		for range 50 {
			wg.Go(func() {
				if code := b.Call(b.Key).Code; code != http.StatusForbidden {
					t.Errorf("answered %d", code)
				}
			})
		}
		wg.Wait()
	})
}

func TestKeyUse(t *testing.T) {
	t.Parallel()
	withTouch := func(_ *api.Config, d *api.Dependencies) { d.KeyUse = d.Keys.(*apitest.KeyTable) }

	t.Run("IsRecordedAtMostOnceAMinute", func(t *testing.T) {
		t.Parallel()
		synctest.Test(t, func(t *testing.T) {
			b := apitest.New(t, withTouch)
			for range 20 {
				b.Call(b.Key)
				synctest.Wait()
				b.Clock.Forward(2900 * time.Millisecond)
			}
			require.Len(t, b.Keys.Touched, 1)
			b.Clock.Forward(2 * time.Second)
			b.Call(b.Key)
			synctest.Wait()
			require.Len(t, b.Keys.Touched, 2)
		})
	})

	t.Run("OfAWrongSecretIsNotRecorded", func(t *testing.T) {
		t.Parallel()
		synctest.Test(t, func(t *testing.T) {
			b := apitest.New(t, withTouch)
			b.Call(b.Key + "0")
			synctest.Wait()
			require.Empty(t, b.Keys.Touched)
		})
	})

	t.Run("IsRecordedAgainWhenItFailed", func(t *testing.T) {
		t.Parallel()
		b := apitest.New(t, withTouch)
		b.Keys.Refuse = errors.New("no")
		b.Call(b.Key)
		<-b.Keys.Touched
		require.Eventually(t, func() bool {
			return len(b.Logs.Records(t, "cannot record use of API key")) == 1
		}, 5*time.Second, time.Millisecond)
		b.Clock.Forward(3 * time.Second)
		b.Call(b.Key)
		<-b.Keys.Touched
	})

	t.Run("NeverHoldsUpARequest", func(t *testing.T) {
		t.Parallel()
		b := apitest.New(t, withTouch, func(_ *api.Config, d *api.Dependencies) {
			d.Keys.(*apitest.KeyTable).Touched = make(chan int64) // touching waits for the test
		})
		for range 10 {
			require.Equal(t, http.StatusForbidden, b.Call(b.Keys.Add(t, nil)).Code)
		}
		for range 4 {
			<-b.Keys.Touched
		}
	})
}
