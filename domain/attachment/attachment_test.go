package attachment_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"waybill/domain/attachment"
)

var limits = attachment.Limits{MaxBytes: 100, Types: []string{"application/pdf", "text/plain"}}

func TestAccept(t *testing.T) {
	t.Parallel()
	good := attachment.File{Name: "følgeseddel 1.pdf", ContentType: "Application/PDF; version=1.7", Size: 100}
	accepted, wrong := limits.Accept(good)
	require.Empty(t, wrong)
	require.Equal(t, "application/pdf", accepted.ContentType)

	for name, edit := range map[string]func(*attachment.File){
		"name: empty":        func(f *attachment.File) { f.Name = "" },
		"name: space":        func(f *attachment.File) { f.Name = " a" },
		"name: folder":       func(f *attachment.File) { f.Name = "a/b" },
		"name: direction":    func(f *attachment.File) { f.Name = "x\u202efdp.exe.txt" },
		"name: backslash":    func(f *attachment.File) { f.Name = `a\b` },
		"name: up":           func(f *attachment.File) { f.Name = ".." },
		"name: line":         func(f *attachment.File) { f.Name = "a\nb" },
		"name: NUL":          func(f *attachment.File) { f.Name = "a\x00" },
		"name: no UTF-8":     func(f *attachment.File) { f.Name = "\xff" },
		"name: long":         func(f *attachment.File) { f.Name = strings.Repeat("x", 256) },
		"content_type: page": func(f *attachment.File) { f.ContentType = "text/html" },
		"content_type: none": func(f *attachment.File) { f.ContentType = "" },
		"content_type: bad":  func(f *attachment.File) { f.ContentType = "text/plain;;" },
		"size: nothing":      func(f *attachment.File) { f.Size = 0 },
		"size: below":        func(f *attachment.File) { f.Size = -1 },
		"size: over":         func(f *attachment.File) { f.Size = 101 },
	} {
		f := good
		edit(&f)
		_, wrong := limits.Accept(f)
		require.Len(t, wrong, 1, name)
		field, _, _ := strings.Cut(name, ":")
		require.Equal(t, field, wrong[0].Field, name)
	}
	_, wrong = limits.Accept(attachment.File{})
	require.Len(t, wrong, 3, "everything that is wrong is told at once")
}

func TestAttach(t *testing.T) {
	t.Parallel()
	note, newNote := attachment.Document{ID: 1, Name: "note"}, attachment.Document{ID: 3, Name: "note"}
	photo := attachment.Document{ID: 2, Name: "photo"}
	present := []attachment.Document{note, photo}
	attach := func(behavior attachment.Behavior, added ...attachment.Document) attachment.Change {
		return attachment.Attach(present, added, behavior)
	}
	require.Equal(t, attachment.Change{Attach: []int64{3}}, attach(attachment.Append, newNote, newNote))
	require.Equal(t, attachment.Change{Attach: []int64{3}, Detach: []int64{1}},
		attach(attachment.ReplaceSameName, newNote))
	require.Equal(t, attachment.Change{Attach: []int64{3}, Detach: []int64{1, 2}}, attach(attachment.ReplaceAll, newNote))
	require.Equal(t, attachment.Change{Detach: []int64{1, 2}}, attach(attachment.ReplaceAll))
	require.Equal(t, attachment.Change{Detach: []int64{1}}, attach(attachment.ReplaceAll, photo))
	require.False(t, attach(attachment.ReplaceSameName, note).Any())
}

// TestAttachingAgainChangesNothing checks this for any present and added
// documents.
func TestAttachingAgainChangesNothing(t *testing.T) {
	t.Parallel()
	documents := rapid.SliceOfDistinct(rapid.Custom(func(t *rapid.T) attachment.Document {
		id := rapid.Int64Range(1, 9).Draw(t, "id")
		return attachment.Document{ID: id, Name: []string{"a", "b", "c"}[id%3]}
	}), func(d attachment.Document) int64 { return d.ID })
	rapid.Check(t, func(t *rapid.T) {
		present, added := documents.Draw(t, "present"), documents.Draw(t, "added")
		behavior := rapid.SampledFrom([]attachment.Behavior{
			attachment.Append, attachment.ReplaceAll, attachment.ReplaceSameName,
		}).Draw(t, "behavior")
		change := attachment.Attach(present, added, behavior)
		var after []attachment.Document
		for _, d := range append(present, added...) {
			if !contains(change.Detach, d.ID) && !holds(after, d.ID) {
				after = append(after, d)
			}
		}
		for _, d := range added {
			require.True(t, holds(after, d.ID), "all that came is there")
		}
		if behavior == attachment.ReplaceAll {
			require.Len(t, after, len(added))
		}
		require.False(t, attachment.Attach(after, added, behavior).Any())
	})
}

func contains(ids []int64, id int64) bool {
	for _, x := range ids {
		if x == id {
			return true
		}
	}
	return false
}

func holds(documents []attachment.Document, id int64) bool {
	for _, d := range documents {
		if d.ID == id {
			return true
		}
	}
	return false
}
