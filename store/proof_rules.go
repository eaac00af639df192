package store

import (
	"context"
	"encoding/json"
	"fmt"

	"waybill/domain/driving"
	"waybill/domain/load"
	"waybill/domain/masterdata"
	"waybill/domain/organization"
	"waybill/domain/pricing"
	"waybill/domain/proof"
	"waybill/domain/recipient"
	"waybill/domain/traffic"
	"waybill/store/queries"
)

func readAsked(text json.RawMessage) (asked driving.Asked, err error) {
	if err = json.Unmarshal(text, &asked); err != nil {
		err = fmt.Errorf("read proof requirements: %w", err)
	}
	return asked, err
}

// ProofText is how rules of proof are stored; it may be empty.
func ProofText(r *proof.Rules) string {
	if r == nil {
		return ""
	}
	text, err := json.Marshal(r)
	if err != nil { // it contains only strings
		panic(err)
	}
	return string(text)
}

// OrganizationSettings is what an administrator can change of the organization without a document.
type OrganizationSettings struct {
	organization.Identity
	OfficePhone *string      `json:"office_phone"`
	Proof       *proof.Rules `json:"proof"`
	// LoadingMinutes is how long it takes to load a vehicle before its shift, nil if drivers load
	// during it.
	LoadingMinutes *int32 `json:"loading_minutes"`
	// GoodsApart are the goods that must not travel together.
	GoodsApart []masterdata.GoodsApart `json:"goods_apart"`
	// LoadDimensions are what limits vehicles in addition to weight and volume.
	LoadDimensions load.Dimensions `json:"load_dimensions"`
	masterdata.ShiftLimits
	// Costs are the prices of plans, nil for none.
	Costs *pricing.Costs `json:"costs"`
	// RushHours are when driving takes longer than the road data says.
	RushHours []traffic.RushHours `json:"rush_hours"`
	// RecipientPage is how the organization shows itself to recipients, nil for the usual page.
	RecipientPage *recipient.Page `json:"recipient_page"`
}

// LoadOrganization reads the organization as v1 shows it.
func (t *Tx) LoadOrganization(ctx context.Context) (Document, error) {
	doc, err := t.q.ReadOrganization(ctx, t.org)
	return doc, translate(err)
}

// KnowsZone reports whether the database computes with the time zone of a name.
func (t *Tx) KnowsZone(ctx context.Context, name string) (bool, error) {
	return t.q.KnowsZone(ctx, name)
}

// SaveOrganizationSettings saves what an administrator can change of the organization.
func (t *Tx) SaveOrganizationSettings(ctx context.Context, wanted OrganizationSettings) error {
	params := queries.SetOrganizationSettingsParams{
		OrgID: t.org, Name: wanted.Name, Timezone: wanted.Timezone, Language: wanted.Language,
		Proof: ProofText(wanted.Proof), LoadingMinutes: wanted.LoadingMinutes,
		MaxStops: wanted.MaxStops, MaxDrivingMinutes: wanted.MaxDrivingMinutes, Costs: CostsText(wanted.Costs),
	}
	params.RushHours, params.RecipientPage = RushHoursText(wanted.RushHours), RecipientPageText(wanted.RecipientPage)
	params.GoodsApart, params.LoadDimensions = GoodsApartText(wanted.GoodsApart), DimensionsText(wanted.LoadDimensions)
	if wanted.OfficePhone != nil {
		params.OfficePhone = *wanted.OfficePhone
	}
	return t.q.SetOrganizationSettings(ctx, params)
}

// OrderPicture is a picture that the documentation of an order names. It has no
// key until its bytes arrive.
type OrderPicture = queries.OrderPictureRow

// OrderPicture reads a picture of an order by its SHA-256.
func (s *Store) OrderPicture(ctx context.Context, org, orderID int64, sha256 string) (OrderPicture, error) {
	row, err := s.of(org).OrderPicture(ctx, queries.OrderPictureParams{OrgID: org, OrderID: orderID, Sha256: sha256})
	return row, absent("picture", orderID, err)
}
