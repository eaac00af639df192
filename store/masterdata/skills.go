package masterdata

import (
	"context"

	"waybill/domain/organization"
	"waybill/store/columns"
	"waybill/store/queries"
)

func (a *applier) skills(ctx context.Context) (counts, error) {
	n, err := a.q.ApplySkills(ctx, queries.ApplySkillsParams{
		OrgID: a.org, Names: columns.Of(a.document.Skills, nameOfSkill),
		ForTwos: columns.Of(a.document.Skills, func(s organization.Skill) bool { return s.ForTwo }),
	})
	return counts(n), err
}

func (a *applier) pruneSkills(ctx context.Context) (int64, error) {
	return a.q.PruneSkills(ctx, queries.PruneSkillsParams{
		OrgID: a.org, Names: columns.Of(a.document.Skills, nameOfSkill),
	})
}

func (a *applier) groups(ctx context.Context) (counts, error) {
	n, err := a.q.ApplyGroups(ctx, queries.ApplyGroupsParams{OrgID: a.org, Names: columns.Of(a.document.Groups, nameOf)})
	return counts(n), err
}

func (a *applier) pruneGroups(ctx context.Context) (int64, error) {
	return a.q.PruneGroups(ctx, queries.PruneGroupsParams{OrgID: a.org, Names: columns.Of(a.document.Groups, nameOf)})
}

func nameOfSkill(s organization.Skill) string { return s.Name }

func nameOf(n organization.Named) string { return n.Name }
