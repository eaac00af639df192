package organization

import (
	"waybill/domain/fault"
	"waybill/domain/load"
	"waybill/domain/masterdata"
	"waybill/domain/order"
)

// said adds what is wrong with load dimensions or amounts.
func (c *checker) said(problems []fault.Violation) {
	for _, p := range problems {
		switch p.Text.ID {
		case "load.twice":
			c.complain(p.Field, "is named twice")
		case "load.bad_name":
			c.complain(p.Field, "must be a name of 1 to %d bytes", load.LongestName)
		case "load.bad_amount":
			c.complain(p.Field, "must be between 0 and %d, with up to three decimals", load.MostAmount)
		case "field.too_many":
			c.complain(p.Field, "must have %d entries or fewer", load.MostDimensions)
		default:
			c.complain(p.Field, "must be %d bytes or fewer", load.LongestName)
		}
	}
}

// goodsApart checks which goods must not travel together.
func (c *checker) goodsApart(pairs []masterdata.GoodsApart) {
	for _, p := range masterdata.GoodsApartProblems("settings.goodsApart", pairs) {
		if p.Text.ID == "field.too_many" {
			c.complain(p.Field, "must have %d entries or fewer", masterdata.MostGoodsApart)
		} else {
			c.complain(p.Field, "must be a name of 1 to %d bytes", order.LongestGoodsKind)
		}
	}
}
