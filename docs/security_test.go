package docs_test

import (
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/domain/account"
)

// TestSecurityTimesAreDocumented holds what docs/security.md says against the program.
func TestSecurityTimesAreDocumented(t *testing.T) {
	t.Parallel()
	text := page(t)
	for _, says := range []string{
		fmt.Sprintf("%.0f hour idle, %.0f hours in all", account.BrowserIdle.Hours(), account.BrowserLifetime.Hours()),
		fmt.Sprintf("%d days idle, %d in all", days(account.DeviceIdle), days(account.DeviceLifetime)),
		fmt.Sprintf("%d days at most", days(account.TokenLifetime)),
		fmt.Sprintf("%d passkeys at most", account.MostPasskeys),
		"at least 15 characters, or 8 where", "waybill, password, passphrase, passord and adgangskode",
	} {
		require.Contains(t, text, says)
	}
	require.Equal(t, 3*24*time.Hour, account.InvitationLifetime)
	require.Equal(t, time.Hour, account.ResetLifetime)
	require.Equal(t, 10*time.Minute, account.EnrolmentLifetime)
	require.Equal(t, 10*time.Minute, account.ChallengeLifetime)
}

func days(d time.Duration) int { return int(d / (24 * time.Hour)) }

func page(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile("security.md")
	require.NoError(t, err)
	return strings.Join(strings.Fields(string(text)), " ")
}

var testName = regexp.MustCompile("`(Test[A-Za-z0-9]+)`")

// TestTableNamesExistingTests follows the names of tests in docs/security.md.
func TestTableNamesExistingTests(t *testing.T) {
	t.Parallel()
	for _, found := range testName.FindAllStringSubmatch(page(t), -1) {
		out, err := exec.CommandContext(t.Context(), "grep", "-rl", "--include=*_test.go", "^func "+found[1]+"(", "..").Output()
		require.NoError(t, err, "there is no %s", found[1])
		require.NotEmpty(t, out)
	}
}
