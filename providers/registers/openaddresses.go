package registers

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"waybill/domain/place"
)

// longestLine bounds a line of GeoJSON.
const longestLine = 1 << 20

// feature is a line of a file of OpenAddresses.
type feature struct {
	Properties struct {
		Number   string `json:"number"`
		Street   string `json:"street"`
		Unit     string `json:"unit"`
		City     string `json:"city"`
		Postcode string `json:"postcode"`
		Country  string `json:"country"`
	} `json:"properties"`
	Geometry *struct {
		Coordinates [2]float64 `json:"coordinates"`
	} `json:"geometry"`
}

// readAddressesJSON reads GeoJSON, one feature a line.
func readAddressesJSON(ctx context.Context, f *File, take func(place.Record) error) error {
	in, err := f.open()
	if err != nil {
		return err
	}
	defer func() { _ = in.Close() }()
	lines := bufio.NewScanner(in)
	lines.Buffer(make([]byte, 64<<10), longestLine)
	for n := 1; lines.Scan(); n++ {
		if err := ctx.Err(); err != nil {
			return err
		}
		line := bytes.TrimRight(bytes.TrimSpace(lines.Bytes()), ",")
		if !bytes.Contains(line, []byte(`"properties"`)) {
			continue // the frame of a collection
		}
		var one feature
		if err := json.Unmarshal(line, &one); err != nil {
			return fmt.Errorf("line %d: %w", n, err)
		}
		if one.Geometry == nil {
			continue
		}
		p, at := one.Properties, place.Position{Latitude: one.Geometry.Coordinates[1], Longitude: one.Geometry.Coordinates[0]}
		if err := f.takeHouses(addressText{p.Number, p.Street, p.City, p.Postcode, p.Country}, at, take); err != nil {
			return err
		}
	}
	return lines.Err()
}

// readAddressesCSV reads the older form, a table with the columns LON, LAT, NUMBER, STREET, CITY
// and POSTCODE.
func readAddressesCSV(ctx context.Context, f *File, take func(place.Record) error) error {
	in, err := f.open()
	if err != nil {
		return err
	}
	defer func() { _ = in.Close() }()
	t, err := newTable(in, ',')
	if err != nil {
		return err
	}
	for {
		more, err := t.next(ctx)
		if err != nil || !more {
			return err
		}
		lon, lonErr := parseDecimal(t.get("lon", "longitude"))
		lat, latErr := parseDecimal(t.get("lat", "latitude"))
		if lonErr != nil || latErr != nil {
			continue
		}
		text := addressText{t.get("number"), t.get("street"), t.get("city"), t.get("postcode"), t.get("country")}
		if err := f.takeHouses(text, place.Position{Latitude: lat, Longitude: lon}, take); err != nil {
			return err
		}
	}
}

// addressText is an address as its fields are in a file.
type addressText struct{ number, street, city, postalCode, country string }

// takeHouses passes on the houses of an address: a range has several.
func (f *File) takeHouses(text addressText, at place.Position, take func(place.Record) error) error {
	if text.street == "" || !at.IsValid() {
		return nil
	}
	country := place.CountryCode(text.country)
	if country == "" {
		country = f.home(at)
	}
	code := place.CleanPostalCode(country, text.postalCode)
	for _, house := range place.ReadHouses(text.number) {
		err := take(place.Record{
			Country: country, PostalCode: code, City: titled(strings.TrimSpace(text.city)),
			Street: strings.TrimSpace(text.street), House: house, At: at,
		})
		if err != nil {
			return err
		}
	}
	return nil
}
