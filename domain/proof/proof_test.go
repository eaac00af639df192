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
	for i := range 3 {
		m := said(i)
		m.Scans = []proof.Scan{{Code: `37"0712`, Product: 4}, {Code: "æøå"}}
		text, at := m.Open()
		links = linked(links, m, text, at)
	}
	return links
}

func said(i int) proof.Manifest {
	return proof.Manifest{
		Action: "019cae5e", Comment: `Bak "skjulet", æøå ` + strings.Repeat("!", i),
		Driver: 17, Order: int64(i + 1), Type: "IN_PERSON",
		Occurred: time.Date(2026, 3, 2, 9, i, 0, 0, time.UTC), Pictures: []string{"ab"}, Signee: "Kari",
	}
}

// linked appends a proof behind others.
func linked(links []proof.Link, says proof.Manifest, text string, at int) []proof.Link {
	previous := proof.First
	if len(links) > 0 {
		previous = hex.EncodeToString(links[len(links)-1].Hash)
	}
	runes := []rune(text)
	text = string(runes[:at-1]) + previous + string(runes[at-1+len(previous):])
	sum := sha256.Sum256([]byte(text))
	return append(links, proof.Link{Seq: int64(len(links) + 1), Text: text, Hash: sum[:], Says: says})
}

// walk walks a chain whose last proof is stored and logged correctly.
func walk(links []proof.Link) error {
	last := chain()[2]
	return walkTo(links, proof.Last{Seq: 3, Hash: last.Hash}, proof.Last{Seq: 3, Hash: last.Hash}, nil)
}

func walkTo(links []proof.Link, kept, told proof.Last, noted []byte) error {
	c := proof.Chain{Noted: noted}
	for i := range links {
		if err := c.Next(&links[i]); err != nil {
			return err
		}
	}
	return c.End(kept, told)
}

func TestIntactChain(t *testing.T) {
	t.Parallel()
	require.NoError(t, walk(chain()))
	require.True(t, strings.HasPrefix(chain()[0].Text,
		`{"action":"019cae5e","comment":"Bak \"skjulet\", æøå ","driver":17,"occurredAt":`))
}

// TestChainStaysValidAfterErasure erases a signee from a proof's row and text:
// the chain stays valid as long as the two agree and the proof follows the one before
// it.
func TestChainStaysValidAfterErasure(t *testing.T) {
	t.Parallel()
	erased := chain()
	erased[1].Text = strings.Replace(erased[1].Text, "Kari", "[erased]", 1)
	require.Error(t, walk(erased), "nobody says that it was erased")
	erased[1].Erased = true
	require.Error(t, walk(erased), "its row says something else")
	erased[1].Says.Signee = "[erased]"
	require.NoError(t, walk(erased))
	c := proof.Chain{}
	for i := range erased {
		require.NoError(t, c.Next(&erased[i]))
	}
	require.Equal(t, 1, c.Erased)
	erased[1].Text = strings.Replace(erased[1].Text, `"previous":"`, `"previous":"f`, 1)
	require.Error(t, walk(erased))
}

// TestAnyChangeOfAProofIsDetected changes one random value of one proof.
func TestAnyChangeOfAProofIsDetected(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		links := chain()
		l := &links[rapid.IntRange(0, 2).Draw(t, "proof")]
		switch rapid.IntRange(0, 7).Draw(t, "what") {
		case 0:
			text := []byte(l.Text)
			text[rapid.IntRange(0, len(text)-1).Draw(t, "byte")] ^= 1 << rapid.IntRange(0, 7).Draw(t, "bit")
			l.Text = string(text)
		case 1:
			l.Hash[rapid.IntRange(0, len(l.Hash)-1).Draw(t, "byte")] ^= 1
		case 2:
			l.Says.Signee = "Karl"
		case 3: // a forger who knows the format but cannot change later proofs
			l.Says.Signee = "Karl"
			sum := sha256.Sum256([]byte(strings.Replace(l.Text, "Kari", "Karl", 1)))
			l.Text, l.Hash = strings.Replace(l.Text, "Kari", "Karl", 1), sum[:]
		case 4:
			i := rapid.IntRange(0, 2).Draw(t, "gone")
			links = append(links[:i], links[i+1:]...)
		case 5:
			i := rapid.IntRange(0, 1).Draw(t, "first of two that change places")
			links[i], links[i+1] = links[i+1], links[i]
			links[i].Seq, links[i+1].Seq = links[i+1].Seq, links[i].Seq
		case 6:
			l.Says.Scans = l.Says.Scans[1:]
		case 7:
			l.Says.Scans = append(l.Says.Scans, proof.Scan{Code: "4"})
		}
		require.Error(t, walk(links))
	})
}

// TestOlderManifestsStayValid continues a chain with current
// manifests after one from before scans.
func TestOlderManifestsStayValid(t *testing.T) {
	t.Parallel()
	old := said(0)
	old.Previous = proof.First
	text := old.Text()
	require.NotContains(t, text, "version")
	before, _, _ := strings.Cut(text, proof.First)
	links := linked(nil, said(0), text, len([]rune(before))+1)
	require.Equal(t, text, links[0].Text)

	now := said(1)
	now.Scans = []proof.Scan{{Code: "370712"}}
	text, at := now.Open()
	require.Contains(t, text, `"scans":[{"code":"370712"}],"signee":"Kari","type":"IN_PERSON","version":2}`)
	links = linked(links, now, text, at)
	last := proof.Last{Seq: 2, Hash: links[1].Hash}
	require.NoError(t, walkTo(links, last, last, nil))

	links[0].Says.Scans = now.Scans // forged in its row
	require.Error(t, walkTo(links, last, last, nil))
}

// TestReplacedEndOfChainIsDetected removes or replaces the last proof, together
// with the stored record of it.
func TestReplacedEndOfChainIsDetected(t *testing.T) {
	t.Parallel()
	links := chain()
	second, third := proof.Last{Seq: 2, Hash: links[1].Hash}, proof.Last{Seq: 3, Hash: links[2].Hash}
	var broken *proof.Broken
	require.ErrorAs(t, walkTo(links[:2], second, third, nil), &broken, "the log tells of a third")
	require.Equal(t, int64(3), broken.Seq)
	require.ErrorAs(t, walkTo(links[:2], third, second, nil), &broken, "a third was kept")

	other := said(2)
	other.Signee = "Karl"
	text, at := other.Open()
	made := linked(links[:2:2], other, text, at)
	replaced := proof.Last{Seq: 3, Hash: made[2].Hash}
	require.ErrorAs(t, walkTo(made, replaced, third, nil), &broken, "the log tells of another one")
	require.NoError(t, walkTo(made, replaced, proof.Last{}, nil), "the log has forgotten")
	var absent *proof.Absent
	require.ErrorAs(t, walkTo(made, replaced, proof.Last{}, third.Hash), &absent, "but somebody has noted it")
	require.NoError(t, walkTo(links, third, third, second.Hash))
}
