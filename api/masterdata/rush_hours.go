package masterdata

import (
	"fmt"

	"waybill/api/contract"
	"waybill/api/edge"
	"waybill/domain/fault"
	"waybill/domain/masterdata"
	"waybill/domain/traffic"
)

// rushHoursOf returns the rush hours in a body, with their areas as they are stored.
func rushHoursOf(body *contract.UpdateOrganizationRequest) ([]traffic.RushHours, error) {
	if body.RushHours == nil {
		return nil, nil
	}
	var problems []fault.Violation
	all := make([]traffic.RushHours, len(*body.RushHours))
	for i, sent := range *body.RushHours {
		all[i] = traffic.RushHours{From: sent.From, Until: sent.Until, Factor: sent.Factor}.Written()
		if sent.Days != nil {
			for _, day := range *sent.Days {
				all[i].Days = append(all[i].Days, string(day))
			}
		}
		if sent.Areas == nil {
			continue
		}
		areas, wrong := masterdata.Areas(fmt.Sprintf("rush_hours[%d].areas", i), areasOf(*sent.Areas))
		all[i].Areas, problems = areas, append(problems, wrong...)
	}
	return all, fault.Violated(problems)
}

// areasOf returns areas in a body.
func areasOf(sent []contract.ZoneAreaRequest) []masterdata.Area {
	areas := make([]masterdata.Area, len(sent))
	for i, a := range sent {
		areas[i] = masterdata.Area{
			Country: a.Country, From: edge.OrEmpty(a.From), To: edge.OrEmpty(a.To), Prefix: edge.OrEmpty(a.Prefix),
		}
	}
	return areas
}
