// SwiftPM builds no target without a source.
