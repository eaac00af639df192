package place

// Question is all that a geocoding provider gets to know of an address: the street, the number
// and the town. Names of people, floors and notes are left out.
type Question struct {
	Street string
	House  House
	// PostalCode is in the form of registers, City is as written, and Country is an ISO code.
	// Each may be empty, but not both of the first two.
	PostalCode, City, Country string

	query Query
}

// NewQuestion reads an address. It returns false for an address that no provider could find: one
// without a street, a town, or a country. A line without a number may hold a person's name: it
// is left out unless it ends like a street, and so is a line after c/o.
func NewQuestion(a Address) (Question, bool) {
	q := Read(a, "")
	if len(q.Readings) == 0 || q.PostalCode == "" && q.Town == "" || q.Country == "" {
		return Question{}, false
	}
	asked := Question{PostalCode: q.PostalCode, City: q.City, Country: q.Country, query: q}
	first := &q.Readings[0]
	if !first.Strict && (first.House.Number > 0 || kindOf(first.Street) != "") {
		asked.Street, asked.House = first.Name, first.House
	}
	return asked, true
}

// Reply is one result of a geocoding provider.
type Reply struct {
	Street, House, PostalCode, City, Country string
	// Finest is the best precision that the provider claims.
	Finest Precision
	At     Position
}

// Answer is where a provider has an address. The zero Answer is that of an address that it does
// not know.
type Answer struct {
	Precision Precision
	At        Position
}

// IsFine reports whether the answer is precise enough that nobody has to check it.
func (a *Answer) IsFine() bool { return a != nil && !a.Precision.IsCoarse() }

// ReadPrecision reads a precision as String writes it, zero for another text.
func ReadPrecision(text string) Precision {
	for p := Point; p <= City; p++ {
		if p.String() == text {
			return p
		}
	}
	return 0
}

// Judge picks the best reply to a question. near is where the address is known to be roughly, or
// nil; a reply that is too far from it is another place. A house is a Point only if the reply
// has its number and its street.
func (q *Question) Judge(replies []Reply, near *Position, within float64) (best Answer) {
	for i := range replies {
		r := &replies[i]
		if !r.At.IsValid() || near != nil && near.Meters(r.At) > within {
			continue
		}
		precision := q.precisionOf(r)
		if precision != 0 && (best.Precision == 0 || precision < best.Precision) {
			best = Answer{Precision: precision, At: r.At}
		}
	}
	return best
}

// precisionOf is how well a reply says where the address is, zero if it is another place.
func (q *Question) precisionOf(r *Reply) Precision {
	if CountryCode(r.Country) != q.Country {
		return 0
	}
	code := CleanPostalCode(q.Country, r.PostalCode)
	isCode := q.PostalCode != "" && code == q.PostalCode
	isTown := q.query.Town != "" && TownKey(r.City) == q.query.Town
	if !isCode && !isTown {
		return 0
	}
	if q.Street != "" && r.Street != "" && q.isStreet(r.Street) {
		house, ok := ReadHouse(r.House)
		if ok && q.House.Number > 0 && house == q.House {
			return max(r.Finest, Point)
		}
		return Street
	}
	if isCode {
		return PostalCode
	}
	return City
}

// isStreet reports whether a provider's street is that of the question, but for a wrong letter.
func (q *Question) isStreet(name string) bool {
	key := NewStreetKey(name)
	asked := NewStreetKey(q.Street)
	if key.Key == asked.Key {
		return true
	}
	return len(asked.Plain) > 5 && wrongLetters(key.Plain, asked.Plain) <= 1
}
