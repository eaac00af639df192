package paper_test

import (
	"bytes"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/domain/proof/paper"
	"waybill/domain/proof/paper/papertest"
)

// read returns the text of each page.
func read(t *testing.T, s *paper.Sheet) (pages []string) {
	t.Helper()
	file, err := s.PDF()
	require.NoError(t, err)
	return papertest.Pages(t, file)
}

func sheet(parts ...paper.Part) *paper.Sheet {
	return &paper.Sheet{
		Language: "nb", Title: "Leveringsbevis", Made: time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC), Parts: parts,
		Foot: "Ordre 7", Lacking: "a letter is lacking",
	}
}

func TestNamesAreDrawnInEveryScript(t *testing.T) {
	t.Parallel()
	for name, drawn := range map[string]string{
		"Bjørn Åse Ægir":    "Bjørn Åse Ægir",
		"Zoë Łukasz Dvořák": "Zoë Łukasz Dvořák",
		"A\u030ase":         "Åse",
		"Олена Ковальчук":   "Олена Ковальчук",
		"Νίκος":             "Νίκος",
		"Nguyễn Thị Hạnh":   "Nguyễn Thị Hạnh",
		"王小明 东铁龙 田中さん 김민수":  "王小明东铁龙田中さん김민수",
		"דויד":              "\u05d3\u05d9\u05d5\u05d3",
		"محمد":              "\ufeaa\ufee4\ufea4\ufee3", // from the left: the last letter first
		"سلام":              "\ufee1\ufefc\ufeb3",
	} {
		text := strings.Join(read(t, sheet(paper.Part{Facts: []paper.Fact{{Name: "Kvittert av", Value: name}}})), "")
		require.Contains(t, strings.ReplaceAll(text, " ", ""), strings.ReplaceAll(drawn, " ", ""), name)
		require.NotContains(t, text, "lacking")
	}
}

func TestMissingLetterIsNoted(t *testing.T) {
	t.Parallel()
	text := strings.Join(read(t, sheet(paper.Part{Facts: []paper.Fact{{Name: "Kvittert av", Value: "Kari 🚚 𠮷\x00"}}})), "")
	require.Contains(t, text, "Kari □ □")
	require.Contains(t, text, "a letter is lacking")
}

func TestLongTextsGoOnOnTheNextPage(t *testing.T) {
	t.Parallel()
	codes := strings.Repeat("370712345678901234, ", 1000) + strings.Repeat("9", 5000) + " last"
	pages := read(t, sheet(paper.Part{Heading: "Skannet", Texts: []string{codes}}))
	require.Greater(t, len(pages), 3)
	whole := strings.Join(pages, "")
	require.Equal(t, 1000, strings.Count(whole, "370712345678901234,"))
	require.Equal(t, 5000, strings.Count(whole, "9")-1000)
	require.Contains(t, pages[len(pages)-1], "last")
	require.Contains(t, pages[1], "Ordre 7 · 2/")
}

func picture(t *testing.T, width, height int, encode func(io.Writer, image.Image) error) []byte {
	t.Helper()
	m := image.NewRGBA(image.Rect(0, 0, width, height))
	m.Set(width/2, height/2, color.Black)
	var out bytes.Buffer
	require.NoError(t, encode(&out, m))
	return out.Bytes()
}

func asJPEG(w io.Writer, m image.Image) error { return jpeg.Encode(w, m, nil) }

func TestPicturesAreScaledForPrinting(t *testing.T) {
	t.Parallel()
	small, err := paper.Shrink(bytes.NewReader(picture(t, 3000, 2000, asJPEG)))
	require.NoError(t, err)
	require.Equal(t, []int{1200, 800}, []int{small.Width, small.Height})

	clear, err := paper.Shrink(bytes.NewReader(picture(t, 300, 100, png.Encode)))
	require.NoError(t, err)
	drawn, err := jpeg.Decode(bytes.NewReader(clear.JPEG))
	require.NoError(t, err)
	light, _, _, _ := drawn.At(2, 2).RGBA()
	require.Greater(t, light, uint32(0xf000), "a signature is on white")

	pages := read(t, sheet(paper.Part{Heading: "Bilder", Pictures: []paper.Picture{
		{Image: small, Caption: "Bilde 1"}, {Image: clear, Caption: "Bilde 2"}, {Instead: "Ikke kommet", Caption: "Bilde 3"},
	}}))
	for _, said := range []string{"Bilde 1", "Bilde 2", "Ikke kommet", "Bilde 3"} {
		require.Contains(t, pages[0], said)
	}
}

// TestHugePictureIsRefused uses a small PNG with a huge size in its
// header.
func TestHugePictureIsRefused(t *testing.T) {
	t.Parallel()
	_, err := paper.Shrink(bytes.NewReader(picture(t, 5000, 4000, png.Encode)))
	require.ErrorIs(t, err, paper.ErrTooManyPixels)
	_, err = paper.Shrink(strings.NewReader("no picture"))
	require.Error(t, err)
	whole := picture(t, 300, 200, asJPEG)
	_, err = paper.Shrink(bytes.NewReader(whole[:len(whole)/2]))
	require.Error(t, err)
}
