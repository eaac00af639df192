package travel_test

import (
	"encoding/binary"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/encoding/protowire"
)

// extract is an extract of OpenStreetMap in the making.
type extract struct {
	texts       []string
	nodes, ways []byte
}

func (x *extract) text(s string) uint64 {
	for n, known := range x.texts {
		if known == s {
			return uint64(n)
		}
	}
	x.texts = append(x.texts, s)
	return uint64(len(x.texts) - 1)
}

func field(to []byte, number protowire.Number, value uint64) []byte {
	return protowire.AppendVarint(protowire.AppendTag(to, number, protowire.VarintType), value)
}

func message(to []byte, number protowire.Number, value []byte) []byte {
	return protowire.AppendBytes(protowire.AppendTag(to, number, protowire.BytesType), value)
}

func (x *extract) node(id int64, latitude, longitude float64) {
	node := field(nil, 1, protowire.EncodeZigZag(id))
	node = field(node, 8, protowire.EncodeZigZag(int64(latitude*1e7)))
	x.nodes = message(x.nodes, 1, field(node, 9, protowire.EncodeZigZag(int64(longitude*1e7))))
}

func (x *extract) way(id int64, tags [][2]string, nodes ...int64) {
	var keys, values, refs []byte
	for _, tag := range tags {
		keys, values = protowire.AppendVarint(keys, x.text(tag[0])), protowire.AppendVarint(values, x.text(tag[1]))
	}
	last := int64(0)
	for _, n := range nodes {
		refs = protowire.AppendVarint(refs, protowire.EncodeZigZag(n-last))
		last = n
	}
	way := message(message(message(field(nil, 1, uint64(id)), 2, keys), 3, values), 8, refs)
	x.ways = message(x.ways, 3, way)
}

// write writes the extract as .osm.pbf, without compression.
func (x *extract) write(t *testing.T, file string) {
	t.Helper()
	var texts, data []byte
	for _, text := range x.texts {
		texts = message(texts, 1, []byte(text))
	}
	blob := func(kind string, block []byte) {
		body := message(nil, 1, block)
		header := field(message(nil, 1, []byte(kind)), 3, uint64(len(body)))
		data = binary.BigEndian.AppendUint32(data, uint32(len(header)))
		data = append(append(data, header...), body...)
	}
	blob("OSMHeader", message(nil, 4, []byte("OsmSchema-V0.6")))
	for _, group := range [][]byte{x.nodes, x.ways} {
		blob("OSMData", message(message(nil, 1, texts), 2, group))
	}
	require.NoError(t, os.WriteFile(file, data, 0o600))
}

// highway writes a road of so many kilometers, from south to north, with a side street each five.
func highway(t *testing.T, km int) string {
	t.Helper()
	x := &extract{texts: []string{""}}
	const step = 5
	for n := range km/step + 1 {
		x.node(int64(n+1), 56+float64(n)*step/111.195, 10)
	}
	for n := range km/step + 1 {
		x.node(int64(n+10_001), 56+float64(n)*step/111.195, 10.01)
	}
	for n := range km / step {
		x.way(int64(n+1), [][2]string{{"highway", "trunk"}, {"maxspeed", "80"}}, int64(n+1), int64(n+2))
	}
	for n := range km/step + 1 {
		x.way(int64(n+20_001), [][2]string{{"highway", "residential"}}, int64(n+1), int64(n+10_001))
	}
	file := filepath.Join(t.TempDir(), "highway.osm.pbf")
	x.write(t, file)
	return file
}
