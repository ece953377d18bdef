"""Images and what stands for one."""

from collections.abc import Mapping
from types import MappingProxyType

from mergegate.site.browser_test.checks.remedies.remedy import Remedy

IMAGES: Mapping[str, Remedy] = MappingProxyType(
    {
        "broken-image": Remedy(
            "Deliver the images that are missing",
            "Deploy the picture under this address, or correct `src` and `srcset`.",
        ),
        "image-alt": Remedy(
            "Give the images an alternative text",
            'Say what it shows: `<img src="team.jpg" alt="Our team in Oslo">`; `alt=""` where it '
            "only decorates.",
        ),
        "input-image-alt": Remedy(
            "Give the image buttons an alternative text",
            'Say what a click does: `<input type="image" src="go.png" alt="Search">`.',
        ),
        "role-img-alt": Remedy(
            "Name the elements that stand for images",
            'Name it: `<span role="img" aria-label="4 of 5 stars">`.',
        ),
        "svg-img-alt": Remedy(
            "Name the drawings",
            'Name it: `<svg role="img" aria-label="Sales by month">`; `aria-hidden="true"` where '
            "it only decorates.",
        ),
        "object-alt": Remedy(
            "Give embedded objects an alternative text",
            'Name it: `<object data="plan.pdf" aria-label="Floor plan">`.',
        ),
        "area-alt": Remedy(
            "Give the areas of image maps an alternative text",
            'Say where it leads: `<area href="/north" alt="Northern region" …>`.',
        ),
        "image-redundant-alt": Remedy(
            "Do not say twice what stands beside an image",
            'The text beside it is read already: `<img src="cart.svg" alt=""> Basket`.',
        ),
        "server-side-image-map": Remedy(
            "Replace the image maps that need a mouse",
            'Use `<map>` with an `<area href="…" alt="…">` for each place, not `ismap`.',
        ),
    }
)
