package people_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestPassphraseIsNotTruncated signs in with passphrases that others cut, or take for
// another because of how a keyboard composed them.
func TestPassphraseIsNotTruncated(t *testing.T) {
	t.Parallel()
	p := newStaff(t)
	user := p.add("kari@acme.example", "support")
	line := strings.Repeat("over hills and far away, ", 6)
	for name, tc := range map[string]struct{ chosen, same, other string }{
		"64 characters":  {line[:64], line[:64], line[:63]},
		"73 bytes":       {line[:73], line[:73], line[:72]},
		"128 characters": {line[:128], line[:128], line[:127]},
		"spaces":         {"  two before and one after ", "  two before and one after ", "two before and one after"},
		"emoji":          {"🚚🛥🚲🚜🛵🚛🛺🚒🚓🚑🚐🚌🚎🏎🛻", "🚚🛥🚲🚜🛵🚛🛺🚒🚓🚑🚐🚌🚎🏎🛻", "🚚🛥🚲🚜🛵🚛🛺🚒🚓🚑🚐🚌🚎🏎🚚"},
		"composed":       {"Ål på Åsane søndag", "A\u030al pa\u030a A\u030asane søndag", "Al pa Asane søndag"},
		"decomposed":     {"\u00c5pent hav u\u0308ber alles", "A\u030apent hav \u00fcber alles", "Apent hav uber alles"},
		"Ø":              {"Øst for Østensjø er O", "Øst for Østensjø er O", "Ost for Ostensjo er O"},
	} {
		require.NoError(t, p.SetPassphrase(t.Context(), p.operator(), user.ID, tc.chosen), name)
		_, err := p.signIn("kari@acme.example", tc.same)
		require.NoError(t, err, name)
		_, err = p.signIn("kari@acme.example", tc.other)
		require.Error(t, err, name)
		p.forward(time.Minute)
	}
}

// TestPassphrasesDoNotExpire signs in with one that is ten years old.
func TestPassphrasesDoNotExpire(t *testing.T) {
	t.Parallel()
	p := newStaff(t)
	p.add("kari@acme.example", "support")
	p.forward(10 * 365 * 24 * time.Hour)
	in, err := p.signIn("kari@acme.example", passphrase)
	require.NoError(t, err)
	require.NotNil(t, in.Session)
}
