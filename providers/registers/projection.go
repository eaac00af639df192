package registers

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/wroge/wgs84"

	"waybill/domain/place"
)

// projections are the coordinate systems of national registers by their EPSG codes.
var projections = map[int]wgs84.CoordinateReferenceSystem{
	4258: wgs84.LonLat(), 4326: wgs84.LonLat(),
	3857: wgs84.WebMercator(),
	3067: wgs84.ETRS89UTM(35),                                          // ETRS-TM35FIN
	3006: wgs84.ETRS89().TransverseMercator(15, 0, 0.9996, 500_000, 0), // SWEREF 99 TM
}

func init() {
	for zone := 28; zone <= 38; zone++ {
		projections[25800+zone] = wgs84.ETRS89UTM(float64(zone))
		projections[32600+zone] = wgs84.UTM(float64(zone), true)
	}
}

// unproject turns the coordinates of a register into a position. Both numbers may have a comma
// for a point.
func unproject(code int, east, north string) (place.Position, error) {
	system, ok := projections[code]
	if !ok {
		return place.Position{}, fmt.Errorf("the coordinate system EPSG:%d is not known", code)
	}
	e, err := parseDecimal(east)
	if err != nil {
		return place.Position{}, err
	}
	n, err := parseDecimal(north)
	if err != nil {
		return place.Position{}, err
	}
	lon, lat, _ := wgs84.Transform(system, wgs84.LonLat())(e, n, 0)
	return place.Position{Latitude: lat, Longitude: lon}, nil
}

func parseDecimal(text string) (float64, error) {
	return strconv.ParseFloat(strings.Replace(strings.TrimSpace(text), ",", ".", 1), 64)
}
