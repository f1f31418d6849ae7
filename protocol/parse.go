package protocol

// Parse reads one message. It never fails.
func Parse(raw []byte) Message { return Message{Raw: raw} }
