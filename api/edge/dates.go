package edge

import (
	"github.com/go-playground/locales"
	"github.com/go-playground/locales/da"
	"github.com/go-playground/locales/en_GB"
	"github.com/go-playground/locales/nb"
)

// calendars write days in the languages that messages exist in.
var calendars = map[string]locales.Translator{"nb": nb.New(), "da": da.New(), "en": en_GB.New()}

// Calendar writes days in the language.
func (l Localizer) Calendar() locales.Translator { return calendars[l.Tag] }
