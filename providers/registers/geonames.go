package registers

import (
	"bufio"
	"context"
	"strings"

	"waybill/domain/place"
)

// readGeoNames reads a list of postal codes: country, code, town, six columns of regions,
// latitude and longitude.
func readGeoNames(ctx context.Context, f *File, take func(place.Record) error) error {
	in, err := f.open()
	if err != nil {
		return err
	}
	defer func() { _ = in.Close() }()
	lines := bufio.NewScanner(in)
	for lines.Scan() {
		if err := ctx.Err(); err != nil {
			return err
		}
		fields := strings.Split(lines.Text(), "\t")
		if len(fields) < 11 {
			continue
		}
		lat, latErr := parseDecimal(fields[9])
		lon, lonErr := parseDecimal(fields[10])
		at := place.Position{Latitude: lat, Longitude: lon}
		if latErr != nil || lonErr != nil || !at.IsValid() {
			continue
		}
		code := place.CleanPostalCode(fields[0], fields[1])
		if err := take(place.Record{Country: fields[0], PostalCode: code, City: titled(fields[2]), At: at}); err != nil {
			return err
		}
	}
	return lines.Err()
}
