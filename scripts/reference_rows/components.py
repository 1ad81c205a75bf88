"""Connected components and what is measured of them: SciPy and scikit-image."""
import numpy as np
from scipy import ndimage
from skimage import measure

from .base import EXACT, Bound, Row

STRUCTURES = {4: ndimage.generate_binary_structure(2, 1), 8: np.ones((3, 3))}
# Our names of figures, and those of scikit-image.
FIGURES = {
    "label": "label", "area": "area", "left": "bbox-1", "top": "bbox-0", "width": "width", "height": "height", "x": "centroid-1", "y": "centroid-0",
    "major": "axis_major_length", "minor": "axis_minor_length", "orientation": "orientation", "eccentricity": "eccentricity",
    "perimeter": "perimeter", "euler": "euler_number",
}
AXES = [list(FIGURES).index(name) for name in ("major", "minor")]
ANGLE = list(FIGURES).index("orientation")
MEASURES = "area,box,centroid,axes,orientation,eccentricity,perimeter,euler"


def mask_of(p, at):
    """Luma of Rec. 709 above a threshold, or any value but 0."""
    grey = p.v[..., 0] if p.v.shape[2] < 3 else p.v[..., :3] @ [0.2126, 0.7152, 0.0722]
    return grey > at * p.full if at else (p.colours != 0).any(2)


def objects(mask, connectivity, fill=False, clear=False, least=1, largest=None):
    """Labels of the objects that are left."""
    structure = STRUCTURES[connectivity]
    if fill:
        mask = ndimage.binary_fill_holes(mask, STRUCTURES[12 - connectivity])
    labels = ndimage.label(mask, structure)[0]
    if clear:
        edge = np.ones(mask.shape, bool)
        edge[1:-1, 1:-1] = False
        labels[np.isin(labels, labels[edge])] = 0
    areas = np.bincount(labels.ravel())
    areas[0] = 0
    kept = np.flatnonzero(areas >= least)
    if largest:
        kept = kept[np.argsort(-areas[kept], kind="stable")][:largest]
    return ndimage.label(np.isin(labels, kept[kept > 0]), structure)[0]


def without_angle(table, direction):
    """Instead of the angle the part of the moments that has a direction: a disc has none, and scikit-image 0.19 turns some
    diagonals the other way."""
    return np.concatenate([np.delete(table, ANGLE, 1), direction], 1)


def table_of(at, connectivity, **flags):
    def run(p):
        labels = objects(mask_of(p, at), connectivity, **flags)
        properties = {name.split("-")[0] for name in FIGURES.values()} - {"width", "height"} | {"inertia_tensor"}
        table = measure.regionprops_table(labels, properties=sorted(properties))
        table["width"] = table["bbox-3"] - table["bbox-1"]
        table["height"] = table["bbox-2"] - table["bbox-0"]
        direction = np.stack([table["inertia_tensor-1-1"] - table["inertia_tensor-0-0"], -2 * table["inertia_tensor-0-1"]], 1)
        return without_angle(np.array([table[name] for name in FIGURES.values()], float).T, direction)
    return run


def figures(report, _):
    table = np.array([[c[name] for name in FIGURES] for c in report["components"]], float).reshape(-1, len(FIGURES))
    apart = (table[:, AXES[0]] ** 2 - table[:, AXES[1]] ** 2) / 16
    angle = 2 * table[:, ANGLE]
    return without_angle(table, np.stack([apart * np.cos(angle), apart * np.sin(angle)], 1))


def labels_of(at, connectivity, **flags):
    return lambda p: objects(mask_of(p, at), connectivity, **flags)


def values_of(p, q):
    """Mean, minimum and maximum of each channel of a second picture."""
    labels = objects(mask_of(p, 0.5), 8)
    numbers = np.arange(1, labels.max() + 1)
    planes = [q.v[..., c] for c in range(q.v.shape[2])]
    return np.array([f(plane, labels, numbers) for f in (ndimage.mean, ndimage.minimum, ndimage.maximum) for plane in planes]).T


def value_figures(report, _):
    names = [name for name in (report["components"] or [{}])[0] if name.split("_")[0] in ("mean", "min", "max")]
    return np.array([[c[name] for name in names] for c in report["components"]], float).reshape(-1, max(len(names), 1))


TABLE = Bound(0, 0, 1e-6)
PROPERTIES = "ndimage.label, skimage regionprops_table"

ROWS = [
    Row("components", f"--threshold 50% --json --measure {MEASURES}", table_of(0.5, 8), PROPERTIES, TABLE, result="json",
        figures=figures, shown="--threshold 50% --measure …"),
    Row("components", f"--threshold 50% --connectivity 4 --fill-holes --min-area 3 --json --measure {MEASURES}",
        table_of(0.5, 4, fill=True, least=3), PROPERTIES, TABLE, result="json", figures=figures, depths=(8,),
        shown="--connectivity 4 --fill-holes --min-area 3 --measure …"),
    Row("components", f"--threshold 60% --clear-border --largest 7 --json --measure {MEASURES}",
        table_of(0.6, 8, clear=True, largest=7), PROPERTIES, TABLE, result="json", figures=figures, depths=(8, 16),
        shown="--clear-border --largest 7 --measure …"),
    Row("components", "--threshold 50% --json", values_of, "ndimage.label, mean, minimum, maximum", TABLE, result="json",
        figures=value_figures, second=True, shown="--threshold 50% --with OTHER"),
    Row("components", "--threshold 50%", labels_of(0.5, 8), "ndimage.label", EXACT, result="out.npy", shown="to .npy"),
    Row("components", "--threshold 40% --connectivity 4 --min-area 2 --clear-border", labels_of(0.4, 4, least=2, clear=True),
        "ndimage.label", EXACT, result="out.npy", depths=(8, 16), shown="--connectivity 4 --clear-border, to .npy"),
]
