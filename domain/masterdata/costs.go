package masterdata

import (
	"waybill/domain/fault"
	"waybill/domain/pricing"
)

// CostsProblems returns what is wrong with the costs of an organization, each with the field below the given one.
func CostsProblems(field string, costs *pricing.Costs) (problems []fault.Violation) {
	if costs == nil {
		return nil
	}
	problems = amountProblems(field+".", costs.Amounts())
	if lacking, _ := costs.Lacks(); lacking != "" {
		problems = append(problems, fault.Violation{Field: field + "." + lacking, Text: fault.Say("master_data.missing")})
	}
	return problems
}

func amountProblems(prefix string, amounts []pricing.Amount) (problems []fault.Violation) {
	for _, a := range amounts {
		if !a.Valid() {
			problems = append(problems, fault.Violation{
				Field: prefix + a.API,
				Text:  fault.Say("request.out_of_range", "min", written(a.Least), "max", written(a.Most)),
			})
		}
	}
	return problems
}
