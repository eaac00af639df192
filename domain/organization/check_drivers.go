package organization

import (
	"errors"

	"waybill/domain/driver"
	"waybill/domain/fault"
)

// drivers checks drivers by the rules that hold wherever they come from.
func (c *checker) drivers() {
	identities := seen[string]{}
	for i := range c.document.Drivers {
		d, path := &c.document.Drivers[i], at("drivers", i)
		c.name(path+".name", d.Name)
		c.text(path+".externalId", d.ExternalID, maxName)
		c.driver(path, d)
		if d.ExternalID != "" {
			identities.add(c, "x"+d.ExternalID, path+".externalId", path)
		} else {
			identities.add(c, "n"+Fold(d.Name), path+".name", path)
		}
	}
}

func (c *checker) driver(path string, d *Driver) {
	kept, err := driver.Details{
		ExternalID: d.ExternalID, Name: d.Name, PhoneNumber: d.PhoneNumber, EmailAddress: d.EmailAddress,
	}.Check()
	var wrong *fault.Error
	if !errors.As(err, &wrong) {
		d.PhoneNumber = kept.PhoneNumber
		return
	}
	for _, v := range wrong.Violations {
		switch v.Field {
		case "phone_number":
			c.complain(path+".phoneNumber", "must be a telephone number that begins with its country, such as +47 900 12 345")
		case "email_address":
			c.complain(path+".emailAddress", "must be an email address, such as name@example.com")
		}
	}
}
