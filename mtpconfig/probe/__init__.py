"""What a running server really does: asked over HTTP, counted, judged, and compared with what was asked for."""
