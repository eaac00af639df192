package credential_test

import (
	"bytes"
	"crypto/rand"
	"crypto/sha256"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"waybill/domain/credential"
)

func TestNew(t *testing.T) {
	t.Parallel()

	t.Run("MakesSecretsThatCanBeRead", func(t *testing.T) {
		t.Parallel()
		for range 1000 {
			key, err := credential.New(credential.APIKey, rand.Reader)
			require.NoError(t, err)
			read, ok := credential.Parse(credential.APIKey, key.Reveal())
			require.True(t, ok)
			require.Equal(t, key, read)
			require.Regexp(t, `^wbk_[a-z2-7]{16}_[a-z2-7]{32}$`, key.Reveal())
		}
	})

	t.Run("TakesAllItsRandomnessFromTheSource", func(t *testing.T) {
		t.Parallel()
		key, err := credential.New(credential.APIKey, bytes.NewReader(make([]byte, 30)))
		require.NoError(t, err)
		require.Equal(t, "wbk_"+strings.Repeat("a", 16)+"_"+strings.Repeat("a", 32), key.Reveal())
	})

	t.Run("RefusesASourceThatRunsDry", func(t *testing.T) {
		t.Parallel()
		_, err := credential.New(credential.APIKey, bytes.NewReader(make([]byte, 29)))
		require.Error(t, err)
	})
}

func TestSecret(t *testing.T) {
	t.Parallel()
	const whole = "wbk_demo_0123456789abcdef"
	key, ok := credential.Parse(credential.APIKey, whole)
	require.True(t, ok)

	t.Run("IsFoundByItsPublicPartAndKeptAsAHashOfTheWhole", func(t *testing.T) {
		t.Parallel()
		require.Equal(t, "demo", key.Public())
		require.Equal(t, sha256.Sum256([]byte(whole)), key.Hash())
	})

	t.Run("PrintsWithoutItsSecret", func(t *testing.T) {
		t.Parallel()
		for _, format := range []string{"%v", "%+v", "%#v", "%s", "%q"} {
			require.NotContains(t, fmt.Sprintf(format, key), "0123456789")
		}
	})
}

func TestParse(t *testing.T) {
	t.Parallel()
	for _, malformed := range []string{
		"", "wbk_", "wbk__", "demo_0123456789abcdef", "WBK_demo_0123456789abcdef", "wbk_demo", "wbk_demo_",
		"wbk__0123456789abcdef", "wbk_demo_short", "wbk_demo_0123456789abcde_", "wbk_demo_0123456789abcdef ",
		"wbk_de-mo_0123456789abcdef", "wbk_demo_0123456789abcdéf", "wbk_demo_0123456789abcdef\x00",
		"wbk_" + strings.Repeat("a", 33) + "_0123456789abcdef", "wbk_demo_" + strings.Repeat("a", 129),
	} {
		_, ok := credential.Parse(credential.APIKey, malformed)
		require.False(t, ok, "%q", malformed)
	}
}
