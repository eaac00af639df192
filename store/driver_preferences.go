package store

import (
	"encoding/json"
	"fmt"

	"waybill/domain/driver"
)

// PreferencesText is how the preferences of a driver are stored.
func PreferencesText(p driver.Preferences) string { return documentText(p) }

// readPreferences reads the stored preferences of a driver; nothing is none.
func readPreferences(id int64, text json.RawMessage) (p driver.Preferences, err error) {
	if text == nil {
		return p, nil
	}
	if err := json.Unmarshal(text, &p); err != nil {
		return p, fmt.Errorf("preferences of driver %d: %w", id, err)
	}
	return p, nil
}
