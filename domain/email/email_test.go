package email_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"waybill/domain/email"
)

func TestAddresses(t *testing.T) {
	t.Parallel()
	for _, good := range []string{
		"kari@example.com", "kari.nordmann+x@sub.example.no", "post@3m.example", "kari@blåbær.no", "åse@example.no",
		`"to ord"@example.no`, `"a@b"@example.no`,
	} {
		normalized, ok := email.Normalize(good)
		require.True(t, ok, good)
		require.Equal(t, good, normalized)
	}
	plain, ok := email.Normalize(`"ok.q"@x.example`)
	require.True(t, ok, "quotes that nobody needs")
	require.Equal(t, "ok.q@x.example", plain)
	for _, bad := range []string{
		"", "kari", "kari@", "@example.com", "kari@example", "Kari <kari@example.com>", "a@example.com, b@example.com",
		"kari@example.com\r\nBcc: x@example.com", strings.Repeat("a", 65) + "@example.com",
		"kari@" + strings.Repeat("a", 250) + ".com",
		`"a\r\nb"@example.no`, `"Kari" <kari@example.com>`, "kari@example.com (Kari)", "kari@blå bær.no", "kari@\u200d.no",
		"a@[127.0.0.1]", "a@127.0.0.1", "a@-b.example", "a@b-.example", "a@b..example", "a@b.example.", "a@b.1",
	} {
		_, ok := email.Normalize(bad)
		require.False(t, ok, bad)
	}
	for address, want := range map[string]string{
		"kari@Blåbær.no": "kari@xn--blbr-roah.no", "åse@example.no": "åse@example.no", "kari@例え.jp": "kari@xn--r8jz45g.jp",
	} {
		wire, ok := email.Wire(address)
		require.True(t, ok)
		require.Equal(t, want, wire)
		require.Equal(t, strings.HasPrefix(address, "å"), email.NeedsUTF8(wire))
	}
}
