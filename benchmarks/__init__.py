"""What is measured: speed and strength of the engine, and what a server bears."""

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[1] / "scripts"))  # what starts a server for tests and pictures
