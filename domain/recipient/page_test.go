package recipient_test

import (
	"encoding/base64"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"waybill/domain/recipient"
)

func png(size int) string {
	content := []byte("\x89PNG\r\n\x1a\n" + strings.Repeat("x", size))
	return "data:image/png;base64," + base64.StdEncoding.EncodeToString(content)
}

func TestPagesAreChecked(t *testing.T) {
	t.Parallel()
	require.Empty(t, (*recipient.Page)(nil).Problems("page"))
	require.Empty(t, (&recipient.Page{}).Problems("page"))
	require.Empty(t, (&recipient.Page{
		Color: "#0a6B4f", Logo: png(10), Phone: "+47 22 00 00 00", Email: "post@example.no",
		Website: "https://example.no/hjelp", Domain: "spor.example.no", MoveMinutes: 5,
	}).Problems("page"))
	for field, wrong := range map[string][]recipient.Page{
		"color": {{Color: "red"}, {Color: "#fff"}, {Color: "#12345G"}, {Color: "#123456;}body{display:none"}},
		"logo": {
			{Logo: "x"},
			{Logo: "data:image/svg+xml;base64,PHN2Zz4="},
			{Logo: "data:image/png;base64,PHN2Zz4="},
			{Logo: png(25_000)},
		},
		"phone": {{Phone: "call us"}, {Phone: "+47 22 00 00 00;ext=1"}},
		"email": {{Email: "nobody"}},
		"website": {
			{Website: "example.no"},
			{Website: "javascript:alert(1)"},
			{Website: "https://user@example.no"},
			{Website: "http://example.no"},
		},
		"domain": {
			{Domain: "https://example.no"},
			{Domain: "example"},
			{Domain: "a b.no"},
			{Domain: "-a.no"},
			{Domain: "127.0.0.1"},
		},
		"move_minutes": {{MoveMinutes: 4}, {MoveMinutes: 121}, {MoveMinutes: -1}},
	} {
		for _, page := range wrong {
			problems := page.Problems("page")
			require.Len(t, problems, 1, "%+v", page)
			require.Equal(t, "page."+field, problems[0].Field)
		}
	}
}

// TestTextOnEveryColorIsReadable goes through colors of all kinds.
func TestTextOnEveryColorIsReadable(t *testing.T) {
	t.Parallel()
	require.InDelta(t, 21, recipient.Contrast("#000000", "#FFFFFF"), 0.001)
	require.InDelta(t, 4.54, recipient.Contrast("#767676", "#FFFFFF"), 0.01)
	for r := 0; r < 256; r += 5 {
		for g := 0; g < 256; g += 5 {
			for b := 0; b < 256; b += 5 {
				page := recipient.Page{Color: fmt.Sprintf("#%02X%02X%02X", r, g, b)}
				require.GreaterOrEqual(t, recipient.Contrast(page.Color, page.Ink()), 4.5, page.Color)
			}
		}
	}
}

func TestLinksBeginWithTheDomain(t *testing.T) {
	t.Parallel()
	const usual = "https://waybill.example/t/"
	require.Equal(t, usual, (*recipient.Page)(nil).Links(usual))
	require.Equal(t, usual, (&recipient.Page{}).Links(usual))
	require.Equal(t, "https://spor.example.no/t/", (&recipient.Page{Domain: "spor.example.no"}).Links(usual))
}
