package api_test

import (
	"errors"
	"net/http"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/api"
)

func TestKeyring(t *testing.T) {
	t.Parallel()

	t.Run("AKeyIsLookedUpOnceInTwoSeconds", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		for range 10 {
			require.Equal(t, http.StatusForbidden, b.call(b.key).Code)
		}
		require.Equal(t, 1, b.keys.count())
		b.clock.forward(2 * time.Second)
		require.Equal(t, http.StatusForbidden, b.call(b.key).Code)
		require.Equal(t, 2, b.keys.count())
	})

	t.Run("RevocationTakesEffectWithinTwoSeconds", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		require.Equal(t, http.StatusForbidden, b.call(b.key).Code)
		now := b.clock.Now()
		b.keys.change(func(k *api.APIKey) { k.RevokedAt = &now })
		b.clock.forward(2 * time.Second)
		require.Equal(t, http.StatusUnauthorized, b.call(b.key).Code)
	})

	t.Run("ANewKeyWorksAtOnceAfterItWasRefused", func(t *testing.T) {
		t.Parallel()
		b, other := setup(t), setup(t)
		require.Equal(t, http.StatusUnauthorized, b.call(other.key).Code)
		b.keys.mu.Lock()
		for public, row := range other.keys.keys {
			b.keys.keys[public] = row
		}
		b.keys.mu.Unlock()
		require.Equal(t, http.StatusForbidden, b.call(other.key).Code)
	})

	t.Run("AWrongSecretDoesNotPassOnARememberedKey", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		require.Equal(t, http.StatusForbidden, b.call(b.key).Code)
		require.Equal(t, http.StatusUnauthorized, b.call(b.key+"0").Code)
		require.Equal(t, 1, b.keys.count())
	})

	t.Run("UnknownKeysAreNotRemembered", func(t *testing.T) {
		t.Parallel()
		b, other := setup(t), setup(t)
		for range 3 {
			require.Equal(t, http.StatusUnauthorized, b.call(other.key).Code)
		}
		require.Zero(t, b.server.KnownKeys())
		require.Equal(t, 3, b.keys.count())
	})

	t.Run("RememberedKeysAreBounded", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		routes := b.server.Routes()
		for range api.MaxKnown + 50 {
			serve(routes, http.MethodPost, forPeople, "{}", "Authorization", "apikey "+b.keys.add(t, nil))
		}
		require.LessOrEqual(t, b.server.KnownKeys(), api.MaxKnown)
	})

	t.Run("ManyRequestsAtOnceAreServed", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		var wg sync.WaitGroup
		for range 50 {
			wg.Go(func() {
				if code := b.call(b.key).Code; code != http.StatusForbidden {
					t.Errorf("answered %d", code)
				}
			})
		}
		wg.Wait()
	})
}

func TestKeyUse(t *testing.T) {
	t.Parallel()
	withTouch := func(_ *api.Config, d *api.Dependencies) { d.KeyUse = d.Keys.(*keyTable) }

	t.Run("IsRecordedAtMostOnceAMinute", func(t *testing.T) {
		t.Parallel()
		synctest.Test(t, func(t *testing.T) {
			b := setup(t, withTouch)
			for range 20 {
				b.call(b.key)
				synctest.Wait()
				b.clock.forward(2900 * time.Millisecond)
			}
			require.Len(t, b.keys.touched, 1)
			b.clock.forward(2 * time.Second)
			b.call(b.key)
			synctest.Wait()
			require.Len(t, b.keys.touched, 2)
		})
	})

	t.Run("OfAWrongSecretIsNotRecorded", func(t *testing.T) {
		t.Parallel()
		synctest.Test(t, func(t *testing.T) {
			b := setup(t, withTouch)
			b.call(b.key + "0")
			synctest.Wait()
			require.Empty(t, b.keys.touched)
		})
	})

	t.Run("IsRecordedAgainWhenItFailed", func(t *testing.T) {
		t.Parallel()
		b := setup(t, withTouch)
		b.keys.refuse = errors.New("no")
		b.call(b.key)
		<-b.keys.touched
		require.Eventually(t, func() bool {
			return len(b.logs.records(t, "use of an API key was not recorded")) == 1
		}, 5*time.Second, time.Millisecond)
		b.clock.forward(3 * time.Second)
		b.call(b.key)
		<-b.keys.touched
	})

	t.Run("NeverHoldsUpARequest", func(t *testing.T) {
		t.Parallel()
		b := setup(t, withTouch, func(_ *api.Config, d *api.Dependencies) {
			d.Keys.(*keyTable).touched = make(chan int64) // touching waits for the test
		})
		for range 10 {
			require.Equal(t, http.StatusForbidden, b.call(b.keys.add(t, nil)).Code)
		}
		for range 4 {
			<-b.keys.touched
		}
	})
}
