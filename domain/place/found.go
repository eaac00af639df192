package place

// Known is a house in a register.
type Known struct {
	House   House
	At      Position
	Guessed bool
}

// Candidate is a street of one source that an address may mean.
type Candidate struct {
	// Reading is the index of the query's reading that found it.
	Reading int
	// Source names the source. Sources of a lower rank win.
	Source     string
	Rank       int
	PostalCode string
	City, Town string // as written, and its key
	Name       string
	Key        StreetKey
	// At is the middle of the street.
	At Position
	// Houses are those with the wanted number, and the next ones below and above it on the
	// same side.
	Houses []Known
}

// Town is a town with one of its postal codes.
type Town struct {
	Rank             int
	Source           string
	PostalCode       string
	City, Key        string
	At               Position
	ByPostal, ByName bool
}

// Found is a register's result for a query.
type Found struct {
	Streets []Candidate
	Towns   []Town
	// Elsewhere is true for readings whose exact street name exists in other
	// towns: then it is no misspelling of another one.
	Elsewhere map[int]bool
}

// Part is a part of an address.
type Part string

// The parts that a register may lack.
const (
	NoPart     Part = ""
	NumberPart Part = "number"
	StreetPart Part = "street"
	TownPart   Part = "town"
)

// Match is the meaning of an address.
type Match struct {
	// Precision is zero if nothing was found; At is then invalid.
	Precision Precision
	At        Position
	Source    string
	// Entry is the register's own way to write it.
	Entry Entry
	// Unknown is the part of the address that the register does not have.
	Unknown Part
	// IsAmbiguous is true if Candidates are different places that match equally
	// well, so that the position is only that of the town.
	IsAmbiguous bool
	// PostalCodeDisagrees is true if the register has another postal code for
	// it.
	PostalCodeDisagrees bool
	// Candidates are other entries that the address may mean, the likeliest first.
	Candidates []Entry
}

// Entry is an address as a register writes it.
type Entry struct {
	Street     string
	House      House
	PostalCode string
	City       string
	Precision  Precision
	At         Position
	Source     string
}

// String returns the entry in one line.
func (e Entry) String() string {
	line := e.Street
	if e.House.Number > 0 {
		line += " " + e.House.String()
	}
	town := e.PostalCode
	if e.City != "" {
		if town != "" {
			town += " "
		}
		town += e.City
	}
	if line != "" && town != "" {
		line += ", "
	}
	return line + town
}
