package freight

import "github.com/shopspring/decimal"

// Level is a class of loads, up to its bounds. A nil bound means none.
type Level struct {
	ID          int64            `json:"id"`
	Name        string           `json:"name"`
	MaxWeightKg *decimal.Decimal `json:"maxWeightKg"`
	MaxVolumeM3 *decimal.Decimal `json:"maxVolumeM3"`
	MaxColli    *decimal.Decimal `json:"maxColli"`
}

// Holds reports whether a load keeps within all bounds of the level.
func (l Level) Holds(load Load) bool {
	return within(load.WeightKg, l.MaxWeightKg) && within(load.VolumeM3, l.MaxVolumeM3) && within(load.Colli, l.MaxColli)
}

func within(value decimal.Decimal, bound *decimal.Decimal) bool {
	return bound == nil || value.LessThanOrEqual(*bound)
}

// LevelOf returns the id of the first level that fits a load, or 0.
func LevelOf(levels []Level, load Load) int64 {
	for _, l := range levels {
		if l.Holds(load) {
			return l.ID
		}
	}
	return 0
}

// Classes are all zones and levels of an organization, the levels in its
// order.
type Classes struct {
	Zones  []Zone  `json:"zones"`
	Levels []Level `json:"freightLevels"`
}

// Class is an order's classification for booking and pricing.
type Class struct {
	From, To map[int64]bool // zones of the pickup and of the delivery
	LevelID  int64          // 0 means none
	Load     Load
}

// Of classes a transport.
func (c Classes) Of(pickup, delivery Place, items []Item) Class {
	load := LoadOf(items)
	return Class{
		From: ZonesOf(c.Zones, pickup), To: ZonesOf(c.Zones, delivery),
		LevelID: LevelOf(c.Levels, load), Load: load,
	}
}
