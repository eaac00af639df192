// Package tenants exports and removes organizations as a whole: their rows,
// their files and their workflows. It acts for operators, as the owner of the
// tables.
package tenants

import (
	"context"
	"fmt"

	"waybill/domain/attachment"
	"waybill/providers/files"
	"waybill/store/tenants"
)

// Rows are all that the database keeps of organizations.
type Rows interface {
	Counts(ctx context.Context, org int64) ([]tenants.Count, error)
	Close(ctx context.Context, org int64) error
	DeleteRows(ctx context.Context, org int64, batch int, said func(tenants.Count)) error
	Forget(ctx context.Context, org int64) error
}

// Files is the object storage. The keys of an organization's files begin with its id.
type Files interface {
	ListUnder(ctx context.Context, prefix, mark string, atMost int) (found []files.Found, next string, err error)
	Read(ctx context.Context, key string) (attachment.Content, error)
	Delete(ctx context.Context, key string) error
}

// Workflows are the executions in Temporal.
type Workflows interface {
	Count(ctx context.Context, org int64) (running, all int64, err error)
	Delete(ctx context.Context, org int64, said func(left int64)) error
}

// How much is deleted at a time.
const (
	rowsAtOnce  = 5_000
	filesAtOnce = 1_000
)

// Counts are the counts of an organization.
type Counts struct {
	Tables []tenants.Count
	// Files are those of the object storage, and Bytes how large they are together.
	Files, Bytes int64
	// Running are the running workflows; Workflows includes ended ones.
	Running, Workflows int64
}

// Rows counts the rows of all tables.
func (c *Counts) Rows() (rows int64) {
	for _, t := range c.Tables {
		rows += t.Rows
	}
	return rows
}

// Removal removes organizations.
type Removal struct {
	Rows      Rows
	Files     Files
	Workflows Workflows
	// Said receives the progress of the removal.
	Said func(string)
}

// Count counts what is to be removed.
func (r *Removal) Count(ctx context.Context, org int64) (c Counts, err error) {
	if c.Tables, err = r.Rows.Counts(ctx, org); err != nil {
		return c, err
	}
	err = eachFile(ctx, r.Files, org, func(f files.Found) error {
		c.Files, c.Bytes = c.Files+1, c.Bytes+f.Size
		return nil
	})
	if err != nil {
		return c, err
	}
	c.Running, c.Workflows, err = r.Workflows.Count(ctx, org)
	return c, err
}

// Run removes an organization. It resumes an interrupted removal: the row of
// the organization goes last. Workflows that started in the meantime, from work
// that began before the organization was closed, are deleted at the end.
func (r *Removal) Run(ctx context.Context, org int64) error {
	for _, step := range []func(context.Context, int64) error{
		r.Rows.Close, r.deleteWorkflows, r.deleteRows, r.deleteFiles, r.deleteWorkflows, r.Rows.Forget,
		r.deleteWorkflows, r.deleteRows, r.deleteFiles,
	} {
		if err := step(ctx, org); err != nil {
			return err
		}
	}
	return nil
}

func (r *Removal) deleteWorkflows(ctx context.Context, org int64) error {
	return r.Workflows.Delete(ctx, org, func(left int64) { r.Said(fmt.Sprintf("workflows: %d left", left)) })
}

func (r *Removal) deleteRows(ctx context.Context, org int64) error {
	return r.Rows.DeleteRows(ctx, org, rowsAtOnce, func(c tenants.Count) {
		r.Said(fmt.Sprintf("%s: %d rows deleted", c.Table, c.Rows))
	})
}

func (r *Removal) deleteFiles(ctx context.Context, org int64) error {
	deleted := 0
	return eachFile(ctx, r.Files, org, func(f files.Found) error {
		if err := r.Files.Delete(ctx, f.Key); err != nil {
			return fmt.Errorf("delete the file %s: %w", f.Key, err)
		}
		if deleted++; deleted%filesAtOnce == 0 {
			r.Said(fmt.Sprintf("files: %d deleted", deleted))
		}
		return nil
	})
}

// eachFile does something with each file of an organization.
func eachFile(ctx context.Context, storage Files, org int64, do func(files.Found) error) error {
	for mark := ""; ; {
		found, next, err := storage.ListUnder(ctx, fmt.Sprintf("%d/", org), mark, filesAtOnce)
		if err != nil {
			return err
		}
		for _, f := range found {
			if err := do(f); err != nil {
				return err
			}
		}
		if mark = next; mark == "" {
			return nil
		}
	}
}
