// Package papertest reads, in tests, what sheets of paper say.
package papertest

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"io"
	"regexp"
	"strings"
	"testing"
	"unicode/utf16"
)

var (
	stream = regexp.MustCompile(`(?s)/Filter /FlateDecode /Length \d+>>\nstream\n(.*?)\nendstream`)
	shown  = regexp.MustCompile(`(?s) Td \(((?:\\.|[^\\)])*)\) Tj`)
	escape = strings.NewReplacer(`\\`, `\`, `\(`, `(`, `\)`, `)`, `\r`, "\r")
)

// Pages returns what each page of a PDF says, as its pen wrote it: from the left to
// the right, and without what separates lines.
func Pages(t testing.TB, file []byte) (pages []string) {
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

// Text returns what all pages say, without spaces: lines break where there is one.
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
