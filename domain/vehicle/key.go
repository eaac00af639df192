package vehicle

import (
	"math"
	"strconv"
	"strings"
)

// Mode is how a vehicle with a class travels.
type Mode string

// The modes that have classes.
const (
	Car   Mode = "car"
	Truck Mode = "truck"
)

// The rules of a class in a key.
const (
	hazardousGoods = "hazmat"
	withoutFerries = "noferry"
	withoutTolls   = "notoll"
)

// numbers returns the numbers of a class in the order of a key: a letter, where the value
// is, and how many units of the key make one.
func (c *Class) numbers() []number {
	return []number{
		{'h', &c.HeightM, 100},
		{'w', &c.WidthM, 100},
		{'l', &c.LengthM, 100},
		{'t', &c.GrossWeightKg, 1},
		{'a', &c.AxleLoadKg, 1},
		{'v', &c.TopSpeedKmh, 1},
	}
}

type number struct {
	letter byte
	value  **float64
	units  float64
}

// rules returns the rules of a class in the order of a key.
func (c *Class) rules() []rule {
	return []rule{{hazardousGoods, &c.HazardousGoods}, {withoutFerries, &c.AvoidsFerries}, {withoutTolls, &c.AvoidsTolls}}
}

type rule struct {
	name  string
	value *bool
}

// Key names a class of vehicles that travel in a mode, as in truck-h400-t12000-v80. Classes
// with the same normal form have the same key, and the key of an empty class is the mode.
// It fits in a path and in the name of a file.
func (c *Class) Key(mode Mode) string {
	normal := c.Normal()
	parts := []string{string(mode)}
	for _, n := range normal.numbers() {
		if *n.value != nil {
			parts = append(parts, string(n.letter)+strconv.FormatInt(int64(math.Round(**n.value*n.units)), 10))
		}
	}
	for _, r := range normal.rules() {
		if *r.value {
			parts = append(parts, r.name)
		}
	}
	return strings.Join(parts, "-")
}

// ParseKey returns the mode and the class of a key. It reports false for any other text.
func ParseKey(key string) (Mode, Class, bool) {
	name, rest, _ := strings.Cut(key, "-")
	mode := Mode(name)
	if mode != Car && mode != Truck {
		return "", Class{}, false
	}
	var c Class
	for part := range strings.SplitSeq(rest, "-") {
		c.read(part)
	}
	if c.Validate() != nil || c.Key(mode) != key {
		return "", Class{}, false
	}
	return mode, c, true
}

// read takes over one part of a key. The caller notices parts that say nothing.
func (c *Class) read(part string) {
	for _, r := range c.rules() {
		if part == r.name {
			*r.value = true
			return
		}
	}
	for _, n := range c.numbers() {
		if part == "" || part[0] != n.letter {
			continue
		}
		if units, err := strconv.Atoi(part[1:]); err == nil {
			value := float64(units) / n.units
			*n.value = &value
		}
	}
}
