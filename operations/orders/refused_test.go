package orders_test

import (
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"waybill/domain/caller"
	"waybill/operations"
	"waybill/operations/operationstest"
	"waybill/operations/recurring"
	"waybill/store"
	"waybill/store/storetest"
)

// TestTemplatesOutliveDataThatTheDatabaseRefuses has the database refuse what a
// template is and what it generates, which no check of ours foresaw.
func TestTemplatesOutliveDataThatTheDatabaseRefuses(t *testing.T) {
	t.Parallel()
	db := storetest.New(t)
	org := caller.Service(storetest.Organization(t, db, "acme"), "test")
	owner, err := pgx.Connect(t.Context(), db.OwnerURL)
	require.NoError(t, err)
	t.Cleanup(func() { _ = owner.Close(t.Context()) })
	_, err = owner.Exec(t.Context(), `
		create function refuse() returns trigger language plpgsql as $$ begin
			raise exception 'refused' using errcode = '22003'; end $$;
		create trigger refuse before insert on orders for each row execute function refuse();
		create trigger refuse before insert or update on recurring_orders
			for each row when (new.name = 'poison') execute function refuse()`)
	require.NoError(t, err)
	now := time.Date(2026, 3, 2, 12, 0, 0, 0, time.UTC)
	o := operations.New(store.New(db.Pool), func() time.Time { return now }, operations.Settings{})
	save := func(name string) (recurring.StagedChange, recurring.SavedTemplate) {
		staged, err := o.Recurring.StageTemplate(t.Context(), org, []byte(`{"name": "`+name+`", "rruleset": "FREQ=DAILY",
			"startDate": "2026-03-02T08:00:00Z", "daysToGenerateAhead": 3, "orderTemplate": {
				"customer": {"externalId": "C-100"}, "vehicleType": {"name": "Van"}, "orderType": {"name": "Standard"},
				"pickup": {"externalId": "L-1"}, "delivery": {"externalId": "L-2"}}}`), time.UTC)
		require.NoError(t, err)
		saved, err := o.Recurring.SaveTemplate(t.Context(), org, staged.ID)
		require.NoError(t, err)
		return staged, saved
	}

	_, saved := save("poison")
	require.True(t, saved.Refused)

	staged, saved := save("Chairs")
	require.False(t, saved.Refused)
	done, err := o.Recurring.GenerateOrders(t.Context(), org, staged.TemplateID)
	require.NoError(t, err)
	require.Equal(t, recurring.TemplateFailing, done.State)
	require.Equal(t, recurring.ErrorUnstorable, done.Error)
	require.Equal(t, time.Date(2026, 3, 2, 23, 0, 0, 0, time.UTC), done.WakeAt, "midnight in Oslo")

	_, err = owner.Exec(t.Context(), "drop trigger refuse on orders")
	require.NoError(t, err)
	now = now.AddDate(0, 0, 1)
	done, err = o.Recurring.GenerateOrders(t.Context(), org, staged.TemplateID)
	require.NoError(t, err)
	require.Equal(t, recurring.TemplateActive, done.State)
	require.Positive(t, done.Orders)
}

// TestTemplateOwesMissingOrders saves a template whose workflow never generates
// anything, as one that fails at once.
func TestTemplateOwesMissingOrders(t *testing.T) {
	t.Parallel()
	o := operationstest.NewOffice(t)
	org := caller.Service(storetest.Organization(t, o.Database, "acme"), "test")
	staged, err := o.Recurring.StageTemplate(t.Context(), org, []byte(`{"name": "Chairs", "rruleset": "FREQ=DAILY;COUNT=1",
		"startDate": "2020-03-02T08:00:00Z", "daysToGenerateAhead": 3, "orderTemplate": {
			"customer": {"externalId": "C-100"}, "vehicleType": {"name": "Van"}, "orderType": {"name": "Standard"},
			"pickup": {"externalId": "L-1"}, "delivery": {"externalId": "L-2"}}}`), time.UTC)
	require.NoError(t, err)
	saved, err := o.Recurring.SaveTemplate(t.Context(), org, staged.ID)
	require.NoError(t, err)
	require.False(t, saved.Refused)
	owes := func() bool {
		return operationstest.One[bool](o, "select owes from recurring_orders where id = $1", staged.TemplateID)
	}
	require.True(t, owes())
	done, err := o.Recurring.GenerateOrders(t.Context(), org, staged.TemplateID)
	require.NoError(t, err)
	require.Equal(t, recurring.TemplateComplete, done.State)
	require.False(t, owes())
	require.NoError(t, o.Recurring.PauseTemplate(t.Context(), org, staged.TemplateID, true))
	require.False(t, owes())
	require.NoError(t, o.Recurring.PauseTemplate(t.Context(), org, staged.TemplateID, false))
	require.True(t, owes())
}
