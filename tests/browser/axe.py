"""What axe-core finds inside the outputs of a notebook."""

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

# JupyterLab draws an image/png output as an <img> without alt, whatever the notebook says about it. The same words
# stand in the output's text/plain, and the explorers' pictures, which are ours, have their alt.
_JUPYTERLABS_OWN = [".jp-RenderedImage img"]


def violations(page: Page) -> list[str]:
    """Every serious or critical violation inside an output, as a line each."""
    context = {"include": [[".jp-OutputArea-output"]], "exclude": [_JUPYTERLABS_OWN]}
    found = Axe().run(page, context=context).response["violations"]
    return [
        f"{violation['id']} ({violation['impact']}): {node['html'][:200]}"
        for violation in found
        if violation["impact"] in ("serious", "critical")
        for node in violation["nodes"]
    ]
