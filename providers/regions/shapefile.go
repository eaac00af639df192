package regions

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"os"

	"github.com/paulmach/orb"
)

// The numbers of ESRI's shapefiles, which count in words of 16 bits.
const (
	shapefileCode    = 9994
	shapefileVersion = 1000
	shapeOfPolygon   = 5
	shapeHeader      = 100 // bytes
)

// writeShapes writes polygons as a shapefile, which tilemaker reads besides extracts: path with
// the extensions .shp, .shx and .dbf.
func writeShapes(path string, shapes orb.MultiPolygon) error {
	var records, index bytes.Buffer
	for i, polygon := range shapes {
		content := shapeOf(polygon)
		place := int32((shapeHeader + records.Len()) / 2)
		length := int32(len(content) / 2)
		put(&index, binary.BigEndian, place, length)
		put(&records, binary.BigEndian, int32(i+1), length)
		records.Write(content)
	}
	for extension, content := range map[string][]byte{
		".shp": append(headerOf(shapes, records.Len()), records.Bytes()...),
		".shx": append(headerOf(shapes, index.Len()), index.Bytes()...),
		".dbf": attributesOf(len(shapes)),
	} {
		if err := os.WriteFile(path+extension, content, 0o600); err != nil {
			return fmt.Errorf("write the sea: %w", err)
		}
	}
	return nil
}

// put writes values that always have a size.
func put(to *bytes.Buffer, order binary.ByteOrder, values ...any) {
	for _, value := range values {
		_ = binary.Write(to, order, value)
	}
}

func headerOf(shapes orb.MultiPolygon, size int) []byte {
	var header bytes.Buffer
	put(&header, binary.BigEndian, int32(shapefileCode), [5]int32{}, int32((shapeHeader+size)/2))
	put(&header, binary.LittleEndian, int32(shapefileVersion), int32(shapeOfPolygon), boxOf(shapes.Bound()), [4]float64{})
	return header.Bytes()
}

func boxOf(b orb.Bound) [4]float64 { return [4]float64{b.Min[0], b.Min[1], b.Max[0], b.Max[1]} }

// shapeOf writes a polygon. Shapefiles have outer rings clockwise, and orb counterclockwise.
func shapeOf(polygon orb.Polygon) []byte {
	var starts []int32
	var points []orb.Point
	for _, ring := range polygon {
		starts = append(starts, int32(len(points)))
		turned := ring.Clone()
		turned.Reverse()
		points = append(points, turned...)
	}
	var content bytes.Buffer
	put(&content, binary.LittleEndian, int32(shapeOfPolygon), boxOf(polygon.Bound()))
	put(&content, binary.LittleEndian, int32(len(starts)), int32(len(points)), starts, points)
	return content.Bytes()
}

// attributesOf is a dBASE table with a row for each shape. It must have a column, which is empty.
func attributesOf(shapes int) []byte {
	const header, column, row = 32, 32, 2
	var table bytes.Buffer
	put(&table, binary.LittleEndian, uint8(3), [3]uint8{100, 1, 1}, uint32(shapes), uint16(header+column+1), uint16(row), [20]byte{})
	put(&table, binary.LittleEndian, [11]byte{'I', 'D'}, uint8('C'), [4]byte{}, uint8(1), uint8(0), [14]byte{}, uint8('\r'))
	table.Write(bytes.Repeat([]byte("  "), shapes))
	table.WriteByte(0x1a)
	return table.Bytes()
}
