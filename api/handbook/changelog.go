package handbook

import (
	"waybill"
)

// changelogName is the page of the changelog.
const changelogName = "changelog"

// addChangelog adds the changes of each release. Its links lead to other sites
// only, because the files that it names are in the repository.
func (l *library) addChangelog() {
	source := []byte(waybill.Changelog())
	drawn, err := read(source, contractLink)
	if err != nil {
		drawn.html = "" // goldmark writes to memory, which does not fail
	}
	l.pages[changelogName] = &page{
		name: changelogName, title: "Changelog", summary: "What changed in each release.", template: "guide.html",
		view: drawn.html, sections: drawn.sections, forReaders: func() []byte { return source },
	}
}
