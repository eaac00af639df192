package main

// api is what the clients offer, in no language yet.
type api struct {
	Version   string
	Resources []*resource
	// Models are the types of requests and responses, by name.
	Models []*model
}

// resource is a group of operations, such as Orders.
type resource struct {
	Name, Description string
	Methods           []*method
}

// method is an operation of the contract.
type method struct {
	Name, ID, Verb, Path string
	Resource             *resource
	Summary, Description string
	Deprecated           bool
	InPath, Query        []*param
	// Body is nil for operations without one, or whose body is always empty.
	Body         *typ
	BodyRequired bool
	// Answers are the successful responses that have a body, by status; most operations have one.
	Answers []answer
	Paging  *paging
}

// answer is a successful response. Type is nil for a file.
type answer struct {
	Status string
	Type   *typ
	Media  string
}

type param struct {
	Name, Description string
	Required          bool
	Type              *typ
}

// kind is the form of a type.
type kind int

const (
	anything kind = iota
	text
	whole // of 32 bits
	large // of 64 bits
	number
	boolean
	date
	moment
	list
	mapping
	reference
)

type typ struct {
	Kind     kind
	Nullable bool
	Of       *typ   // of a list or a mapping
	Model    *model // of a reference
}

// model is an object, or a text that has known values.
type model struct {
	Name, Description string
	Fields            []*field
	// Values are the known values of a text. There may be others.
	Values []string
	// InRequest is set for what you send, where null and absent can differ.
	InRequest bool
	// Resource is the only one that uses the model; nil for a shared one.
	Resource *resource
}

func (m *model) isEnum() bool { return len(m.Values) > 0 }

type field struct {
	Name, Description string
	Type              *typ
	Required          bool
}

func (m *model) field(name string) *field {
	for _, f := range m.Fields {
		if f.Name == name {
			return f
		}
	}
	return nil
}

// paging is how a list goes on.
type paging struct {
	Style pagingStyle
	// Items is the field of the page with what it lists; empty when a page has several lists,
	// and is itself what the iterator returns.
	Items *field
	// Page is the model of a page.
	Page *model
	// Pages is the field with the number of pages, of a list by pages.
	Pages string
	// InBody is set when the request's body says which page, not its query.
	InBody bool
}

type pagingStyle int

const (
	byToken pagingStyle = iota + 1
	byPage
	byOffset
)
