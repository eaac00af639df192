package recurrence

import (
	"strings"
	"time"
)

// dateParams are the parameters of a line of dates.
type dateParams struct {
	value string
	zone  *time.Location
	tzid  string
}

// apply applies the parameters of a line to its date. RFC 5545 allows a TZID
// only with a wall time.
func (p dateParams) apply(name string, m moment) (moment, error) {
	if p.value != "" && (p.value == "DATE") != (m.form == dateForm) {
		return moment{}, refuse(name, msgBadValue, "value", m.value())
	}
	if p.zone == nil {
		return m, nil
	}
	if m.form != localForm {
		return moment{}, refuse("TZID", msgZoneNotHere)
	}
	m.form, m.zone, m.tzid = zonedForm, p.zone, p.tzid
	return m, nil
}

func readDateParams(l line, known zones) (dateParams, error) {
	var p dateParams
	for _, param := range l.params {
		name, value, _ := strings.Cut(param, "=")
		var err error
		switch name = keyword(name); {
		case name == "TZID" && p.zone == nil:
			p.tzid = strings.Trim(strings.TrimSpace(value), `"`)
			p.zone, err = known.load(p.tzid)
		case name == "VALUE" && p.value == "":
			p.value, err = readValueType(l.name, value)
		case name == "TZID" || name == "VALUE":
			err = refuse(name, msgRepeated)
		default:
			err = refuse(l.name, msgMalformed, "value", shown(param))
		}
		if err != nil {
			return dateParams{}, err
		}
	}
	return p, nil
}

func readValueType(part, value string) (string, error) {
	switch value = keyword(strings.Trim(strings.TrimSpace(value), `"`)); value {
	case "DATE", "DATE-TIME":
		return value, nil
	default:
		return "", refuse(part, msgBadValue, "value", shown("VALUE="+value))
	}
}
