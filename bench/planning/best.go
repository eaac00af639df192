package main

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// known is the best known result.
type known struct {
	vehicles int
	distance float64
}

// bestKnown reads all tables of best known values in a folder: the name first,
// vehicles and distance last.
func bestKnown(folder string) (map[string]known, error) {
	paths, err := filepath.Glob(filepath.Join(folder, "best-known*.tsv"))
	if err != nil {
		return nil, fmt.Errorf("find best known values: %w", err)
	}
	best := map[string]known{}
	for _, path := range paths {
		if err := readBest(path, best); err != nil {
			return nil, err
		}
	}
	return best, nil
}

func readBest(path string, best map[string]known) error {
	file, err := os.Open(path)
	if err != nil {
		return fmt.Errorf("read best known values: %w", err)
	}
	defer func() { _ = file.Close() }()
	lines := bufio.NewScanner(file)
	for lines.Scan() {
		fields := strings.Split(lines.Text(), "\t")
		if len(fields) < 3 {
			continue
		}
		vehicles, err := strconv.Atoi(fields[len(fields)-2])
		if err != nil {
			continue // the head
		}
		distance, err := strconv.ParseFloat(fields[len(fields)-1], 64)
		if err != nil {
			return fmt.Errorf("read %s: %w", path, err)
		}
		best[fields[0]] = known{vehicles, distance}
	}
	return lines.Err()
}
