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

// languagesOfCountries have names of countries in which several languages are
// official. Those of other countries are derived from their codes.
var languagesOfCountries = []language.Tag{language.French, language.Italian, language.Dutch}

// signs are the codes on number plates, and other symbols for countries.
var signs = map[string]string{
	"n": "NO", "s": "SE", "d": "DE", "dan": "DK", "fin": "FI", "sf": "FI", "a": "AT", "f": "FR", "nl": "NL", "b": "BE",
	"uk": "GB", "england": "GB", "scotland": "GB", "fl": "LI", "holland": "NL", "usa": "US", "brd": "DE",
	"greatbritain": "GB", "thenetherlands": "NL", "czechrepublic": "CZ",
}

// countriesByName are the codes by the folded names, and by the codes of three letters. A name
// in a language of the first list precedes one in another.
var countriesByName = sync.OnceValue(func() map[string]string {
	byName := map[string]string{}
	var regions []language.Region
	for a := 'A'; a <= 'Z'; a++ {
		for b := 'A'; b <= 'Z'; b++ {
			region, err := language.ParseRegion(string([]rune{a, b}))
			if err != nil || !region.IsCountry() || region.Canonicalize().String() != string([]rune{a, b}) {
				continue
			}
			regions = append(regions, region)
			byName[fold(region.String())] = region.String()
			byName[fold(region.ISO3())] = region.String()
		}
	}
	for _, in := range languagesOfNames {
		addNames(byName, in, regions...)
	}
	for _, region := range regions {
		own, _ := language.Compose(language.Und, region)
		base, _ := own.Base()
		addNames(byName, language.Make(base.String()), region)
	}
	for _, in := range languagesOfCountries {
		addNames(byName, in, regions...)
	}
	return byName
})

// addNames adds the names of countries in a language, except those that others have.
func addNames(byName map[string]string, in language.Tag, regions ...language.Region) {
	names := display.Regions(in)
	if names == nil {
		return
	}
	for _, region := range regions {
		key := nameKey(names.Name(region))
		if _, has := byName[key]; !has && key != "" {
			byName[key] = region.String()
		}
	}
}

func nameKey(name string) string { return compact(words(fold(name))) }

// CountryCode returns the ISO 3166-1 code of a country given by its code, its
// name in a Nordic language, German, English or a language of its own, or the
// code on its number plates. It returns "" for any other text.
func CountryCode(text string) string {
	if len(text) == 2 && text[0] >= 'A' && text[0] <= 'Z' && text[1] >= 'A' && text[1] <= 'Z' && text != "UK" {
		return text
	}
	key := nameKey(text)
	if key == "" {
		return ""
	}
	if code, ok := signs[key]; ok {
		return code
	}
	return countriesByName()[key]
}
