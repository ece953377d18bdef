"""Payments, shops and shipping."""

from mergegate.core.severity import Confidence
from mergegate.secrets.detector import Shape, public, token

MEDIUM, LOW = Confidence.MEDIUM, Confidence.LOW

DETECTORS = (
    token(
        "easypost-key",
        "EasyPost API key",
        "EasyPost",
        Shape(
            "EZAK EZTK", "EZ[AT]K[A-Za-z0-9]{54}", hit="EZAK<alnum:54>", near_miss="EZAK<alnum:30>"
        ),
    ),
    token(
        "shippo-token",
        "Shippo token",
        "Shippo",
        Shape(
            "shippo_live_",
            "shippo_live_[a-f0-9]{40}",
            hit="shippo_live_<hex:40>",
            near_miss="shippo_live_<hex:20>",
        ),
    ),
    token(
        "shopify-token",
        "Shopify token",
        "Shopify",
        Shape(
            "shpat_ shpca_ shppa_ shpss_",
            "shp(?:at|ca|pa|ss)_[a-fA-F0-9]{32}",
            hit="shpat_<hex:32>",
            near_miss="shpat_<0:32>",
        ),
    ),
    token(
        "square-secret",
        "Square secret",
        "Square",
        Shape(
            "sq0csp-",
            plugin="SquareOAuthDetector",
            hit="sq0csp-<alnum:43>",
            near_miss="sq0csp-<alnum:20>",
        ),
        Shape(
            "sq0atp- EAAA[a-zA-Z0-9_-]{40}",
            "sq0atp-[0-9A-Za-z_-]{22}|EAAA[a-zA-Z0-9_-]{60}",
            hit="sq0atp-<alnum:22>",
            near_miss="sq0atp-<alnum:10>",
        ),
    ),
    token(
        "stripe-key",
        "Stripe live key",
        "Stripe",
        Shape(
            "sk_live_ rk_live_",
            plugin="StripeDetector",
            open_ended=True,
            hit="sk_live_<alnum:24>",
            near_miss="sk_live_<x:24>",
        ),
    ),
    public(
        "stripe-publishable-key",
        "Stripe publishable key",
        "Stripe",
        Shape(
            "pk_live_ pk_test_",
            "pk_(?:live|test)_[0-9A-Za-z]{16,247}",
            hit="pk_live_<alnum:24>",
            near_miss="pk_live_<x:24>",
        ),
        restrict="It can only make tokens of payment data; nothing needs to be done.",
        reference="https://docs.stripe.com/keys",
    ),
    public(
        "stripe-test-key",
        "Stripe test key",
        "Stripe",
        Shape(
            "sk_test_ rk_test_",
            "[rs]k_test_[0-9a-zA-Z]{24,247}",
            LOW,
            hit="sk_test_<alnum:24>",
            near_miss="sk_test_<alnum:12>",
        ),
        restrict="It moves no money; still take it out, for the live key goes where it stands.",
        reference="https://docs.stripe.com/keys",
    ),
    token(
        "stripe-webhook-secret",
        "Stripe webhook secret",
        "Stripe",
        Shape(
            "whsec_",
            "whsec_[A-Za-z0-9+/]{32,64}={0,2}",
            MEDIUM,
            hit="whsec_<alnum:32>",
            near_miss="whsec_<alnum:16>",
        ),
    ),
)
