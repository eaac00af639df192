package proof_test

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"waybill/domain/proof"
)

// chain are three proofs, appended as the database does it.
func chain() (links []proof.Link) {
	previous := proof.First
	for i := range 3 {
		m := proof.Manifest{
			Action: "019cae5e", Comment: `Bak "skjulet", æøå ` + strings.Repeat("!", i),
			Driver: 17, Order: int64(i + 1), Type: "IN_PERSON",
			Occurred: time.Date(2026, 3, 2, 9, i, 0, 0, time.UTC), Pictures: []string{"ab"}, Signee: "Kari",
		}
		text, at := m.Open()
		runes := []rune(text)
		text = string(runes[:at-1]) + previous + string(runes[at-1+len(previous):])
		sum := sha256.Sum256([]byte(text))
		links = append(links, proof.Link{Seq: int64(i + 1), Text: text, Hash: sum[:], Says: m})
		previous = hex.EncodeToString(sum[:])
	}
	return links
}

func walk(links []proof.Link) error {
	var c proof.Chain
	for i := range links {
		if err := c.Next(&links[i]); err != nil {
			return err
		}
	}
	last := chain()[2]
	return c.End(3, last.Hash)
}

func TestAChainThatIsWhole(t *testing.T) {
	t.Parallel()
	require.NoError(t, walk(chain()))
	require.True(t, strings.HasPrefix(chain()[0].Text,
		`{"action":"019cae5e","comment":"Bak \"skjulet\", æøå ","driver":17,"occurredAt":`))
}

// TestOneFlippedByteIsFound changes one thing of one proof, wherever it lies.
func TestOneFlippedByteIsFound(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		links := chain()
		l := &links[rapid.IntRange(0, 2).Draw(t, "proof")]
		switch rapid.IntRange(0, 4).Draw(t, "what") {
		case 0:
			text := []byte(l.Text)
			text[rapid.IntRange(0, len(text)-1).Draw(t, "byte")] ^= 1 << rapid.IntRange(0, 7).Draw(t, "bit")
			l.Text = string(text)
		case 1:
			l.Hash[rapid.IntRange(0, len(l.Hash)-1).Draw(t, "byte")] ^= 1
		case 2:
			l.Says.Signee = "Karl"
		case 3: // somebody who knows how, but cannot change what follows
			l.Says.Signee = "Karl"
			sum := sha256.Sum256([]byte(strings.Replace(l.Text, "Kari", "Karl", 1)))
			l.Text, l.Hash = strings.Replace(l.Text, "Kari", "Karl", 1), sum[:]
		case 4:
			i := rapid.IntRange(0, 2).Draw(t, "gone")
			links = append(links[:i], links[i+1:]...)
		}
		require.Error(t, walk(links))
	})
}
