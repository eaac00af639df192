package account_test

import (
	"fmt"
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/domain/account"
)

// TestConsoleShowsSessionLimits compares the session lifetimes shown in the
// console with the real ones.
func TestConsoleShowsSessionLimits(t *testing.T) {
	t.Parallel()
	said, err := os.ReadFile("../../web/console/src/lib/settings/security.ts")
	require.NoError(t, err)
	for name, length := range map[string]time.Duration{
		"BrowserIdle": account.BrowserIdle, "BrowserLifetime": account.BrowserLifetime,
		"DeviceIdle": account.DeviceIdle, "DeviceLifetime": account.DeviceLifetime,
		"TokenLifetime": account.TokenLifetime, "InvitationLifetime": account.InvitationLifetime,
	} {
		require.Regexp(t, fmt.Sprintf(`\b%s: %d\b`, name, int(length.Hours())), string(said))
	}
}
