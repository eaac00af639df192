package registers

import (
	"strings"

	"waybill/domain/place"
)

// landmarks are towns by which the country of a file is detected.
var landmarks = map[string][][2]float64{
	"NO": {
		{59.91, 10.75},
		{60.39, 5.32},
		{63.43, 10.40},
		{69.65, 18.96},
		{58.97, 5.73},
		{58.15, 8.00},
		{61.12, 10.47},
		{62.47, 6.15},
		{67.28, 14.40},
		{59.21, 10.93},
		{60.88, 11.56},
		{68.44, 17.43},
		{69.97, 23.27},
		{62.57, 11.38},
	},
	"SE": {
		{59.33, 18.07},
		{57.71, 11.97},
		{55.61, 13.00},
		{63.83, 20.26},
		{65.58, 22.15},
		{59.38, 13.50},
		{62.39, 17.31},
		{63.18, 14.64},
		{57.78, 14.16},
		{56.66, 16.36},
		{58.41, 15.62},
		{67.86, 20.23},
		{58.35, 11.92},
		{56.05, 12.69},
		{61.01, 14.54},
	},
	"DK": {{55.68, 12.57}, {56.16, 10.20}, {55.40, 10.39}, {57.05, 9.92}, {55.47, 8.45}, {55.10, 14.70}, {54.91, 9.79}},
	"FI": {
		{60.17, 24.94},
		{61.50, 23.76},
		{60.45, 22.27},
		{65.01, 25.47},
		{62.24, 25.75},
		{62.89, 27.68},
		{66.50, 25.73},
		{63.10, 21.62},
		{61.06, 28.19},
		{60.10, 19.94},
		{68.91, 27.02},
	},
	"DE": {
		{52.52, 13.40},
		{53.55, 9.99},
		{48.14, 11.58},
		{50.94, 6.96},
		{50.11, 8.68},
		{48.78, 9.18},
		{51.34, 12.37},
		{53.08, 8.80},
		{54.79, 9.44},
		{51.05, 13.74},
		{49.45, 11.08},
		{51.31, 9.49},
		{48.00, 7.84},
		{54.09, 12.10},
	},
	"AT": {{48.21, 16.37}, {47.07, 15.44}, {48.31, 14.29}, {47.80, 13.05}, {47.27, 11.39}, {47.41, 9.74}, {46.62, 14.31}},
	"CH": {{47.37, 8.54}, {46.20, 6.14}, {46.95, 7.45}, {47.56, 7.59}, {46.52, 6.63}, {46.85, 9.53}, {47.42, 9.37}, {46.01, 8.96}},
	"LI": {{47.14, 9.52}}, "NL": {{52.37, 4.90}, {51.92, 4.48}, {53.22, 6.57}, {51.44, 5.48}}, "IS": {{64.15, -21.94}, {65.68, -18.10}},
	"BE": {{50.85, 4.35}, {51.22, 4.40}, {50.63, 5.57}}, "EE": {{59.44, 24.75}, {58.38, 26.72}}, "LV": {{56.95, 24.11}},
	"LT": {{54.69, 25.28}, {54.90, 23.89}, {55.70, 21.14}}, "PL": {{52.23, 21.01}, {54.35, 18.65}, {50.06, 19.94}, {51.11, 17.04}, {53.43, 14.55}},
	"GB": {{51.51, -0.13}, {53.48, -2.24}, {55.95, -3.19}, {54.60, -5.93}}, "IE": {{53.35, -6.26}},
}

// countryOf detects the country of a position by the nearest of some towns.
// Near a border it may be wrong.
func countryOf(at place.Position) (nearest string) {
	best := -1.0
	for country, towns := range landmarks {
		for _, town := range towns {
			if d := (place.Position{Latitude: town[0], Longitude: town[1]}).Meters(at); best < 0 || d < best {
				best, nearest = d, country
			}
		}
	}
	return nearest
}

// countryOfName detects a country in the name of a file, such as
// norway-latest.osm.pbf.
func countryOfName(name string) string {
	word, _, _ := strings.Cut(name, ".")
	for _, part := range strings.FieldsFunc(word, func(r rune) bool { return r == '-' || r == '_' }) {
		if len(part) > 3 {
			if code := place.CountryCode(part); code != "" {
				return code
			}
		}
	}
	return ""
}

// home returns the country of a file, by its first position if nothing else
// names it.
func (f *File) home(at place.Position) string {
	if f.Country == "" {
		f.Country = countryOf(at)
	}
	return f.Country
}
