package paper_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/makiuchi-d/gozxing"
	"github.com/makiuchi-d/gozxing/oned"
	"github.com/stretchr/testify/require"

	"waybill/domain/proof/paper"
	"waybill/domain/proof/paper/papertest"
)

// parcels returns labels, each with its own code.
func parcels(many int, size paper.Size) *paper.Labels {
	l := &paper.Labels{Language: "nb", Title: "Etiketter", Size: size}
	for i := range many {
		code := fmt.Sprintf("00106141412345%06d", i)
		l.Labels = append(l.Labels, paper.Label{
			From:    paper.Address{Name: "Fjord Møbler AS", Street: "Alfasetveien 24", Place: "NO-0668 Oslo"},
			Whereto: paper.Address{Name: "Ola Hansen", Street: "Thorvald Meyers gate 40, 3. etg.", Place: "NO-0555 Oslo"},
			Facts: []paper.Fact{
				{Name: "Ordre", Value: fmt.Sprintf("SO-2026-%05d", i)},
				{Name: "Dato", Value: "2026-03-02"},
				{Name: "Tjeneste", Value: "Standard"},
				{Name: "Kolli", Value: "1/3"},
				{Name: "Vekt", Value: "64.1 kg"},
			},
			Code: code, GS1: true, Readable: "(00) " + code[2:],
		})
	}
	return l
}

// Scanners can read labels of either size.
func TestLabelsAreRead(t *testing.T) {
	t.Parallel()
	for name, size := range map[string]paper.Size{"A6": paper.A6, "4x6": paper.FourBySix} {
		l := parcels(3, size)
		l.Labels[1].Code, l.Labels[1].GS1 = "WB-1042 ~^>{}", false
		l.Labels[2].Code, l.Labels[2].GS1 = strings.Repeat("Wy", 16), false // as long as it gets
		pdf, err := l.PDF()
		require.NoError(t, err)
		pages := papertest.Barcodes(t, pdf)
		require.Len(t, pages, 3, name)
		for i, page := range pages {
			bitmap, err := gozxing.NewBinaryBitmapFromImage(page)
			require.NoError(t, err)
			read, err := oned.NewCode128Reader().Decode(bitmap, nil)
			require.NoError(t, err, "%s %d", name, i)
			require.Equal(t, l.Labels[i].Code, read.GetText())
		}
		require.Contains(t, papertest.Text(t, pdf), "FjordMøblerAS")
	}
}

// User text contains no printer commands.
func TestTextCannotInjectPrinterCommands(t *testing.T) {
	t.Parallel()
	l := parcels(1, paper.A6)
	l.Labels[0].Whereto.Name = "^XA~JR_5E\n^FS"
	l.Labels[0].Code, l.Labels[0].GS1 = "A>B^C", false
	commands, err := l.ZPL()
	require.NoError(t, err)
	zpl := string(commands)
	require.Equal(t, 1, strings.Count(zpl, "^XA"))
	require.NotContains(t, zpl, "~")
	require.Contains(t, zpl, "^FH_^FD_5EXA_7EJR_5F5E _5EFS^FS")
	require.Contains(t, zpl, "^FDA>0B_5EC^FS")
}

func BenchmarkLabels(b *testing.B) {
	l := parcels(500, paper.A6)
	for b.Loop() {
		_, err := l.PDF()
		require.NoError(b, err)
	}
}
