package registers

import (
	"context"
	"runtime"
	"slices"
	"strings"

	"github.com/paulmach/osm"
	"github.com/paulmach/osm/osmpbf"

	"waybill/domain/place"
)

// extract is the data collected from an OpenStreetMap file before its nodes are
// read. Ways name nodes, and nodes come first in the file, so it is read once
// for relations, once for ways and once for nodes. Of a building, only two
// opposite corners are kept.
type extract struct {
	file *File
	take func(place.Record) error
	// outlines are ways that represent relations with an address, such as
	// buildings with a yard.
	outlines map[osm.WayID]osm.Tags
	houses   []building
	rows     []row
	corners  corners
	// second are the names of streets in another language.
	second map[string]string
}

// building is an address of a way, by two of its corners.
type building struct {
	tags osm.Tags
	a, b osm.NodeID
}

// readOpenStreetMap reads an extract: nodes and buildings with addresses, and the ways along
// which numbers are interpolated.
func readOpenStreetMap(ctx context.Context, f *File, take func(place.Record) error) error {
	f.passes = 3
	towns := &townFiller{take: take}
	x := &extract{file: f, take: towns.add, outlines: map[osm.WayID]osm.Tags{}, second: map[string]string{}}
	for _, pass := range []func(context.Context) error{x.readRelations, x.readWays, x.readNodes} {
		if err := pass(ctx); err != nil {
			return err
		}
	}
	if err := x.takeBuildings(); err != nil {
		return err
	}
	if err := x.takeRows(); err != nil {
		return err
	}
	return towns.finish()
}

// scan reads the file once.
func (x *extract) scan(ctx context.Context, skip func(*osmpbf.Scanner), see func(osm.Object) error) error {
	in, err := x.file.open()
	if err != nil {
		return err
	}
	defer func() { _ = in.Close() }()
	scanner := osmpbf.New(ctx, in, max(1, runtime.GOMAXPROCS(0)-1))
	defer func() { _ = scanner.Close() }()
	skip(scanner)
	for scanner.Scan() {
		if err := see(scanner.Object()); err != nil {
			return err
		}
	}
	return scanner.Err()
}

func (x *extract) readRelations(ctx context.Context) error {
	skip := func(s *osmpbf.Scanner) { s.SkipNodes, s.SkipWays = true, true }
	return x.scan(ctx, skip, func(o osm.Object) error {
		relation, ok := o.(*osm.Relation)
		if !ok || relation.Tags.Find("addr:housenumber") == "" {
			return nil
		}
		for _, m := range relation.Members {
			if m.Type == osm.TypeWay && m.Role != "inner" {
				x.outlines[osm.WayID(m.Ref)] = relation.Tags
				break
			}
		}
		return nil
	})
}

func (x *extract) readWays(ctx context.Context) error {
	skip := func(s *osmpbf.Scanner) { s.SkipNodes, s.SkipRelations = true, true }
	err := x.scan(ctx, skip, func(o osm.Object) error {
		way, ok := o.(*osm.Way)
		if !ok || len(way.Nodes) == 0 {
			return nil
		}
		x.noteName(way.Tags)
		tags := way.Tags
		if outline, ok := x.outlines[way.ID]; ok {
			tags = outline
		}
		switch {
		case way.Tags.Find("addr:interpolation") != "":
			x.addRow(way)
		case tags.Find("addr:housenumber") != "":
			a, b := way.Nodes[0].ID, way.Nodes[len(way.Nodes)/2].ID
			x.houses = append(x.houses, building{tags, a, b})
			x.corners.want(a, b)
		}
		return nil
	})
	x.corners.sort()
	return err
}

// noteName notes the second name of a street that has one.
func (x *extract) noteName(tags osm.Tags) {
	if tags.Find("highway") == "" {
		return
	}
	name := tags.Find("name")
	for _, in := range []string{"name:sv", "name:fi", "name:se", "name:nn"} {
		if other := tags.Find(in); name != "" && other != "" && other != name {
			x.second[name] = other
			return
		}
	}
}

func (x *extract) readNodes(ctx context.Context) error {
	skip := func(s *osmpbf.Scanner) { s.SkipWays, s.SkipRelations = true, true }
	return x.scan(ctx, skip, func(o osm.Object) error {
		node, ok := o.(*osm.Node)
		if !ok {
			return nil
		}
		at := place.Position{Latitude: node.Lat, Longitude: node.Lon}
		x.corners.put(node.ID, at, node.Tags)
		if number := node.Tags.Find("addr:housenumber"); number != "" {
			return x.takeAddress(node.Tags, place.ReadHouses(number), at, false)
		}
		return nil
	})
}

func (x *extract) takeBuildings() error {
	for _, b := range x.houses {
		a, okA := x.corners.at(b.a)
		c, okB := x.corners.at(b.b)
		if !okA || !okB {
			continue
		}
		houses := place.ReadHouses(b.tags.Find("addr:housenumber"))
		if err := x.takeAddress(b.tags, houses, a.Between(c, 0.5), false); err != nil {
			return err
		}
	}
	return nil
}

// takeAddress passes on the houses of tags.
func (x *extract) takeAddress(tags osm.Tags, houses []place.House, at place.Position, guessed bool) error {
	street := tags.Find("addr:street")
	if street == "" {
		street = tags.Find("addr:place")
	}
	if street == "" || !at.IsValid() {
		return nil
	}
	country := place.CountryCode(tags.Find("addr:country"))
	if country == "" {
		country = x.file.home(at)
	}
	r := place.Record{
		Country: country, PostalCode: place.CleanPostalCode(country, tags.Find("addr:postcode")),
		City: strings.TrimSpace(tags.Find("addr:city")), Street: strings.TrimSpace(street),
		SecondName: x.secondName(tags, street), At: at, Guessed: guessed,
	}
	for _, r.House = range houses {
		if err := x.take(r); err != nil {
			return err
		}
	}
	return nil
}

// secondName is the street's name in another language, from the address or from the street.
func (x *extract) secondName(tags osm.Tags, street string) string {
	for _, in := range []string{"addr:street:sv", "addr:street:fi", "addr:street:se", "addr:street:nn"} {
		if other := tags.Find(in); other != "" && other != street {
			return other
		}
	}
	return x.second[street]
}

// corners are the nodes whose positions are wanted, in the order of their ids.
type corners struct {
	ids   []osm.NodeID
	spots []place.Position
	tags  map[osm.NodeID]osm.Tags
}

func (c *corners) want(ids ...osm.NodeID) { c.ids = append(c.ids, ids...) }

func (c *corners) sort() {
	slices.Sort(c.ids)
	c.ids = slices.Compact(c.ids)
	c.spots = make([]place.Position, len(c.ids))
	if c.tags == nil {
		c.tags = map[osm.NodeID]osm.Tags{}
	}
}

func (c *corners) put(id osm.NodeID, at place.Position, tags osm.Tags) {
	i, ok := slices.BinarySearch(c.ids, id)
	if !ok {
		return
	}
	c.spots[i] = at
	if len(tags) > 0 && tags.Find("addr:housenumber") != "" {
		c.tags[id] = tags
	}
}

func (c *corners) at(id osm.NodeID) (place.Position, bool) {
	i, ok := slices.BinarySearch(c.ids, id)
	if !ok || !c.spots[i].IsValid() {
		return place.Position{}, false
	}
	return c.spots[i], true
}
