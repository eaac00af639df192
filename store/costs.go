package store

import (
	"encoding/json"
	"fmt"

	"waybill/domain/planning"
	"waybill/domain/pricing"
)

// CostsText is how the prices of plans are stored; it is empty without any.
func CostsText(c *pricing.Costs) string {
	if c == nil || c.Empty() {
		return ""
	}
	text, err := json.Marshal(c)
	if err != nil { // it contains only finite numbers
		panic(err)
	}
	return string(text)
}

// readCosts reads the prices of plans.
func readCosts(document []byte) (costs pricing.Costs, err error) {
	if err = json.Unmarshal(document, &costs); err != nil {
		err = fmt.Errorf("prices of plans: %w", err)
	}
	return costs, err
}

// costsOfRoute is how the costs of a route are stored.
func costsOfRoute(c *planning.Costs) []byte {
	text, err := json.Marshal(c)
	if err != nil { // it contains only whole numbers
		panic(err)
	}
	return text
}

// readCostsOfRoute reads the costs of a route, nil for one that an earlier release planned.
func readCostsOfRoute(document []byte) *planning.Costs {
	var costs *planning.Costs
	if len(document) == 0 || json.Unmarshal(document, &costs) != nil { // what this process wrote is readable
		return nil
	}
	return costs
}
