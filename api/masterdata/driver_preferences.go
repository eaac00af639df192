package masterdata

import (
	"waybill/api/contract"
	"waybill/domain/driver"
	"waybill/domain/fault"
	"waybill/domain/masterdata"
)

func newPreferences(p *driver.Preferences) contract.DriverPreferences {
	out := contract.DriverPreferences{
		CustomerIds: append([]int64{}, p.Customers...), LocationIds: append([]int64{}, p.Locations...),
		Territory: make([]contract.ZoneArea, len(p.Territory)),
	}
	for i, a := range p.Territory {
		out.Territory[i] = contract.ZoneArea{Country: a.Country, From: a.From, To: a.To}
	}
	return out
}

// preferencesOf reads whom a driver should serve, and where; nil is no preference.
func preferencesOf(asked *contract.DriverPreferencesRequest) (driver.Preferences, error) {
	var p driver.Preferences
	if asked == nil {
		return p, nil
	}
	if asked.CustomerIds != nil {
		p.Customers = *asked.CustomerIds
	}
	if asked.LocationIds != nil {
		p.Locations = *asked.LocationIds
	}
	if asked.Territory == nil {
		return p, nil
	}
	var problems []fault.Violation
	p.Territory, problems = masterdata.Areas("preferences.territory", areasOf(*asked.Territory))
	return p, fault.Violated(problems)
}
