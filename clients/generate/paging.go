package main

// pagingOf finds how a list goes on, by the names that the contract uses for it.
func pagingOf(m *method) *paging {
	if len(m.Answers) != 1 || m.Answers[0].Type == nil || m.Answers[0].Type.Model == nil {
		return nil
	}
	page := m.Answers[0].Type.Model
	p := &paging{Page: page, InBody: m.Body != nil}
	switch {
	case m.asks("token") && page.field("nextToken") != nil:
		p.Style = byToken
	case m.asks("page"):
		p.Style = byPage
		for _, name := range []string{"pages", "numPages", "totalPages"} {
			if page.field(name) != nil {
				p.Pages = name
			}
		}
		if p.Pages == "" {
			return nil
		}
	case m.asks("offset") && page.field("total") != nil:
		p.Style = byOffset
	default:
		return nil
	}
	var lists []*field
	for _, f := range page.Fields {
		if f.Type.Kind == list {
			lists = append(lists, f)
		}
	}
	if len(lists) == 1 {
		p.Items = lists[0]
	}
	return p
}

// asks reports whether a method takes a parameter, in its query or its body.
func (m *method) asks(name string) bool {
	for _, p := range m.Query {
		if p.Name == name {
			return true
		}
	}
	return m.Body != nil && m.Body.Model != nil && m.Body.Model.field(name) != nil
}
