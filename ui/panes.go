package ui

// livePanes makes the tabs of a connection to a server, in their order.
func livePanes() []PaneMaker {
	return []PaneMaker{
		NewOverviewPane,
		NewToolsPane,
		NewResourcesPane,
		NewPromptsPane,
		NewLivePane,
		NewTasksPane,
		NewRequestsPane,
		NewRawPane,
	}
}

// recordingPanes makes the tabs of a recording that was opened as a file.
func recordingPanes() []PaneMaker {
	return []PaneMaker{
		NewOverviewPane,
		NewToolsPane,
		NewResourcesPane,
		NewPromptsPane,
	}
}
