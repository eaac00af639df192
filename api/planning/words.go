package planning

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"waybill/api/contract"
	"waybill/api/edge"
	"waybill/domain/fault"
	"waybill/store"
)

// words formats reasons and counterfactuals in the caller's language. It first
// collects the records that they refer to, so that one look-up serves all of
// them.
type words struct {
	drivers, vehicleTypes, orders, skills []int64

	names store.PlanNames
	texts edge.Localizer
	zone  *time.Location
}

// learn collects the ids whose names the texts need.
func (w *words) learn(reasons []contract.PlanningReason, helps []contract.PlanningCounterfactual) {
	for i := range reasons {
		if len(reasons[i].Drivers) > 0 && reasons[i].Count == 1 {
			w.drivers = append(w.drivers, reasons[i].Drivers[0])
		}
	}
	for i := range helps {
		help := &helps[i]
		if help.DriverID != nil {
			w.drivers = append(w.drivers, *help.DriverID)
		}
		if help.VehicleTypeID != nil {
			w.vehicleTypes = append(w.vehicleTypes, *help.VehicleTypeID)
		}
		id, err := strconv.ParseInt(help.Value, 10, 64)
		if err == nil && help.Change == contract.PlanningCounterfactualChangeWITHOUTORDER {
			w.orders = append(w.orders, id)
		}
	}
}

// lookUp finds the names, and the language and the clock of the caller.
func (w *words) lookUp(ctx context.Context, s *store.Store) (err error) {
	w.texts, w.zone = edge.LocalizerOf(ctx), edge.PrincipalOf(ctx).Zone
	if len(w.drivers)+len(w.vehicleTypes)+len(w.orders)+len(w.skills) == 0 {
		return nil
	}
	w.names, err = s.NamesInPlans(ctx, edge.PrincipalOf(ctx).OrgID, store.PlanIDs{
		Drivers: w.drivers, VehicleTypes: w.vehicleTypes, Orders: w.orders, Skills: w.skills,
	})
	return err
}

// say adds the texts.
func (w *words) say(reasons []contract.PlanningReason, helps []contract.PlanningCounterfactual) {
	for i := range reasons {
		text := w.texts.Say(w.reason(&reasons[i]))
		reasons[i].Text = &text
	}
	for i := range helps {
		text := w.texts.Say(w.help(&helps[i]))
		helps[i].Text = &text
	}
}

func (w *words) reason(r *contract.PlanningReason) fault.Text {
	id := strings.ToLower(string(r.Code))
	if r.Code == contract.PlanningReasonCodeFLEETFULL && r.Lacks != nil {
		id += "_" + strings.ToLower(string(*r.Lacks))
	}
	if r.Code == contract.PlanningReasonCodeFLEETFULL && r.Load != nil {
		id += "_of"
	}
	at := ""
	if r.Code == contract.PlanningReasonCodeUNREACHABLE && r.Nearest != nil {
		id += "_nearest"
		at = fmt.Sprintf("%.5f, %.5f", r.Nearest.Latitude, r.Nearest.Longitude)
	}
	label, calendar, next := "", "", ""
	if c := r.Closed; c != nil {
		id += "_" + strings.ToLower(string(c.Party))
		label, calendar = fault.Clip(c.Label), fault.Clip(c.Calendar)
		if c.NextOpenDay != nil {
			next = c.NextOpenDay.String()
		}
	}
	who := ""
	if len(r.Drivers) > 0 {
		who = w.names.Drivers[r.Drivers[0]]
	}
	return fault.Say("planning.reason."+id, "count", fmt.Sprint(r.Count), "who", who,
		"skill", edge.OrEmpty(r.Skill), "by", amount(r), "at", at, "needs", needs(r.Load), "holds", holds(r.Load),
		"label", label, "calendar", calendar, "next", next)
}

func (w *words) help(c *contract.PlanningCounterfactual) fault.Text {
	from, until, _ := strings.Cut(c.Value, "/")
	if until == "" {
		from, until = "", c.Value
	}
	serves, by, who, vehicleType, id := int32(1), "", "", "", "planning.help."+strings.ToLower(string(c.Change))
	var skills []string
	if c.Skills != nil && len(*c.Skills) > 0 {
		skills, id = *c.Skills, id+"_skilled"
	}
	if c.Load != nil {
		id += "_load"
	}
	if c.Serves != nil {
		serves = *c.Serves
	}
	if c.BySeconds != nil {
		by = duration(*c.BySeconds)
	}
	if c.DriverID != nil {
		who = w.names.Drivers[*c.DriverID]
	}
	if c.VehicleTypeID != nil {
		vehicleType = w.names.VehicleTypes[*c.VehicleTypeID]
	}
	order, _ := strconv.ParseInt(c.Value, 10, 64)
	return fault.Say(id, "count", fmt.Sprint(serves), "who", who, "by", by, "from", w.clock(from), "until", w.clock(until),
		"type", vehicleType, "number", w.names.Orders[order], "parts", c.Value, "skills", strings.Join(skills, ", "),
		"needs", needs(c.Load), "holds", holds(c.Load))
}

// sayNothing adds the text of why nothing helps.
func (w *words) sayNothing(nothing *contract.PlanningNothingHelps) {
	if nothing != nil {
		text := w.texts.Say(fault.Say("planning.nothing_helps." + strings.ToLower(string(nothing.Code))))
		nothing.Text = &text
	}
}

// clock is a moment by the clock of the organization.
func (w *words) clock(moment string) string {
	at, err := time.Parse(time.RFC3339, moment)
	if err != nil {
		return moment
	}
	return at.In(w.zone).Format("15:04")
}

// amount is by how much something fails, with its unit.
func amount(r *contract.PlanningReason) string {
	switch {
	case r.Nearest != nil && r.Nearest.Meters < 1000:
		return fmt.Sprintf("%d m", r.Nearest.Meters)
	case r.Nearest != nil:
		return fmt.Sprintf("%.1f km", float64(r.Nearest.Meters)/1000)
	case r.LateBySeconds != nil:
		return duration(*r.LateBySeconds)
	case r.OverBy == nil:
		return ""
	case r.Code == contract.PlanningReasonCodeVOLUME:
		return decimal(*r.OverBy) + " m³"
	case r.Code == contract.PlanningReasonCodeTOOMANYSTOPS:
		return decimal(*r.OverBy)
	case r.Code == contract.PlanningReasonCodeROUTETOOFAR:
		return decimal(*r.OverBy/1000) + " km"
	}
	return decimal(*r.OverBy) + " kg"
}

// needs is how much an order needs of a load dimension, with what is counted.
func needs(l *contract.PlanningLoad) string {
	if l == nil {
		return ""
	}
	return decimal(l.Needs) + " " + l.Unit
}

// holds is how much a vehicle holds of it.
func holds(l *contract.PlanningLoad) string {
	if l == nil {
		return ""
	}
	return decimal(l.Holds)
}

func decimal(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }

// duration is rounded up to minutes, in units that every language knows.
func duration(seconds int64) string {
	minutes := (seconds + 59) / 60
	if minutes < 60 {
		return fmt.Sprintf("%d min", minutes)
	}
	return fmt.Sprintf("%d h %d min", minutes/60, minutes%60)
}
