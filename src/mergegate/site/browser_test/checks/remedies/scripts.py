"""Scripts that fail, and pages that do not come about."""

from collections.abc import Mapping
from types import MappingProxyType

from mergegate.site.browser_test.checks.remedies.remedy import Remedy

SCRIPTS: Mapping[str, Remedy] = MappingProxyType(
    {
        "uncaught-error": Remedy(
            "Fix the errors that scripts throw",
            "Open the script at the line in the evidence. What is missing there is often an "
            "element or an answer that this page does not have: test for it first, as in "
            "`if (menu) menu.addEventListener(…)`.",
        ),
        "unhandled-rejection": Remedy(
            "Handle the promises that are rejected",
            "Await the promise in `try { … } catch (error) { … }`, or end its chain in "
            "`.catch(…)`, and show people what went wrong.",
        ),
        "console-error": Remedy(
            "Look at what scripts write to console.error",
            "Put its cause right; what is no error belongs into `console.warn` or `console.info`.",
        ),
        "failed-request": Remedy(
            "Deliver the files and answers that pages ask for",
            "Deploy the file under this address, or correct the address in the page or script "
            "that asks for it.",
        ),
        "page-crash": Remedy(
            "Find out what takes the page down",
            "Load the page with the browser's performance and memory tools open: an endless loop "
            "or a list that never stops growing is the usual cause.",
        ),
        "vendor-fault": Remedy(
            "Look at the third party's script",
            "Load its newest version, ask the vendor, or leave it out: you cannot repair it, and "
            "your page must work without it.",
        ),
        "page-not-tested": Remedy(
            "Make the page load",
            "Open it in a browser: what it says there is what people see.",
        ),
        "blank-page": Remedy(
            "Find out why the page stays empty",
            "Open it in a browser: is the template empty, is all of it hidden by a style, or has "
            "the script that builds it not run? Where it shows a frame or a video alone, all is "
            "well.",
        ),
    }
)
