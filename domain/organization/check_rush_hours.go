package organization

import (
	"fmt"

	"waybill/domain/traffic"
)

// RushHours are hours in which driving takes longer or shorter, as traffic.RushHours.
type RushHours struct {
	Days   []string `yaml:"days"`
	From   string   `yaml:"from"`
	Until  string   `yaml:"until"`
	Factor float64  `yaml:"factor"`
	Areas  []Area   `yaml:"areas"`
}

// RushHoursOf returns rush hours as the plan has them.
func RushHoursOf(said []RushHours) []traffic.RushHours {
	all := make([]traffic.RushHours, len(said))
	for i, h := range said {
		hours := traffic.RushHours{Days: h.Days, From: h.From, Until: h.Until, Factor: h.Factor, Areas: AreasOf(h.Areas)}
		all[i] = hours.Written()
	}
	return all
}

// rushHours checks when driving takes longer or shorter.
func (c *checker) rushHours(path string, said []RushHours) {
	for _, p := range traffic.Problems(path, RushHoursOf(said)) {
		switch p.Text.ID {
		case "traffic.bad_day":
			c.complain(p.Field, "must be one of MO, TU, WE, TH, FR, SA, SU")
		case "traffic.bad_hours":
			c.complain(p.Field, "must be later than from, both as HH:MM")
		case "traffic.bad_factor":
			c.complain(p.Field, "must be at least %v and at most %v", traffic.LeastFactor, traffic.MostFactor)
		default:
			c.complain(p.Field, "has too many entries: at most %d rush hours with %d areas each",
				traffic.MostRushHours, traffic.MostAreas)
		}
	}
	for i := range said {
		for j := range said[i].Areas {
			c.area(fmt.Sprintf("%s[%d].areas[%d]", path, i, j), &said[i].Areas[j])
		}
	}
}
