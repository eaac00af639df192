// Package papertest reads the text of printed documents in tests.
package papertest

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"image"
	"image/draw"
	"io"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"unicode/utf16"
)

var (
	stream = regexp.MustCompile(`(?s)/Filter /FlateDecode /Length \d+>>\nstream\n(.*?)\nendstream`)
	shown  = regexp.MustCompile(`(?s) Td \(((?:\\.|[^\\)])*)\) Tj`)
	escape = strings.NewReplacer(`\\`, `\`, `\(`, `(`, `\)`, `)`, `\r`, "\r")
)

// Pages returns the text of each page of a PDF in the order in which it was drawn,
// without line breaks.
func Pages(t testing.TB, file []byte) (pages []string) {
	t.Helper()
	for _, content := range contents(t, file) {
		var page strings.Builder
		for _, text := range shown.FindAllSubmatch(content, -1) {
			page.WriteString(decoded(escape.Replace(string(text[1]))))
		}
		if page.Len() > 0 {
			pages = append(pages, page.String())
		}
	}
	return pages
}

// contents are the streams of a PDF that are compressed text, such as its pages.
func contents(t testing.TB, file []byte) (all [][]byte) {
	t.Helper()
	for _, found := range stream.FindAllSubmatch(file, -1) {
		r, err := zlib.NewReader(bytes.NewReader(found[1]))
		if err != nil {
			continue
		}
		content, err := io.ReadAll(r)
		if err != nil {
			t.Fatalf("a stream of the PDF cannot be read: %v", err)
		}
		all = append(all, content)
	}
	return all
}

// Text returns the text of all pages without spaces, because lines break at
// spaces.
func Text(t testing.TB, file []byte) string {
	t.Helper()
	return strings.ReplaceAll(strings.Join(Pages(t, file), ""), " ", "")
}

func decoded(text string) string {
	units := make([]uint16, len(text)/2)
	for i := range units {
		units[i] = binary.BigEndian.Uint16([]byte(text[2*i:]))
	}
	return string(utf16.Decode(units))
}

var filled = regexp.MustCompile(`(?m)^([\d.]+) ([\d.]+) ([\d.]+) (-?[\d.]+) re f$`)

// Barcodes returns the black areas of each page of a PDF as one line of pixels,
// for barcode readers.
func Barcodes(t testing.TB, file []byte) (codes []image.Image) {
	t.Helper()
	const dots, width, height = 6, 2400, 40
	for _, content := range contents(t, file) {
		page := image.NewGray(image.Rect(0, 0, width, height))
		draw.Draw(page, page.Bounds(), image.White, image.Point{}, draw.Src)
		bars := filled.FindAllSubmatch(content, -1)
		for _, bar := range bars {
			left, wide := number(t, bar[1])*dots, number(t, bar[3])*dots
			at := image.Rect(int(left+0.5), 0, int(left+wide+0.5), height)
			draw.Draw(page, at, image.Black, image.Point{}, draw.Src)
		}
		if len(bars) > 0 {
			codes = append(codes, page)
		}
	}
	return codes
}

func number(t testing.TB, text []byte) float64 {
	t.Helper()
	n, err := strconv.ParseFloat(string(text), 64)
	if err != nil {
		t.Fatalf("a number of the PDF cannot be read: %v", err)
	}
	return n
}
