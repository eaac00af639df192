package order

// joins reports whether a number can share an order with its active numbers
// without losing or contradicting the content of any. alone is the number as a
// separate order; rest is the order without it.
func (d *decider) joins(rest, alone *Order) bool {
	return rest.mergeKey() == alone.mergeKey() &&
		rest.Pickup.agrees(&alone.Pickup) && rest.Delivery.agrees(&alone.Delivery) &&
		!contradicts(rest.skills(), alone.skills()) &&
		d.fits(rest, alone)
}

// agrees reports whether one visit serves both stops: their windows overlap, and
// their texts fit together.
func (s *Stop) agrees(other *Stop) bool {
	both := s.with(other, Yields{})
	return both.Window.Earliest.Before(both.Window.Latest) && len(both.Contacts) <= maxContacts &&
		holds(both.Instructions, other.Instructions) && holds(both.ParkingInstructions, other.ParkingInstructions) &&
		holds(both.CustomerInstructions, other.CustomerInstructions)
}

// holds reports whether a text already contains another.
func holds(both, added string) bool { return added == "" || contains(both, added) }

// skills are all skills that an order requires of its driver, by its stops and
// products. A skill that is both required and prohibited counts as required.
func (o *Order) skills() map[int64]SkillType {
	all := map[int64]SkillType{}
	add := func(skills map[int64]SkillType) {
		for id, typ := range skills {
			if all[id] != SkillRequired {
				all[id] = typ
			}
		}
	}
	add(o.Pickup.Skills)
	add(o.Delivery.Skills)
	for _, p := range o.Products {
		add(p.Skills)
	}
	return all
}

func contradicts(a, b map[int64]SkillType) bool {
	for id, typ := range a {
		if other, said := b[id]; said && other != typ {
			return true
		}
	}
	return false
}
