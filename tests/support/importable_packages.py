"""Packages that Python finds without their being installed."""

import tomllib


def make_known(package, site):
    """Write the metadata to `site` that pip would write there if it installed the package's folder as it stands."""
    project = tomllib.loads((package / "pyproject.toml").read_text())["project"]
    metadata = site / f"{project['name'].replace('-', '_')}-{project['version']}.dist-info"
    metadata.mkdir(parents=True)
    (metadata / "METADATA").write_text(
        f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: {project['version']}\n"
    )
    (points,) = project["entry-points"].items()
    lines = [f"[{points[0]}]", *(f"{name} = {module}" for name, module in points[1].items())]
    (metadata / "entry_points.txt").write_text("\n".join(lines) + "\n")
