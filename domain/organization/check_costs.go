package organization

import "waybill/domain/pricing"

func (c *checker) costs(path string, costs *pricing.Costs) {
	if costs == nil {
		return
	}
	c.amounts(path, costs.Amounts())
	if _, lacking := costs.Lacks(); lacking != "" {
		c.complain(path+"."+lacking, "is missing: the other prices need it")
	}
}

func (c *checker) amounts(path string, amounts []pricing.Amount) {
	for _, a := range amounts {
		switch {
		case a.Valid():
		case a.Whole:
			c.complain(path+"."+a.Document, "must be a whole number between %g and %g", a.Least, a.Most)
		default:
			c.complain(path+"."+a.Document, "must be between %g and %g", a.Least, a.Most)
		}
	}
}
