// Package driver has the rules for drivers and their working days.
package driver

import (
	"fmt"
	"slices"
	"strings"

	"github.com/nyaruka/phonenumbers"

	"waybill/domain/fault"
)

// Details are the known details of a driver; empty means unknown.
type Details struct {
	ExternalID   string
	Name         string
	PhoneNumber  string
	EmailAddress string
	DepartmentID int64
	VehicleID    int64 // the usual one
	// StartLocationID and EndLocationID are where a day begins and ends; where
	// they are 0, it is the home of the vehicle.
	StartLocationID int64
	EndLocationID   int64
	// Skills are their names, in alphabetical order once they were kept.
	Skills []string
	// Preferences are whom the driver should serve, and where.
	Preferences Preferences
	// Pace is how much longer than others the driver takes.
	Pace Pace
}

// Same reports whether two details are equal.
func (d Details) Same(as Details) bool {
	return d.comparable() == as.comparable() && slices.Equal(fold(d.Skills), fold(as.Skills)) &&
		d.Preferences.Same(&as.Preferences)
}

// Changed returns the contract's names of the fields that differ.
func (d Details) Changed(as Details) []string {
	changed := []string{}
	for name, same := range map[string]bool{
		"externalId": d.ExternalID == as.ExternalID, "name": d.Name == as.Name,
		"phoneNumber": d.PhoneNumber == as.PhoneNumber, "emailAddress": d.EmailAddress == as.EmailAddress,
		"departmentId": d.DepartmentID == as.DepartmentID, "vehicleId": d.VehicleID == as.VehicleID,
		"startLocationId": d.StartLocationID == as.StartLocationID, "endLocationId": d.EndLocationID == as.EndLocationID,
		"skills": slices.Equal(fold(d.Skills), fold(as.Skills)), "preferences": d.Preferences.Same(&as.Preferences),
		"drivingFactor": d.Pace.Driving == as.Pace.Driving, "visitFactor": d.Pace.Visits == as.Pace.Visits,
	} {
		if !same {
			changed = append(changed, name)
		}
	}
	slices.Sort(changed)
	return changed
}

// comparable are the details without lists.
func (d Details) comparable() [9]any {
	return [9]any{
		d.ExternalID, d.Name, d.PhoneNumber, d.EmailAddress, d.DepartmentID, d.VehicleID, d.StartLocationID, d.EndLocationID,
		d.Pace,
	}
}

func fold(skills []string) []string {
	folded := make([]string, len(skills))
	for i, name := range skills {
		folded[i] = strings.ToLower(name)
	}
	slices.Sort(folded)
	return slices.Compact(folded)
}

// The longest texts that are kept, in bytes, and the most skills of a driver.
const (
	maxName   = 255
	maxSkills = 100
)

// Check returns the details in the form in which they are stored, or reports
// their violations.
func (d Details) Check() (Details, error) {
	d.Name = strings.TrimSpace(d.Name)
	var problems []fault.Violation
	complain := func(field string, text fault.Text) {
		problems = append(problems, fault.Violation{Field: field, Text: text})
	}
	for _, text := range []struct{ field, value string }{
		{"external_id", d.ExternalID}, {"name", d.Name}, {"phone_number", d.PhoneNumber}, {"email_address", d.EmailAddress},
	} {
		if len(text.value) > maxName {
			complain(text.field, fault.Say("field.too_long", "max", fmt.Sprint(maxName)))
		}
	}
	if d.Name == "" {
		complain("name", fault.Say("driver.name_missing"))
	}
	problems = append(problems, tooMany("skills", len(d.Skills), maxSkills)...)
	problems = append(problems, d.Preferences.Normalize()...)
	problems = append(problems, d.Pace.Problems()...)
	d.Pace = d.Pace.Stored()
	if d.PhoneNumber != "" {
		d.PhoneNumber = d.phone(complain)
	}
	if at := strings.LastIndex(d.EmailAddress, "@"); d.EmailAddress != "" &&
		(at < 1 || at == len(d.EmailAddress)-1 || strings.ContainsAny(d.EmailAddress, " \t\r\n,;<>")) {
		complain("email_address", fault.Say("driver.bad_email"))
	}
	if len(problems) > 0 {
		return d, &fault.Error{Kind: fault.Unprocessable, Text: fault.Say("request.unprocessable"), Violations: problems}
	}
	return d, nil
}

// tooMany returns a violation if a list has more entries than allowed.
func tooMany(field string, entries, most int) []fault.Violation {
	if entries <= most {
		return nil
	}
	return []fault.Violation{{Field: field, Text: fault.Say("field.too_many", "max", fmt.Sprint(most))}}
}

// phone returns the number as E.164 writes it.
func (d Details) phone(complain func(string, fault.Text)) string {
	if len(d.PhoneNumber) <= maxName {
		number, err := phonenumbers.Parse(d.PhoneNumber, "")
		if err == nil && phonenumbers.IsPossibleNumber(number) {
			return phonenumbers.Format(number, phonenumbers.E164)
		}
		complain("phone_number", fault.Say("driver.bad_phone"))
	}
	return d.PhoneNumber
}
