package place

import (
	"sync"

	"golang.org/x/text/language"
	"golang.org/x/text/language/display"
)

// languagesOfNames are the languages in which names of countries are
// understood.
var languagesOfNames = []language.Tag{
	language.Norwegian, language.MustParse("nn"), language.Swedish, language.Danish, language.Finnish,
	language.English, language.German,
}

// signs are the codes on number plates, and other symbols for countries.
var signs = map[string]string{
	"n": "NO", "s": "SE", "d": "DE", "dan": "DK", "fin": "FI", "sf": "FI", "a": "AT", "f": "FR", "nl": "NL", "b": "BE",
	"uk": "GB", "england": "GB", "scotland": "GB", "fl": "LI", "holland": "NL", "usa": "US", "brd": "DE",
}

// countriesByName are the codes by the folded names, and by the codes of three letters.
var countriesByName = sync.OnceValue(func() map[string]string {
	byName := map[string]string{}
	for a := 'A'; a <= 'Z'; a++ {
		for b := 'A'; b <= 'Z'; b++ {
			region, err := language.ParseRegion(string([]rune{a, b}))
			if err != nil || !region.IsCountry() || region.Canonicalize().String() != string([]rune{a, b}) {
				continue
			}
			byName[fold(region.String())] = region.String()
			byName[fold(region.ISO3())] = region.String()
			for _, in := range languagesOfNames {
				byName[compact(words(fold(display.Regions(in).Name(region))))] = region.String()
			}
		}
	}
	return byName
})

// CountryCode returns the ISO 3166-1 code of a country given by its code, its
// name in a Nordic language, German or English, or the code on its number
// plates. It returns "" for any other text.
func CountryCode(text string) string {
	if len(text) == 2 && text[0] >= 'A' && text[0] <= 'Z' && text[1] >= 'A' && text[1] <= 'Z' && text != "UK" {
		return text
	}
	key := compact(words(fold(text)))
	if key == "" {
		return ""
	}
	if code, ok := signs[key]; ok {
		return code
	}
	return countriesByName()[key]
}
