"""What scripts/references compares: for each operation its flags, what computes the same, and how far they may be apart."""
from . import colour, components, geometry, measures, neighbourhood, objects, several, stacks, tone
from .base import Picture
from .tone import FILES

ROWS = tone.ROWS + colour.ROWS + neighbourhood.ROWS + geometry.ROWS + components.ROWS + objects.ROWS + several.ROWS + stacks.ROWS + measures.ROWS
