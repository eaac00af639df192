package masterdata

import (
	"fmt"
	"strings"

	"waybill/domain/fault"
	"waybill/domain/order"
)

// GoodsApart are two kinds of goods that must not be on one route of a vehicle, or not on
// board at the same time.
type GoodsApart struct {
	One   string `json:"one" yaml:"one"`
	Other string `json:"other" yaml:"other"`
	// SameTime forbids only the same time on board.
	SameTime bool `json:"same_time" yaml:"sameTime"`
}

// MostGoodsApart is the most pairs of kinds that an organization may have.
const MostGoodsApart = 30

// GoodsApartProblems returns what is wrong with pairs of kinds of goods, each with the field
// below the given one.
func GoodsApartProblems(field string, pairs []GoodsApart) (problems []fault.Violation) {
	if len(pairs) > MostGoodsApart {
		problems = append(problems, fault.Violation{
			Field: field, Text: fault.Say("field.too_many", "max", fmt.Sprint(MostGoodsApart)),
		})
	}
	for i, pair := range pairs {
		for _, f := range []struct{ name, kind string }{{"one", pair.One}, {"other", pair.Other}} {
			if f.kind == "" || len(f.kind) > order.LongestGoodsKind || strings.ContainsRune(f.kind, 0) {
				problems = append(problems, fault.Violation{
					Field: fmt.Sprintf("%s[%d].%s", field, i, f.name),
					Text:  fault.Say("order.bad_goods_kind", "max", fmt.Sprint(order.LongestGoodsKind)),
				})
			}
		}
	}
	return problems
}
