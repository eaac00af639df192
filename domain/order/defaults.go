package order

import (
	"slices"
	"strings"

	"waybill/domain/fault"
)

// Defaults apply to every entry of one import: the customer and type of
// entries without their own, and how existing orders are updated.
type Defaults struct {
	FallbackCustomer    *Ref           `json:"fallbackCustomer,omitzero"`
	FallbackVehicleType *Ref           `json:"fallbackVehicleType,omitzero"`
	FallbackOrderType   *Ref           `json:"fallbackOrderType,omitzero"`
	UpdateConfig        UpdateSettings `json:"updateConfig,omitzero"`
	// ComputePrices makes the prices of every order those of the price lists.
	ComputePrices bool `json:"computePrices,omitzero"`
}

// UpdateSettings selects what an update may change (spec.md,
// UpdateSettings). The zero value is the system's default behavior.
type UpdateSettings struct {
	OrderLocation                 string `json:"orderLocation,omitzero"`
	OrderProducts                 string `json:"orderProducts,omitzero"`
	Order                         string `json:"order,omitzero"`
	OrderGroups                   string `json:"orderGroups,omitzero"`
	OrderPricing                  string `json:"orderPricing,omitzero"`
	AllowMerge                    *bool  `json:"allowMerge,omitzero"`
	AppendStopContacts            *bool  `json:"appendStopContacts,omitzero"`
	AppendStopInstructions        *bool  `json:"appendStopInstructions,omitzero"`
	AppendStopParkingInstructions *bool  `json:"appendStopParkingInstructions,omitzero"`
	AppendCustomerInstructions    *bool  `json:"appendStopCustomerInstructions,omitzero"`
}

// The behaviours of UpdateSettings that differ from the default.
const (
	IgnoreLocation  = "IGNORE_EXISTING_ORDER_LOCATION_BEHAVIOR"
	ReplaceLocation = "REPLACE_EXISTING_ORDER_LOCATION_BEHAVIOR"

	IgnoreProducts              = "IGNORE_EXISTING_ORDER_PRODUCT"
	ReplaceProducts             = "REPLACE_EXISTING_ORDER_PRODUCT"
	ReplaceProductsIfUnmodified = "REPLACE_IF_NOT_MODIFIED_ORDER_PRODUCT"

	IgnoreOrder  = "IGNORE_EXISTING_ORDER_BEHAVIOR"
	ReplaceOrder = "REPLACE_EXISTING_ORDER_BEHAVIOR"

	IgnoreGroups  = "IGNORE_EXISTING_ORDER_GROUP_BEHAVIOR"
	ReplaceGroups = "REPLACE_EXISTING_ORDER_GROUP_BEHAVIOR"

	IgnorePricing  = "IGNORE_EXISTING_PRICING_BEHAVIOR"
	ReplacePricing = "REPLACE_EXISTING_PRICING_BEHAVIOR"
)

// behaviours lists the valid values of each field of UpdateSettings.
var behaviours = []struct {
	field   string
	value   func(UpdateSettings) string
	allowed []string
}{
	{
		"orderLocation", func(s UpdateSettings) string { return s.OrderLocation },
		[]string{"UNKNOWN_UPDATE_ORDER_LOCATION_BEHAVIOR", IgnoreLocation, ReplaceLocation},
	},
	{
		"orderProducts", func(s UpdateSettings) string { return s.OrderProducts },
		[]string{"UNKNOWN_UPDATE_PRODUCT_BEHAVIOR", IgnoreProducts, ReplaceProducts, ReplaceProductsIfUnmodified},
	},
	{
		"order", func(s UpdateSettings) string { return s.Order },
		[]string{"UNKNOWN_UPDATE_ORDER_BEHAVIOR", IgnoreOrder, ReplaceOrder},
	},
	{
		"orderGroups", func(s UpdateSettings) string { return s.OrderGroups },
		[]string{"UNKNOWN_UPDATE_ORDER_GROUP_BEHAVIOR", IgnoreGroups, ReplaceGroups},
	},
	{
		"orderPricing", func(s UpdateSettings) string { return s.OrderPricing },
		[]string{"UNKNOWN_UPDATE_PRICING_BEHAVIOR", IgnorePricing, ReplacePricing},
	},
}

// Check refuses a behaviour that does not exist. The settings are the member
// named at.
func (s UpdateSettings) Check(at string) error {
	for _, b := range behaviours {
		if v := b.value(s); v != "" && !slices.Contains(b.allowed, v) {
			return fault.Field(at+"."+b.field, fault.Say("request.not_one_of", "allowed", strings.Join(b.allowed, ", ")))
		}
	}
	return nil
}
