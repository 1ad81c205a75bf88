"""What scripts/references compares: for each operation its flags, what computes the same, and how far they may be apart."""
from . import blending, colour, components, geometry, measures, neighbourhood, objects, several, tone
from .base import Picture
from .tone import FILES

ROWS = tone.ROWS + colour.ROWS + neighbourhood.ROWS + geometry.ROWS + components.ROWS + objects.ROWS + several.ROWS + blending.ROWS + measures.ROWS
