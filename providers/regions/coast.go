package regions

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"

	"github.com/paulmach/orb"
	"github.com/paulmach/osm"
	"github.com/paulmach/osm/osmpbf"

	"waybill/domain/region"
)

// seaOf returns the sea within the bounds of an extract, or nothing if it has no coast. An extract
// has coasts as lines only.
func seaOf(ctx context.Context, path string, bounds region.Bounds) (orb.MultiPolygon, error) {
	ways, err := coastsIn(ctx, path)
	if err != nil || len(ways) == 0 {
		return nil, err
	}
	positions, err := positionsOf(ctx, path, ways)
	if err != nil {
		return nil, err
	}
	box := orb.Bound{Min: orb.Point{bounds.West, bounds.South}, Max: orb.Point{bounds.East, bounds.North}}
	return seaIn(box, linesOf(joined(ways), positions)), nil
}

// coastsIn returns the nodes of each coastline of an extract. Land is on their left.
func coastsIn(ctx context.Context, path string) (ways [][]osm.NodeID, err error) {
	isCoast := func(way *osm.Way) bool { return way.Tags.Find("natural") == "coastline" && len(way.Nodes) > 1 }
	err = scan(ctx, path, func(s *osmpbf.Scanner) {
		s.SkipNodes, s.SkipRelations, s.FilterWay = true, true, isCoast
	}, func(object osm.Object) {
		if way, ok := object.(*osm.Way); ok {
			ways = append(ways, way.Nodes.NodeIDs())
		}
	})
	return ways, err
}

// positionsOf returns where the nodes of some ways are. Those outside of the extract are missing.
func positionsOf(ctx context.Context, path string, ways [][]osm.NodeID) (map[osm.NodeID]orb.Point, error) {
	positions := make(map[osm.NodeID]orb.Point)
	wanted := make(map[osm.NodeID]struct{})
	for _, way := range ways {
		for _, id := range way {
			wanted[id] = struct{}{}
		}
	}
	isWanted := func(node *osm.Node) bool {
		_, ok := wanted[node.ID]
		return ok
	}
	err := scan(ctx, path, func(s *osmpbf.Scanner) {
		s.SkipWays, s.SkipRelations, s.FilterNode = true, true, isWanted
	}, func(object osm.Object) {
		if node, ok := object.(*osm.Node); ok {
			positions[node.ID] = node.Point()
		}
	})
	return positions, err
}

// scan calls visit with each object of an extract that the scanner is set to read.
func scan(ctx context.Context, path string, set func(*osmpbf.Scanner), visit func(osm.Object)) (err error) {
	file, err := os.Open(path) //nolint:gosec // the operator names it
	if err != nil {
		return fmt.Errorf("read the coasts: %w", err)
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	scanner := osmpbf.New(ctx, file, max(1, runtime.GOMAXPROCS(0)-1))
	defer func() { err = errors.Join(err, scanner.Close()) }()
	set(scanner)
	for scanner.Scan() {
		visit(scanner.Object())
	}
	if err := scanner.Err(); err != nil {
		return fmt.Errorf("read the coasts of %s: %w", path, err)
	}
	return nil
}

// joined returns ways that follow each other as one.
func joined(ways [][]osm.NodeID) (chains [][]osm.NodeID) {
	after := make(map[osm.NodeID]int, len(ways)) // the way that starts at a node
	follows := make(map[osm.NodeID]bool, len(ways))
	for i, way := range ways {
		after[way[0]] = i
		follows[way[len(way)-1]] = true
	}
	used := make([]bool, len(ways))
	follow := func(i int) {
		var chain []osm.NodeID
		for !used[i] {
			used[i] = true
			if len(chain) > 0 {
				chain = chain[:len(chain)-1]
			}
			chain = append(chain, ways[i]...)
			next, ok := after[chain[len(chain)-1]]
			if !ok {
				break
			}
			i = next
		}
		if len(chain) > 0 {
			chains = append(chains, chain)
		}
	}
	for i, way := range ways {
		if !follows[way[0]] {
			follow(i)
		}
	}
	for i := range ways { // what is left are rings
		follow(i)
	}
	return chains
}

// linesOf returns chains of nodes as lines. A line ends where a node is missing.
func linesOf(chains [][]osm.NodeID, positions map[osm.NodeID]orb.Point) (lines []orb.LineString) {
	for _, chain := range chains {
		var line orb.LineString
		for _, id := range chain {
			if at, ok := positions[id]; ok {
				line = append(line, at)
				continue
			}
			lines = appendLine(lines, line)
			line = nil
		}
		lines = appendLine(lines, line)
	}
	return lines
}

func appendLine(lines []orb.LineString, line orb.LineString) []orb.LineString {
	if len(line) < 2 {
		return lines
	}
	return append(lines, line)
}
