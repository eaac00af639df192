package recipient_test

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"waybill/domain/driving"
	"waybill/domain/recipient"
)

// TestReasonsOfTheDriverAppAreKnown reads what the app offers.
func TestReasonsOfTheDriverAppAreKnown(t *testing.T) {
	t.Parallel()
	offered := regexp.MustCompile(`\["phone_reason\.(\w+)"\]\n(?:description.*\n)?other = "(.*)"`)
	for _, language := range []string{"en", "nb", "da"} {
		words, err := os.ReadFile("../../web/driver/messages/active." + language + ".toml")
		require.NoError(t, err)
		reasons := offered.FindAllStringSubmatch(string(words), -1)
		require.Len(t, reasons, 6)
		for _, reason := range reasons {
			require.Equal(t, strings.ToUpper(reason[1]), string(recipient.FailureOf(reason[2])), "%s: %s", language, reason[2])
		}
	}
	require.Equal(t, recipient.Refused, recipient.FailureOf(driving.ReasonRefused))
	require.Equal(t, recipient.Missing, recipient.FailureOf(driving.ReasonMissing))
	require.Equal(t, recipient.OtherFailure, recipient.FailureOf("The customer shouted at me"))
}
