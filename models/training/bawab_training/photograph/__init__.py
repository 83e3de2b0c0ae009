"""Pictures of what is drawn: scenes, cameras, recapture, injected media, and cuts out of them."""
