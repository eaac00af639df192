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
	City, Town string // as it is written, and its key
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

// Found is what a register has for a query.
type Found struct {
	Streets []Candidate
	Towns   []Town
	// Elsewhere says of each reading whether other towns have a street of that very name: it is
	// then no misspelling of another one.
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

// Match is what an address was found to mean.
type Match struct {
	// Precision is zero when nothing was found; At is then nowhere.
	Precision Precision
	At        Position
	Source    string
	// Entry is the register's own way to write it.
	Entry Entry
	// Unknown is the part of the address that the register does not know.
	Unknown Part
	// IsAmbiguous says that Candidates mean different places equally well, so that the position
	// is only that of the town.
	IsAmbiguous bool
	// PostalCodeDisagrees says that the register has another postal code for it.
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
