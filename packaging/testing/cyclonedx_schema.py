"""Holds SBOMs against the schema of CycloneDX 1.5: `cyclonedx_schema.py FILE...`. The schema comes with the package
cyclonedx-python-lib, whose own validator takes 14 seconds for 263 crates.
"""

import json
import sys
from pathlib import Path

import cyclonedx.schema._res
import jsonschema_rs

FILES = Path(list(cyclonedx.schema._res.__path__)[0])
NAMES = ["bom-1.5", "spdx", "jsf-0.82"]

schemas = {name: json.loads((FILES / f"{name}.SNAPSHOT.schema.json").read_text(encoding="utf-8")) for name in NAMES}
addresses = [(f"http://cyclonedx.org/schema/{name}.SNAPSHOT.schema.json", schema) for name, schema in schemas.items()]
validator = jsonschema_rs.validator_for(
    schemas["bom-1.5"], registry=jsonschema_rs.Registry(addresses), validate_formats=True
)
wrong = [
    f"{path}: {error.message}"
    for path in sys.argv[1:]
    for error in validator.iter_errors(json.loads(Path(path).read_text(encoding="utf-8")))
]
sys.exit("\n".join(wrong) or 0)
