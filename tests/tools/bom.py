"""Validates bills of materials with the schema of CycloneDX 1.5, which the package cyclonedx-python-lib contains."""

import sys
from pathlib import Path

from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator

for name in sys.argv[1:]:
    error = JsonStrictValidator(SchemaVersion.V1_5).validate_str(Path(name).read_text())
    if error:
        sys.exit(f"{name}: {error}")
