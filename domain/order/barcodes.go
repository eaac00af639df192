package order

// Unmarked is how many of the units that stand by themselves have no barcode.
func (o *Order) Unmarked() (n int) {
	for _, p := range o.Products {
		if p.Parent == nil && p.BarcodeID == "" {
			n++
		}
	}
	return n
}

// Mark gives each unit that stands by itself and has no barcode the next one
// drawn. It counts as modified: an import leaves it alone, because a label is
// stuck on it by then.
func Mark(o *Order, draw func() string) (Event, error) {
	next := copies(o.Products)
	for _, p := range next {
		if p.Parent == nil && p.BarcodeID == "" {
			p.BarcodeID = draw()
		}
	}
	return o.replan(o.Number, next)
}
