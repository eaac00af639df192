package tracking

import "waybill/domain/fault"

// form is what a recipient fills in.
type form struct {
	// Problem is said above the fields, empty where only fields are wrong.
	Problem string
	Fields  []field
	Send    string
	// Empty is said in place of the form if there is nothing to choose from.
	Empty string
}

// field is a question of a form. What it is shown as is its Kind: text, long, choice, pick or check.
type field struct {
	Name, Kind, Label, Hint, Value string
	// Longest is how many characters a text may have.
	Longest int
	Options []option
	// Wrong is what is wrong with the value that was sent.
	Wrong string
}

// option is a value that may be chosen.
type option struct {
	Value, Text string
	Chosen      bool
}

// say has the form say what is wrong with its fields, in a language.
func (f *form) say(say *spoken, wrong []fault.Violation) {
	for i := range f.Fields {
		for _, v := range wrong {
			if v.Field == f.Fields[i].Name {
				f.Fields[i].Wrong = say.say("wrong."+v.Text.ID, "max", v.Text.Args["max"])
			}
		}
	}
}
