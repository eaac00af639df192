package customfield_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"waybill/domain/customfield"
	"waybill/domain/fault"
)

func ptr[T any](v T) *T { return &v }

func valid() customfield.Change {
	return customfield.Change{ExternalID: ptr("dock_door"), Label: ptr("Dock"), Title: ptr("Dock door")}
}

func TestNewGivesDefaults(t *testing.T) {
	t.Parallel()
	d, err := customfield.New(valid())
	require.NoError(t, err)
	require.Equal(t, customfield.Definition{
		ExternalID: "dock_door", Label: "Dock", Title: "Dock door",
		SortOrderBatch: "num", DisplayOn: "current", DisplayStyle: "badge", IsActive: true,
	}, d)
}

func TestContradictoryActions(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		field string
		spoil func(*customfield.Change)
	}{
		{"externalId", func(c *customfield.Change) { c.ExternalID = nil }},
		{"externalId", func(c *customfield.Change) { c.ExternalID = ptr(" ") }},
		{"externalId", func(c *customfield.Change) { c.ExternalID = ptr("a\x00") }},
		{"label", func(c *customfield.Change) { c.Label = ptr("") }},
		{"label", func(c *customfield.Change) { c.Label = ptr(strings.Repeat("x", 256)) }},
		{"title", func(c *customfield.Change) { c.Title = nil }},
		{"description", func(c *customfield.Change) { c.Description = ptr(strings.Repeat("x", 10_001)) }},
		{"icon", func(c *customfield.Change) { c.Icon = ptr("a\x07") }},
		{"colorScheme.background", func(c *customfield.Change) { c.Background = ptr("red") }},
		{"colorScheme.background", func(c *customfield.Change) { c.Background = ptr("#12345") }},
		{"colorScheme.text", func(c *customfield.Change) { c.Text = ptr("#GGGGGG") }},
		{"sortOrderBatch", func(c *customfield.Change) { c.SortOrderBatch = ptr("") }},
		{"displayOn", func(c *customfield.Change) { c.DisplayOn = ptr("nowhere") }},
		{"displayStyle", func(c *customfield.Change) { c.DisplayStyle = ptr("Badge") }},
	} {
		change := valid()
		c.spoil(&change)
		_, err := customfield.New(change)
		var f *fault.Error
		require.True(t, errors.As(err, &f), "%s", c.field)
		require.Equal(t, fault.Invalid, f.Kind)
		require.Len(t, f.Violations, 1)
		require.Equal(t, c.field, f.Violations[0].Field)
	}
}

func TestChangeKeepsOtherFields(t *testing.T) {
	t.Parallel()
	d, err := customfield.New(valid())
	require.NoError(t, err)
	d.Icon, d.Background = "key", "#FFF"
	changed, err := d.Changed(customfield.Change{Icon: ptr(""), Text: ptr("#5C4400"), IsActive: ptr(false)})
	require.NoError(t, err)
	want := d
	want.Icon, want.Text, want.IsActive = "", "#5C4400", false
	require.Equal(t, want, changed)
}
