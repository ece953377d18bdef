"""Chat, mail and what is sent by telephone."""

from mergegate.core.severity import Confidence
from mergegate.secrets import checksums
from mergegate.secrets.detector import Named, Shape, token

MEDIUM = Confidence.MEDIUM

DETECTORS = (
    token(
        "brevo-key",
        "Brevo API key",
        "Brevo",
        Shape(
            "xkeysib-",
            "xkeysib-[a-f0-9]{64}-[A-Za-z0-9]{16}",
            hit="xkeysib-<hex:64>-<alnum:16>",
            near_miss="xkeysib-<hex:64>-<alnum:4>",
        ),
    ),
    token(
        "discord-token",
        "Discord bot token",
        "Discord",
        Shape(
            r"[MNO][DTjz][A-Za-z\d_-]{22,24}\.",
            plugin="DiscordBotTokenDetector",
            proof=checksums.is_discord_bot,
            hit="<snowflake>.<alnum:6>.<alnum:27>",
            near_miss="MTIz<alnum:20>.<alnum:6>.<alnum:27>",
        ),
    ),
    token(
        "discord-webhook",
        "Discord webhook address",
        "Discord",
        Shape(
            "/api/webhooks/",
            r"https://(?:\w+\.)?discord(?:app)?\.com/api/webhooks/\d{17,20}/[\w-]{60,80}",
            MEDIUM,
            hit="https://discord.com/api/webhooks/<digits:18>/<alnum:68>",
            near_miss="https://discord.com/api/webhooks/<digits:18>/<alnum:20>",
        ),
    ),
    token(
        "mailchimp-key",
        "Mailchimp API key",
        "Mailchimp",
        Named(
            "", r"[0-9a-f]{32}-us\d{1,2}", "api_key = '<hex:32>-us11'", "api_key = '<hex:32>-eu11'"
        ),
    ),
    token(
        "mailgun-key",
        "Mailgun API key",
        "Mailgun",
        Shape(
            "key-[0-9a-f]{32}",
            "key-[0-9a-f]{32}",
            MEDIUM,
            hit="key-<hex:32>",
            near_miss="key-<a:32>",
        ),
        lookalike=True,
    ),
    token(
        "sendgrid-key",
        "SendGrid API key",
        "SendGrid",
        Shape(
            r"SG\.",
            plugin="SendGridDetector",
            hit="SG.<alnum:22>.<alnum:43>",
            near_miss="SG.<alnum:22>.<alnum:10>",
        ),
    ),
    token(
        "slack-token",
        "Slack token",
        "Slack",
        Shape(
            "xox",
            plugin="SlackDetector",
            only="^xox",
            hit="xoxb-<digits:12>-<digits:12>-<alnum:24>",
            near_miss="xoxb-<x:12>-<x:12>-<x:24>",
        ),
        Shape(
            "xapp- xoxe",
            r"xapp-\d-[A-Z0-9]{8,}-\d{8,}-[a-f0-9]{40,}",
            hit="xapp-1-<upper:11>-<digits:13>-<hex:64>",
            near_miss="xapp-1-<upper:11>-<digits:13>-<hex:20>",
        ),
        Shape(
            "xoxe",
            r"xoxe(?:\.xox[bp])?-\d-[A-Za-z0-9]{100,}",
            hit="xoxe-1-<alnum:140>",
            near_miss="xoxe-1-<alnum:40>",
        ),
    ),
    token(
        "slack-webhook",
        "Slack webhook address",
        "Slack",
        Shape(
            r"hooks\.slack\.com/services/T",
            confidence=MEDIUM,
            plugin="SlackDetector",
            only="hooks",
            hit="https://hooks.slack.com/services/T<alnum:8>/B<alnum:8>/<alnum:24>",
            near_miss="https://hooks.slack.com/services/T<0:8>/B<0:8>/<X:24>",
        ),
    ),
    token(
        "teams-webhook",
        "Microsoft Teams webhook address",
        "Microsoft Teams",
        Shape(
            r"\.webhook\.office\.com",
            (
                r"https://[\w-]{1,60}\.webhook\.office\.com/webhookb2/[0-9a-f@/-]{73,}/"
                "IncomingWebhook/[0-9a-f]{32}/[0-9a-f-]{36}"
            ),
            MEDIUM,
            hit=(
                "https://acme.webhook.office.com/webhookb2/<uuid>@<uuid>/IncomingWebhook/"
                "<hex:32>/<uuid>"
            ),
            near_miss="https://acme.webhook.office.com/webhookb2/<uuid>/IncomingWebhook/<hex:32>",
        ),
    ),
    token(
        "telegram-token",
        "Telegram bot token",
        "Telegram",
        Shape(
            ":AA",
            plugin="TelegramBotTokenDetector",
            proof=checksums.is_telegram_bot,
            hit="<digits:10>:AA<alnum:33>",
            near_miss="<digits:10>:AB<alnum:33>",
        ),
    ),
    token(
        "twilio-key",
        "Twilio key",
        "Twilio",
        Shape(
            "SK[0-9a-f]{32}",
            confidence=MEDIUM,
            plugin="TwilioKeyDetector",
            only="^SK",
            proof=checksums.is_twilio_key,
            hit="SK<hex:32>",
            near_miss="SKILLS<a:20>",
        ),
        Named(
            "twilio",
            "[0-9a-f]{32}",
            "twilio_auth_token = '<hex:32>'",
            "twilio_auth_token = '<hex:31>'",
        ),
        lookalike=True,
    ),
)
