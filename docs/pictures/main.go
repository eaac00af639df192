// The program pictures draws the pictures of the documents: for each text file
// of its folder, the SVG beside it. `make pictures` runs it.
//
// A picture is boxes on a grid and arrows between them, one per line:
//
//	title What the picture shows
//	gap 90 60                                 room between columns and rows
//	top 30                                    room above the first row
//	box ID COLUMN,ROW KIND | first line | more
//	frame COLUMNS,ROWS KIND | title           behind boxes; COLUMNS as 1..3
//	arrow A -> B [dashed] [other] [via N] | label | more
//
// A box or frame may span columns and rows. An end of an arrow may say where it
// touches its box: A.r+10 is the right side (l, r, t, b), 10 below its middle.
// A label stands above or to the right of its arrow, and with `other` on the
// other side; `via` moves the arrow's middle part. Kinds are those of colors.
package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

func main() {
	if err := drawAll("docs/pictures"); err != nil {
		fmt.Fprintln(os.Stderr, "pictures:", err)
		os.Exit(1)
	}
}

// drawAll redraws every picture of a folder.
func drawAll(dir string) error {
	sources, err := filepath.Glob(filepath.Join(dir, "*.txt"))
	if err != nil {
		return err
	}
	for _, source := range sources {
		svg, err := drawFile(source)
		if err != nil {
			return err
		}
		if err := os.WriteFile(target(source), svg, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// target is the path of the picture of a source.
func target(source string) string { return strings.TrimSuffix(source, ".txt") + ".svg" }

func drawFile(source string) ([]byte, error) {
	text, err := os.ReadFile(source)
	if err != nil {
		return nil, err
	}
	if isChart(string(text)) {
		c, err := parseChart(string(text))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", source, err)
		}
		return c.svg(), nil
	}
	p, err := parse(string(text))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", source, err)
	}
	return p.svg()
}
