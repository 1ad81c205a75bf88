"""What scripts/references compares: for each operation its flags, what computes the same, and how far they may be apart."""
from . import blending, colour, components, geometry, measures, neighbourhood, objects, several, stacks, tone
from .base import Picture
from .tone import FILES

ROWS = sum((part.ROWS for part in (tone, colour, neighbourhood, geometry, components, objects, several, blending, stacks, measures)), [])
