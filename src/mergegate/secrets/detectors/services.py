"""Other services that programs call, and keys of nobody in particular."""

from mergegate.secrets.detector import Nearby, Shape, public, token

DETECTORS = (
    token(
        "airtable-token",
        "Airtable token",
        "Airtable",
        Shape(
            r"pat[A-Za-z0-9]{14}\.[a-f0-9]{8}",
            r"pat[A-Za-z0-9]{14}\.[a-f0-9]{64}",
            hit="pat<alnum:14>.<hex:64>",
            near_miss="pat<alnum:14>.<hex:32>",
        ),
    ),
    public(
        "algolia-key",
        "Algolia API key",
        "Algolia",
        Nearby(
            "token-literal",
            "algolia",
            "[0-9a-f]{32}",
            'algoliasearch("APP", {apiKey: "<hex:32>"})',
            'search("APP", {apiKey: "<hex:32>"})',
        ),
        restrict="Make sure that it is a search-only key: an admin key can delete every index.",
        reference="https://www.algolia.com/doc/guides/security/api-keys/",
        in_trees=False,
    ),
    token(
        "contentful-token",
        "Contentful token",
        "Contentful",
        Shape("CFPAT-", r"CFPAT-[\w-]{43}", hit="CFPAT-<alnum:43>", near_miss="CFPAT-<alnum:20>"),
    ),
    token(
        "hubspot-token",
        "HubSpot token",
        "HubSpot",
        Shape(
            "pat-na1- pat-eu1-",
            "pat-(?:na|eu)1-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}",
            hit="pat-na1-<uuid>",
            near_miss="pat-na1-<hex:8>-<hex:4>",
        ),
    ),
    public(
        "mapbox-public-token",
        "Mapbox public token",
        "Mapbox",
        Shape(
            r"pk\.eyJ",
            r"pk\.eyJ[\w-]{20,300}\.[\w-]{16,60}",
            hit="pk.eyJ<alnum:60>.<alnum:22>",
            near_miss="pk.eyJ<alnum:60>.<alnum:8>",
        ),
        restrict="Restrict it to your own addresses.",
        reference="https://docs.mapbox.com/accounts/guides/tokens/",
    ),
    token(
        "mapbox-secret-token",
        "Mapbox secret token",
        "Mapbox",
        Shape(
            r"sk\.eyJ",
            r"sk\.eyJ[\w-]{20,300}\.[\w-]{16,60}",
            hit="sk.eyJ<alnum:60>.<alnum:22>",
            near_miss="sk.eyJ<alnum:60>.<alnum:8>",
        ),
    ),
    token(
        "notion-token",
        "Notion token",
        "Notion",
        Shape(
            "ntn_ secret_",
            r"ntn_\d{11}[A-Za-z0-9]{35}|secret_[A-Za-z0-9]{43}",
            hit="ntn_<digits:11><alnum:35>",
            near_miss="secret_name_of_the_thing_that_is_quite_long_for_a_name",
        ),
    ),
    public(
        "recaptcha-site-key",
        "reCAPTCHA site key",
        "reCAPTCHA",
        Shape(
            r"6L[\w-]{38}",
            r"(?<![\w-])6L[\w-]{38}(?![\w-])",
            after=r"(?i)site_?-?key|recaptcha/(?:api|enterprise)\.js\?[^\"'\s]{0,80}render=$",
            hit='<div class="g-recaptcha" data-sitekey="6L<alnum:38>"></div>',
            near_miss='<i id="6L<alnum:38>">',
        ),
        restrict="Leave the domain check of the key switched on.",
        reference="https://developers.google.com/recaptcha/docs/domain_validation",
    ),
    token(
        "typeform-token",
        "Typeform token",
        "Typeform",
        Shape("tfp_", r"tfp_[\w.=-]{59}", hit="tfp_<alnum:59>", near_miss="tfp_<alnum:30>"),
    ),
)
