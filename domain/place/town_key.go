package place

import "strings"

// exonyms are names of towns in other languages, after folding.
var exonyms = map[string]string{
	"copenhagen": "kobenhavn", "kopenhagen": "kobenhavn", "kopenhamn": "kobenhavn", "kbh": "kobenhavn",
	"gothenburg": "goteborg", "goteburg": "goteborg", "helsingfors": "helsinki", "abo": "turku", "esbo": "espoo",
	"vanda": "vantaa", "tammerfors": "tampere", "uleaborg": "oulu", "vasa": "vaasa", "borga": "porvoo",
	"munich": "munchen", "cologne": "koln", "vienna": "wien", "nuremberg": "nurnberg", "hanover": "hannover",
	"elsinore": "helsingor", "christiania": "oslo",
}

// TownKey is how a town's name is compared. A district behind it is no part of it:
// "København Ø", "Oslo 1" and "Aarhus C" are towns with one.
func TownKey(name string) string {
	if at := strings.IndexAny(name, ",("); at > 0 {
		name = name[:at]
	}
	all := words(fold(name))
	for len(all) > 1 && isDistrict(all[len(all)-1]) {
		all = all[:len(all)-1]
	}
	key := compact(all)
	if own, ok := exonyms[key]; ok {
		return digraphs.Replace(own)
	}
	return key
}

// isDistrict reports whether a word behind a town's name names a part of it: a point of the
// compass, C, K or a number.
func isDistrict(word string) bool {
	if strings.Trim(word, "0123456789.") == "" {
		return true
	}
	switch word {
	case "c", "k", "n", "s", "v", "o", "nv", "sv", "no", "so", "ost", "sentrum", "centrum":
		return true
	}
	return false
}
