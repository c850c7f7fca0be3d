"""BioMCP as a finder: where it is set up, it searches several services in one question.

Only PMIDs and NCT numbers are taken from it; the records come from elsewhere.
"""

from etl.sources.biomcp.ask import ask
from etl.sources.biomcp.detect import Detected, Endpoint, detect
from etl.sources.biomcp.finds import Finds

__all__ = ["Detected", "Endpoint", "Finds", "ask", "detect"]
