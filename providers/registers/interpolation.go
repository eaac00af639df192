package registers

import (
	"github.com/paulmach/osm"

	"waybill/domain/place"
)

// longestRow bounds the numbers that one way interpolates.
const longestRow = 1000

// row is a way along which house numbers are interpolated between nodes that have one.
type row struct {
	nodes []osm.NodeID
	step  int
}

func (x *extract) addRow(way *osm.Way) {
	step := 2
	if kind := way.Tags.Find("addr:interpolation"); kind == "all" || kind == "1" {
		step = 1
	} else if kind == "alphabetic" {
		return
	}
	r := row{step: step}
	for _, n := range way.Nodes {
		r.nodes = append(r.nodes, n.ID)
	}
	x.corners.want(r.nodes...)
	x.rows = append(x.rows, r)
}

// takeRows passes on the interpolated numbers of each row.
func (x *extract) takeRows() error {
	for _, r := range x.rows {
		last := -1
		for i, id := range r.nodes {
			if _, ok := x.corners.tags[id]; !ok {
				continue
			}
			if last >= 0 {
				if err := x.takeBetween(r, last, i); err != nil {
					return err
				}
			}
			last = i
		}
	}
	return nil
}

// takeBetween passes on the numbers between two nodes of a row.
func (x *extract) takeBetween(r row, from, to int) error {
	first, ok1 := place.ReadHouse(x.corners.tags[r.nodes[from]].Find("addr:housenumber"))
	last, ok2 := place.ReadHouse(x.corners.tags[r.nodes[to]].Find("addr:housenumber"))
	span := last.Number - first.Number
	if !ok1 || !ok2 || span == 0 || span%r.step != 0 || max(span, -span) > longestRow {
		return nil
	}
	step := r.step
	if span < 0 {
		step = -step
	}
	line := x.line(r.nodes[from : to+1])
	tags := x.corners.tags[r.nodes[from]]
	for n := first.Number + step; n != last.Number; n += step {
		at := along(line, float64(n-first.Number)/float64(span))
		if err := x.takeAddress(tags, []place.House{{Number: n}}, at, true); err != nil {
			return err
		}
	}
	return nil
}

func (x *extract) line(nodes []osm.NodeID) (line []place.Position) {
	for _, id := range nodes {
		if at, ok := x.corners.at(id); ok {
			line = append(line, at)
		}
	}
	return line
}

// along is the position at a share of a line's length.
func along(line []place.Position, share float64) place.Position {
	length := 0.0
	for i := 1; i < len(line); i++ {
		length += line[i-1].Meters(line[i])
	}
	left := share * length
	for i := 1; i < len(line); i++ {
		step := line[i-1].Meters(line[i])
		if step > 0 && left <= step {
			return line[i-1].Between(line[i], left/step)
		}
		left -= step
	}
	if len(line) == 0 {
		return place.Position{}
	}
	return line[len(line)-1]
}
