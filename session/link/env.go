package link

// DefaultEnv is the named default environment that a child gets from ours, as
// KEY=VALUE, in the order of the names.
func DefaultEnv() []string { return nil }

// ChildEnv is the environment that a child of t gets: DefaultEnv (or all of
// ours), then t.Env. Of several values for one name the last one wins.
func ChildEnv(t StdioTarget) []string { return nil }
