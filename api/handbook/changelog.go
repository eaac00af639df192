package handbook

import (
	"waybill"
)

// changelogName is the page of the changelog.
const changelogName = "changelog"

// addChangelog adds what changed in each release. Its links lead to other sites alone,
// because the files that it names are in the repository.
func (l *library) addChangelog() {
	source := []byte(waybill.Changelog())
	drawn, err := read(source, contractLink)
	if err != nil {
		drawn.html = "" // goldmark writes into memory, which does not fail
	}
	l.pages[changelogName] = &page{
		name: changelogName, title: "Changelog", summary: "What changed in each release.", template: "guide.html",
		view: drawn.html, sections: drawn.sections, forReaders: func() []byte { return source },
	}
}
