package account_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"waybill/domain/account"
)

var about = account.Context{
	Organization: "Nordfrakt AS", Slug: "nordfrakt", Name: "Kari Rasmussen Berg", Email: "kari.berg@nordfrakt.example",
}

// refused returns the message with which a passphrase is refused, or "".
func refused(passphrase string, second bool) string {
	why := account.CheckPassphrase(passphrase, second, about)
	if why == nil {
		return ""
	}
	return why.ID
}

// TestPassphraseLengthCountsCharacters checks that length counts characters, not bytes.
func TestPassphraseLengthCountsCharacters(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		passphrase string
		second     bool
		refused    string
	}{
		{"tractor beam o", false, "passphrase.short"},
		{"tractor beam ov", false, ""},
		{"tråktør bæm øv", false, "passphrase.short"},
		{"tråktør bæm øve", false, ""},
		{"🚚🛥🚲🚜🛵🚛🛺🚒🚓🚑🚐🚌🚎🏎", false, "passphrase.short"},
		{"🚚🛥🚲🚜🛵🚛🛺🚒🚓🚑🚐🚌🚎🏎🛻", false, ""},
		{"lysning", true, "passphrase.short_second"},
		{"lysninge", true, ""},
		{"tractor beam over the hills of lillehammer, at 73 bytes or somewhat more than that", false, ""},
		{longest(1024), false, ""},
		{longest(1025), false, "passphrase.long"},
		{"tractor beam \xff over", false, "passphrase.not_text"},
	} {
		require.Equal(t, tc.refused, refused(tc.passphrase, tc.second), tc.passphrase)
	}
}

// longest is a passphrase of n characters without repetition.
func longest(length int) string {
	var text strings.Builder
	for i := 0; text.Len() < length; i++ {
		text.WriteString(strings.Repeat(string(rune('a'+i%26)), 1+i*7%5))
	}
	return text.String()[:length]
}

// TestOnlyGuessablePassphrasesAreRefused checks that there are no composition rules, and
// that common passphrases and the account's own words are refused with a reason.
func TestOnlyGuessablePassphrasesAreRefused(t *testing.T) {
	t.Parallel()
	for _, good := range []string{
		"tractorbeamoverlillehammer", "TRACTOR BEAM OVER", "830912746501938", "               x tractor y",
		"ta bussen til Kari i morgen",
		"nordfrakt kjører alltid seint om kvelden",
	} {
		require.Empty(t, refused(good, false), good)
	}
	for passphrase, why := range map[string]string{
		"passwordpassword":                "passphrase.common",
		"aaaaaaaaaaaaaaaa":                "passphrase.common",
		"abcabcabcabcabcabc":              "passphrase.common",
		"abcdefghijklmnopqrstuvwxyz":      "passphrase.common",
		"9876543210987654":                "passphrase.common",
		"1q2w3e4r1q2w3e4r":                "passphrase.common",
		"Nordfrakt Nordfrakt":             "passphrase.context",
		"KariRasmussenBerg1":              "passphrase.context",
		"kari.berg@nordfrakt.example":     "passphrase.context",
		"Waybill-Nordfrakt-1":             "passphrase.context",
		"passphrase nordfrakt 2026":       "passphrase.context",
		"kari.berg@nordfrakt.example2026": "passphrase.context",
	} {
		require.Equal(t, why, refused(passphrase, false), passphrase)
	}
}
