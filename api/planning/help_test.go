package planning_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"waybill/api/contract"
)

// TestOrderShowsVehiclesSkillsAndPartsThatWouldHelp reads the changes that ask for something that
// the day lacks.
func TestOrderShowsVehiclesSkillsAndPartsThatWouldHelp(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	left := o.order("P-1")
	skill := o.id("select id from skills where org_id = $1 and name = 'Tail lift'")
	o.leftOver(o.plan(), left, "UNPLANNED", "[]", fmt.Sprintf(
		`[{"change":"OTHER_VEHICLE","driverId":%d,"vehicleTypeId":%d},{"change":"SPLIT_ORDER","parts":2},
		{"change":"EXTRA_DRIVER","starts":"2026-03-02T08:10:00Z","ends":"2026-03-02T10:05:00Z","vehicleTypeId":%[2]d,
			"skillIds":[%d],"serves":1}]`, o.nora, o.truck, skill))
	path := fmt.Sprintf("/v2/orders/%d/planning", left)
	p := read[contract.OrderPlanning](o, path)
	require.Nil(t, p.NothingHelps)
	require.Len(t, p.Counterfactuals, 3)
	require.Equal(t, fmt.Sprint(o.truck), p.Counterfactuals[0].Value)
	require.Equal(t, "2", p.Counterfactuals[1].Value)
	require.Equal(t, []string{"Tail lift"}, *p.Counterfactuals[2].Skills)
	for language, texts := range map[string][]string{
		"en": {"drove a vehicle of the type Truck", "split into 2 orders", "the skill “Tail lift”, from 09:10 to 11:05"},
		"nb": {"kjørte en bil av typen Truck", "delt på 2 ordrer", "ferdigheten «Tail lift», fra 09:10 til 11:05"},
		"da": {"kørte en bil af typen Truck", "delt på 2 ordrer", "færdigheden »Tail lift«, fra 09:10 til 11:05"},
	} {
		p := read[contract.OrderPlanning](o, path, "Accept-Language", language)
		for i, text := range texts {
			require.Contains(t, *p.Counterfactuals[i].Text, text, language)
		}
	}
}

// TestOrderSaysThatNothingHelps reads why, of the order and among the orders of its day.
func TestOrderSaysThatNothingHelps(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	left := o.order("P-1")
	o.leftOver(o.plan(), left, "UNPLANNED", "[]", `[{"change":"NOTHING","why":"WORKING_TIME"}]`)
	path := fmt.Sprintf("/v2/orders/%d/planning", left)
	for language, text := range map[string]string{
		"en": "longer than working time permits", "nb": "lenger enn arbeidstiden tillater", "da": "end arbejdstiden tillader",
	} {
		p := read[contract.OrderPlanning](o, path, "Accept-Language", language)
		require.Empty(t, p.Counterfactuals)
		require.Equal(t, contract.PlanningNothingHelpsCodeWORKINGTIME, p.NothingHelps.Code)
		require.Contains(t, *p.NothingHelps.Text, text)
	}
	page := read[contract.UnplannedPage](o, "/v1/planning/unplanned?date=2026-03-02")
	require.Len(t, page.Items, 1)
	require.Equal(t, contract.PlanningNothingHelpsCodeWORKINGTIME, page.Items[0].Planning.NothingHelps.Code)
	require.NotEmpty(t, page.Items[0].Planning.NothingHelps.Text)
}
