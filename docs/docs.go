// Package docs contains the guides that the service shows, unchanged.
package docs

import "embed"

// Files are the guides in Markdown, and their pictures. Documents that are only
// for operators of an installation are not in them.
//
//go:embed integrating.md first-hour.md tutorial.md examples.md transformations.md sharing.md glossary.md reasons.md
//go:embed console.md driver-app.md planning.md behavior/*.md
//go:embed pictures/*.svg pictures/*.png
var Files embed.FS
