package sessiontest

// StdioCase is bytes that a server writes to standard output in answer to a
// call, and what is wrong with them.
type StdioCase struct {
	Name   string
	Bytes  string // placeholders as in Step
	Rule   string // of a Problem that names what is wrong
	Answer bool   // it does answer the call that provoked it, wrong as it is
}

// HTTPCase is an HTTP answer to a call, and what is wrong with it.
type HTTPCase struct {
	Name   string
	Answer Exchange
	Rule   string // of a Problem that names what is wrong
	Lost   bool   // no answer to the call can be found in it
}
