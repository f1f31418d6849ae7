package recorder

func helperMain() bool { return false }
