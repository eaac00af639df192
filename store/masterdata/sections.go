package masterdata

import (
	"context"
	"fmt"
	"slices"

	"waybill/domain/event"
	"waybill/domain/notification"
	"waybill/domain/organization"
	"waybill/store"
	"waybill/store/queries"
)

// applier applies one document in one transaction.
type applier struct {
	q        *queries.Queries
	tx       *store.Tx
	org      int64
	document *organization.Document
	options  Options
	applied  Applied
	// zoneBefore is the zone that an organization leaves; empty when it stays.
	zoneBefore string
	// events are those of single records that changed.
	events []event.Event
}

// counts are the rows that a statement created and updated.
type counts struct{ Created, Updated int32 }

// section is a part of the document, and how it is applied and pruned.
type section struct {
	name  string
	given bool
	size  int
	apply func(context.Context) (counts, error)
	prune func(context.Context) (int64, error) // nil if records of the section are never removed
}

// sections are those of the document, sorted so that references come first.
func (a *applier) sections() []section {
	d := a.document
	return []section{
		list("calendars", d.Calendars, a.calendars, a.pruneCalendars),
		list("departments", d.Departments, a.departments, a.pruneDepartments),
		list("customers", d.Customers, a.customers, a.pruneCustomers),
		list("vehicleTypes", d.VehicleTypes, a.vehicleTypes, a.pruneVehicleTypes),
		list("orderTypes", d.OrderTypes, a.orderTypes, a.pruneOrderTypes),
		list("carriers", d.Carriers, a.carriers, a.pruneCarriers),
		list("skills", d.Skills, a.skills, a.pruneSkills),
		list("groups", d.Groups, a.groups, a.pruneGroups),
		list("customFields", d.CustomFields, a.customFields, a.pruneCustomFields),
		list("transformations", d.Transformations, a.transformations, a.pruneTransformations),
		list("locations", d.Locations, a.locations, nil),
		list("vehicles", d.Vehicles, a.vehicles, a.pruneVehicles),
		list("drivers", d.Drivers, a.drivers, a.pruneDrivers),
		list("users", d.Users, a.users, nil),
		list("zones", d.Zones, a.zones, a.pruneZones),
		list("freightLevels", d.FreightLevels, a.freightLevels, a.pruneFreightLevels),
		list("intervals", d.Intervals, a.intervals, a.pruneIntervals),
		list("priceLists", d.PriceLists, a.priceLists, a.prunePriceLists),
		{"messaging", d.Messaging != nil, 1, a.messaging, nil},
		list("notifications", d.Notifications, a.notificationRules, a.pruneNotificationRules),
	}
}

func list[T any](
	name string, items []T, apply func(context.Context) (counts, error), prune func(context.Context) (int64, error),
) section {
	return section{name, items != nil, len(items), apply, prune}
}

func (a *applier) apply(ctx context.Context, isNew bool) error {
	if err := a.organization(ctx, isNew); err != nil {
		return fmt.Errorf("apply organization: %w", err)
	}
	if err := a.knowsDimensions(ctx); err != nil {
		return err
	}
	sections := a.sections()
	for _, section := range sections {
		if !section.given {
			continue
		}
		n, err := section.apply(ctx)
		if err != nil {
			return fmt.Errorf("apply %s: %w", section.name, err)
		}
		a.add(section.name, section.size, n)
	}
	if a.options.Prune {
		if err := a.prune(ctx, sections); err != nil {
			return err
		}
	}
	unsigned, err := a.q.UnsignedChannels(ctx, a.org)
	for _, channel := range unsigned {
		a.applied.Unsigned = append(a.applied.Unsigned, notification.Channel(channel))
	}
	return err
}

// prune removes the records that the document's sections no longer have. It
// runs in reverse order, so that referring records go first.
func (a *applier) prune(ctx context.Context, sections []section) error {
	for _, section := range slices.Backward(sections) {
		if !section.given || section.prune == nil {
			continue
		}
		n, err := section.prune(ctx)
		if err != nil {
			return fmt.Errorf("prune %s: %w", section.name, err)
		}
		a.remove(section.name, n)
	}
	return nil
}

func (a *applier) add(name string, size int, n counts) {
	created, updated := int(n.Created), int(n.Updated)
	a.applied.Sections = append(a.applied.Sections, AppliedSection{
		Name: name, Created: created, Updated: updated, Unchanged: size - created - updated,
	})
}

func (a *applier) remove(name string, rows int64) {
	for i := range a.applied.Sections {
		if a.applied.Sections[i].Name == name {
			a.applied.Sections[i].Removed = int(rows)
		}
	}
}

// organization also locks the row, so that documents take turns.
func (a *applier) organization(ctx context.Context, isNew bool) error {
	o := a.document.Organization
	settings := a.document.Settings
	if err := a.mayDraw(ctx); err != nil {
		return err
	}
	if isNew {
		return a.newOrganization(ctx)
	}
	zone, err := a.q.LockOrganization(ctx, a.org)
	if err != nil {
		return err
	}
	if zone != o.Timezone {
		a.zoneBefore = zone
	}
	update := queries.UpdateOrganizationParams{OrgID: a.org, Name: o.Name, Timezone: o.Timezone, Language: o.Language}
	if settings != nil {
		approach, keep := int16(settings.Approach()), int32(settings.KeepOrdersDays)
		update.KeepOrdersDays = &keep
		update.ApproachingMinutes, update.SsccPrefix = &approach, &settings.SSCCPrefix
		update.AllowMerge, update.Reexport, update.Sandbox = &settings.AllowMerge, &settings.Reexport, &settings.Sandbox
		update.OfficePhone, update.Proof = settings.OfficePhone, proofOf(settings)
		if err := a.mayBeSandbox(ctx); err != nil {
			return err
		}
	}
	changed, err := a.q.UpdateOrganization(ctx, update)
	if err != nil {
		return err
	}
	kept, err := a.unsaid(ctx)
	a.add("organization", 1, counts{Updated: int32(max(changed, kept))})
	return err
}

// newOrganization creates the organization from the document.
func (a *applier) newOrganization(ctx context.Context) error {
	o, settings := a.document.Organization, a.document.Settings
	create := queries.CreateOrganizationParams{
		OrgID: a.org, Slug: o.Slug, Name: o.Name, Timezone: o.Timezone, Language: o.Language,
		ApproachingMinutes: organization.UsualApproach,
	}
	if settings != nil {
		create.AllowMerge, create.Reexport, create.Sandbox = settings.AllowMerge, settings.Reexport, settings.Sandbox
		create.ApproachingMinutes, create.SsccPrefix = int16(settings.Approach()), settings.SSCCPrefix
		create.KeepOrdersDays = int32(settings.KeepOrdersDays)
		create.OfficePhone, create.Proof = phoneOf(settings), store.ProofText(settings.Proof)
	}
	a.add("organization", 1, counts{Created: 1})
	if err := a.q.CreateOrganization(ctx, create); err != nil {
		return err
	}
	_, err := a.unsaid(ctx)
	return err
}

// unsaid sets what stays as it was unless the document says it.
func (a *applier) unsaid(ctx context.Context) (changed int64, err error) {
	if changed, err = a.privacy(ctx); err != nil || a.document.Settings == nil {
		return changed, err
	}
	s := a.document.Settings.Places
	placed, err := a.q.SetPlaces(ctx, queries.SetPlacesParams{
		OrgID: a.org, DriversPins: s.AcceptDriversPins, Arrivals: s.AcceptArrivals,
	})
	if err != nil {
		return changed, err
	}
	loaded, err := a.q.SetLoading(ctx, queries.SetLoadingParams{
		OrgID: a.org, Minutes: minutesOf(a.document.Settings.LoadingMinutes),
	})
	if err != nil {
		return changed, err
	}
	limited, err := a.q.SetShiftLimits(ctx, queries.SetShiftLimitsParams{
		OrgID: a.org, MaxStops: minutesOf(a.document.Settings.MaxStops),
		MaxDrivingMinutes: minutesOf(a.document.Settings.MaxDrivingMinutes),
	})
	if err != nil {
		return changed, err
	}
	changed = max(changed, placed, loaded, limited)
	for _, set := range []func(context.Context) (int64, error){
		a.goodsApart, a.loadDimensions, a.costs, a.rushHours, a.learnTravel, a.recipientPage,
	} {
		rows, err := set(ctx)
		if err != nil {
			return changed, err
		}
		changed = max(changed, rows)
	}
	return changed, nil
}

// learnTravel sets what is done with travel times that are learned, if the document says so.
func (a *applier) learnTravel(ctx context.Context) (changed int64, err error) {
	said := a.document.Settings.LearnTravel
	if said == nil {
		return 0, nil
	}
	return a.q.SetLearnTravel(ctx, queries.SetLearnTravelParams{OrgID: a.org, LearnTravel: *said})
}

// rushHours sets when driving takes longer, if the document says so.
func (a *applier) rushHours(ctx context.Context) (changed int64, err error) {
	said := a.document.Settings.RushHours
	if said == nil {
		return 0, nil
	}
	return a.q.SetRushHours(ctx, queries.SetRushHoursParams{
		OrgID: a.org, RushHours: store.RushHoursText(organization.RushHoursOf(said)),
	})
}

// costs sets the prices of plans, if the document has any.
func (a *applier) costs(ctx context.Context) (changed int64, err error) {
	costs := a.document.Settings.Costs
	if costs == nil {
		return 0, nil
	}
	return a.q.SetCosts(ctx, queries.SetCostsParams{OrgID: a.org, Costs: store.CostsText(costs)})
}

// recipientPage sets how the organization shows itself to recipients, if the document says it.
func (a *applier) recipientPage(ctx context.Context) (changed int64, err error) {
	page := a.document.Settings.RecipientPage
	if page == nil {
		return 0, nil
	}
	return a.q.SetRecipientPage(ctx, queries.SetRecipientPageParams{
		OrgID: a.org, RecipientPage: store.RecipientPageText(page),
	})
}

// minutesOf returns a number of the settings, nil when the document does not say it.
func minutesOf(said *int) *int32 {
	if said == nil {
		return nil
	}
	n := int32(*said)
	return &n
}

// privacy sets how long personal data is kept, whether carriers see prices, and whether a
// provider gets addresses, if the document says so.
func (a *applier) privacy(ctx context.Context) (changed int64, err error) {
	if a.document.Settings == nil {
		return 0, nil
	}
	s := a.document.Settings
	return a.q.SetPrivacy(ctx, queries.SetPrivacyParams{
		OrgID: a.org, ShipmentPrices: s.ShipmentPrices, AskGeocoder: s.AskGeocoder, PeopleDays: days(s.Retention.PeopleDays),
		ProofsDays: days(s.Retention.ProofsDays), DriversDays: days(s.Retention.DriversDays),
	})
}

func days(of *int) *int64 {
	if of == nil {
		return nil
	}
	n := int64(*of)
	return &n
}

// mayDraw refuses a prefix of codes that another organization has.
func (a *applier) mayDraw(ctx context.Context) error {
	if a.document.Settings == nil || a.document.Settings.SSCCPrefix == "" {
		return nil
	}
	taken, err := a.q.SSCCPrefixIsTaken(ctx, a.document.Settings.SSCCPrefix)
	if err != nil || !taken {
		return err
	}
	return organization.Problems{a.document.Problem("settings.ssccPrefix",
		"must be your own: another organization here has this prefix, or one that begins like it")}
}

// phoneOf returns the phone number in the settings, or "".
func phoneOf(settings *organization.Settings) string {
	if settings.OfficePhone == nil {
		return ""
	}
	return *settings.OfficePhone
}

// proofOf returns the proof rules in the settings as they are stored, or nil.
func proofOf(settings *organization.Settings) *string {
	if settings.Proof == nil {
		return nil
	}
	text := store.ProofText(settings.Proof)
	return &text
}

// mayBeSandbox refuses to turn an organization with drivers into a sandbox: a
// mistake in a document must not let a simulator drive a real day.
func (a *applier) mayBeSandbox(ctx context.Context) error {
	if !a.document.Settings.Sandbox {
		return nil
	}
	is, err := a.q.IsSandbox(ctx, a.org)
	if err != nil || is {
		return err
	}
	drives, err := a.q.HasPhones(ctx, a.org)
	if err != nil || !drives {
		return err
	}
	return organization.Problems{a.document.Problem("settings.sandbox",
		"must stay false: drivers' phones are enrolled, or have been used")}
}
