package tracking

import (
	"html/template"
	"math"
	"strconv"
	"strings"

	"waybill/domain/order"
	"waybill/domain/recipient"
	"waybill/store"
)

// stopPage describes the state of a stop. pictures is the address of the logo, as
// seen from the page, and outside the same for other programs.
func stopPage(say *spoken, seen *sight, pictures, outside string, streets Streets) page {
	stop := seen.stop
	kind := string(stop.Stop)
	p := page{
		Sender: stop.Organization, Mood: moodOf(stop), Refresh: refreshSeconds,
		Kind:  say.say("kind." + kind),
		Title: say.say("status." + kind + "." + stop.Status.String()),
		Steps: stepsReached(stop),
		Note:  say.say("updated", "time", say.clock(seen.now)),
	}
	p.Preview = &preview{
		Title: say.say("preview."+kind, "sender", stop.Organization), Description: p.Title, Site: stop.Organization,
	}
	if stop.Number != "" {
		p.Kind += " · " + say.say("order", "number", stop.Number)
	}
	if p.Mood == "open" {
		p.Note += ". " + say.say("note")
	} else {
		p.Refresh = 0 // nothing changes any more
	}
	p.Brand = brandOf(stop)
	if stop.Page.Logo != "" {
		p.Logo, p.Preview.Picture = pictures, outside
	}
	if seen.showsDriver() {
		p.Sketch = sketchOf(stop.Way, say.say("way"), streets)
	}
	p.Facts = facts(say, seen)
	return p
}

// brandOf is the color of the organization, as a style.
func brandOf(stop *store.TrackedStop) template.CSS {
	if stop.Page.Color == "" {
		return ""
	}
	return template.CSS(":root { --brand: " + stop.Page.Color + "; --on-brand: " + stop.Page.Ink() + "; }")
}

// facts are what the page says about the stop, most important first.
func facts(say *spoken, seen *sight) (all []fact) {
	stop := seen.stop
	add := func(key string, lines ...string) {
		if len(lines) > 0 && lines[0] != "" {
			all = append(all, fact{Name: say.say(key), Lines: lines})
		}
	}
	add("eta", expected(say, seen)...)
	if p := seen.promised; !p.IsZero() && (p.From.After(seen.expected.To) || p.To.Before(seen.expected.From)) {
		add("promised", say.between(p.From, p.To)...)
	}
	if !stop.Arrived.IsZero() && moodOf(stop) == "open" {
		add("arrived", say.clock(stop.Arrived))
	}
	if key := endedKey(stop); key != "" {
		add(key, say.day(stop.Ended), say.clock(stop.Ended))
	}
	add("handover", handedOver(say, stop))
	add("safe_place", stop.Handover.Place)
	if stop.Failure != "" && stop.Failure != recipient.OtherFailure {
		add("failure", say.say("failure."+string(stop.Failure)))
	}
	switch stop.Status {
	case order.Failed:
		add("now", say.say("now."+string(stop.Stop), "sender", stop.Organization))
	case order.Cancelled:
		add("now", say.say("now.cancelled", "sender", stop.Organization))
	}
	add("yours", instructionsFact(say, stop)...)
	add("rated", ratingFact(say, stop)...)
	add("messages", preferencesFact(say, stop)...)
	add("window", say.between(stop.Earliest, stop.Latest)...)
	if place := strings.TrimSpace(stop.Name + stop.Town); place != "" {
		all = append(all, fact{Name: say.say("place"), Lines: nonEmpty(stop.Name, stop.Town)})
	}
	return append(all, contactFact(say, stop)...)
}

// contactFact is whom to contact, or nothing if the organization does not say it.
func contactFact(say *spoken, stop *store.TrackedStop) []fact {
	links := contacts(&stop.Page)
	if len(links) == 0 {
		return nil
	}
	return []fact{{Name: say.say("contact"), Lines: []string{stop.Organization}, Links: links}}
}

// handedOver is how the goods were handed over, or empty if that is unknown.
func handedOver(say *spoken, stop *store.TrackedStop) string {
	switch h := &stop.Handover; {
	case h.Type == "":
		return ""
	case h.ReceivedBy != "":
		return say.say("handover.to", "name", h.ReceivedBy)
	default:
		return say.say("handover." + h.Type)
	}
}

func nonEmpty(texts ...string) (all []string) {
	for _, text := range texts {
		if text != "" {
			all = append(all, text)
		}
	}
	return all
}

// endedKey is the name of the moment when a stop was over, or empty if that is unknown.
func endedKey(stop *store.TrackedStop) string {
	switch {
	case stop.Ended.IsZero():
		return ""
	case stop.Status == order.Failed:
		return "ended.failed"
	case stop.Status == finalStatus(stop.Stop):
		return "ended." + string(stop.Stop)
	}
	return ""
}

// contacts are how to reach the organization. They were checked when they were set.
func contacts(p *recipient.Page) (links []link) {
	if p.Phone != "" {
		digits := strings.NewReplacer(" ", "", "(", "", ")", "", "-", "").Replace(p.Phone)
		links = append(links, link{template.URL("tel:" + digits), p.Phone})
	}
	if p.Email != "" {
		links = append(links, link{template.URL("mailto:" + p.Email), p.Email})
	}
	if p.Website != "" {
		links = append(links, link{template.URL(p.Website), strings.TrimPrefix(p.Website, "https://")})
	}
	return links
}

// expected says when the driver will arrive, and where they are; nothing once
// the driver is there.
func expected(say *spoken, seen *sight) (lines []string) {
	if seen.expected.IsZero() {
		return nil
	}
	lines = say.between(seen.expected.From, seen.expected.To)
	if say.day(seen.expected.From) == say.day(seen.now) && say.day(seen.expected.To) == say.day(seen.now) {
		lines = lines[1:] // today
	}
	switch stop := seen.stop; {
	case stop.Before == 1:
		lines = append(lines, say.say("before.one"))
	case stop.Before > 1:
		lines = append(lines, say.say("before.many", "stops", strconv.Itoa(stop.Before)))
	case seen.showsDriver():
		away := say.calendar.FmtNumber(math.Max(stop.Distance/1000, 0.1), 1)
		lines = append(lines, say.say("away", "distance", away))
	case stop.Before == 0:
		lines = append(lines, say.say("next"))
	}
	return lines
}

func moodOf(stop *store.TrackedStop) string {
	switch {
	case stop.Status == order.Failed, stop.Status == order.Cancelled:
		return "failed"
	case stop.Status == finalStatus(stop.Stop):
		return "done"
	}
	return "open"
}

// finalStatus is the status of a finished stop.
func finalStatus(stop order.StopKind) order.Status {
	if stop == order.Pickup {
		return order.PickedUp
	}
	return order.Delivered
}

// stepsReached are the statuses on the way to a stop's end, and which of them
// are reached, or none if the stop will not be completed.
func stepsReached(stop *store.TrackedStop) []bool {
	if moodOf(stop) == "failed" {
		return nil
	}
	all := make([]bool, finalStatus(stop.Stop))
	for i := range all {
		all[i] = order.Status(i+1) <= stop.Status
	}
	return all
}
