"""Clouds, their databases, and what manages secrets and infrastructure."""

from mergegate.core.severity import Confidence
from mergegate.secrets import checksums
from mergegate.secrets.detector import Named, Nearby, Shape, public, token

MEDIUM, LOW = Confidence.MEDIUM, Confidence.LOW

DETECTORS = (
    token(
        "age-key",
        "age secret key",
        "",
        Shape(
            "AGE-SECRET-KEY-1",
            "AGE-SECRET-KEY-1[QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L]{58}",
            hit="AGE-SECRET-KEY-1<bech32:58>",
            near_miss="AGE-SECRET-KEY-1<bech32:40>",
        ),
    ),
    token(
        "alibaba-key-id",
        "Alibaba Cloud access key ID",
        "Alibaba Cloud",
        Shape(
            "LTAI", "LTAI[A-Za-z0-9]{20}", MEDIUM, hit="LTAI<alnum:20>", near_miss="LTAI<alnum:12>"
        ),
        lookalike=True,
    ),
    token(
        "aws-access-key-id",
        "AWS access key ID",
        "AWS",
        Shape(
            "AKIA ASIA ABIA ACCA",
            confidence=MEDIUM,
            plugin="AWSKeyDetector",
            only="AKIA",
            proof=checksums.is_aws_key_id,
            hit="AKIA<base32:16>",
            near_miss="AKIA<0:8><1:8>",
        ),
        lookalike=True,
    ),
    token(
        "aws-bedrock-key",
        "Amazon Bedrock API key",
        "AWS",
        Shape(
            "ABSK",
            "ABSK[A-Za-z0-9+/]{109,269}={0,2}",
            hit="ABSK<alnum:128>",
            near_miss="ABSK<alnum:60>",
        ),
    ),
    token(
        "aws-secret-key",
        "AWS secret access key",
        "AWS",
        Named(
            "aws|secret_?access",
            "[A-Za-z0-9/+]{40}",
            "aws_secret_access_key = '<alnum:40>'",
            "aws_secret_access_key = '<alnum:39>'",
        ),
    ),
    token(
        "azure-client-secret",
        "Microsoft Entra client secret",
        "Azure",
        Shape(
            "~Q~",
            r"[A-Za-z0-9_.~-]{3}\dQ~[A-Za-z0-9_.~-]{31,34}",
            hit="<alnum:3>8Q~<alnum:34>",
            near_miss="<alnum:3>8Q~<alnum:20>",
        ),
    ),
    token(
        "azure-sas-token",
        "Azure shared access signature",
        "Azure",
        Shape(
            "sig=",
            r"sig=(?P<value>[A-Za-z0-9%+/]{43,100}(?:%3D|=)(?:%3D|=)?)(?=[&\"'\s]|$)",
            MEDIUM,
            hit="https://a.blob.example.org/c?sv=2022&sig=<alnum:43>%3D",
            near_miss="https://a.blob.example.org/c?sv=2022&sig=<alnum:30>%3D",
        ),
    ),
    token(
        "azure-shared-access-key",
        "Azure shared access key",
        "Azure",
        Shape(
            "SharedAccessKey=",
            "SharedAccessKey=(?P<value>[A-Za-z0-9+/]{43}=)",
            hit="SharedAccessKey=<alnum:43>=",
            near_miss="SharedAccessKey=<A:43>=",
        ),
    ),
    token(
        "azure-storage-key",
        "Azure storage account key",
        "Azure",
        Shape(
            "AccountKey=",
            plugin="AzureStorageKeyDetector",
            open_ended=True,
            hit="AccountKey=<alnum:86>==",
            near_miss="AccountKey=<A:86>==",
        ),
    ),
    token(
        "cloudflare-key",
        "Cloudflare API key",
        "Cloudflare",
        Named(
            "cloudflare|(?:^|_)cf_",
            r"[\w-]{37}|[\w-]{40}",
            "cloudflare_api_key = '<hex:37>'",
            "cloudflare_api_key = '<hex:36>'",
        ),
    ),
    token(
        "databricks-token",
        "Databricks token",
        "Databricks",
        Shape("dapi", r"dapi[a-f0-9]{32}(?:-\d)?", hit="dapi<hex:32>", near_miss="dapi<0:32>"),
    ),
    token(
        "digitalocean-token",
        "DigitalOcean token",
        "DigitalOcean",
        Shape(
            "dop_v1_ doo_v1_ dor_v1_",
            "do[opr]_v1_[a-f0-9]{64}",
            hit="dop_v1_<hex:64>",
            near_miss="dop_v1_<hex:40>",
        ),
    ),
    token(
        "doppler-token",
        "Doppler token",
        "Doppler",
        Shape(
            r"dp\.[acps][cdimtu]",
            r"dp\.(?:pt|ct|sa|scim|audit|st(?:\.[\w-]{2,35})?)\.[\w]{40,44}",
            hit="dp.pt.<alnum:43>",
            near_miss="dp.pt.<alnum:20>",
        ),
    ),
    public(
        "firebase-web-key",
        "Firebase web API key",
        "Google Cloud",
        Nearby(
            "google-api-key",
            "authdomain|firebaseapp",
            ".*",
            '{apiKey: "AIza<alnum:35>", authDomain: "x.firebaseapp.com"}',
            '{apiKey: "AIza<alnum:35>", region: "eu"}',
        ),
        restrict="Let Security Rules and App Check decide who may read and write; the key "
        "does not.",
        reference="https://firebase.google.com/docs/projects/api-keys",
        in_trees=False,
    ),
    token(
        "fly-token",
        "Fly token",
        "Fly",
        Shape(
            "fm2_",
            "fm2_[A-Za-z0-9+/]{100,}={0,3}",
            hit="fm2_<alnum:120>",
            near_miss="fm2_<alnum:60>",
        ),
    ),
    token(
        "google-access-token",
        "Google access token",
        "Google",
        Shape(
            r"ya29\.",
            r"ya29\.[A-Za-z0-9_-]{60,}",
            MEDIUM,
            hit="ya29.<alnum:120>",
            near_miss="ya29.<alnum:30>",
        ),
    ),
    public(
        "google-api-key",
        "Google API key",
        "Google Cloud",
        Shape(
            "AIza", "AIza[0-9A-Za-z_-]{35}", LOW, hit="AIza<alnum:35>", near_miss="AIza<alnum:20>"
        ),
        restrict="Restrict it to your own sites (HTTP referrers) and to the APIs that the page "
        "calls.",
        reference="https://developers.google.com/maps/api-security-best-practices",
    ),
    token(
        "google-oauth-secret",
        "Google OAuth client secret",
        "Google Cloud",
        Shape(
            "GOCSPX-",
            "GOCSPX-[A-Za-z0-9_-]{28}",
            hit="GOCSPX-<alnum:28>",
            near_miss="GOCSPX-<alnum:12>",
        ),
    ),
    token(
        "heroku-key",
        "Heroku API key",
        "Heroku",
        Shape(
            "HRKU-", r"HRKU-AA[\w-]{58,}", hit="HRKU-AA<alnum:58>", near_miss="HRKU-AA<alnum:30>"
        ),
        Named(
            "heroku", "[0-9a-f-]{36}", "heroku_api_key = '<uuid>'", "heroku_api_key = '<hex:20>'"
        ),
    ),
    token(
        "netlify-token",
        "Netlify token",
        "Netlify",
        Shape("nfp_", "nfp_[A-Za-z0-9_]{36}", hit="nfp_<alnum:36>", near_miss="nfp_<alnum:20>"),
    ),
    token(
        "onepassword-token",
        "1Password service account token",
        "1Password",
        Shape(
            "ops_eyJ",
            "ops_eyJ[A-Za-z0-9+/]{250,}={0,3}",
            hit="ops_eyJ<alnum:300>",
            near_miss="ops_eyJ<alnum:100>",
        ),
    ),
    token(
        "planetscale-token",
        "PlanetScale token",
        "PlanetScale",
        Shape(
            "pscale_",
            r"pscale_(?:tkn|pw|oauth)_[\w=.-]{32,64}",
            hit="pscale_tkn_<alnum:43>",
            near_miss="pscale_tkn_<alnum:16>",
        ),
    ),
    token(
        "pulumi-token",
        "Pulumi token",
        "Pulumi",
        Shape("pul-", "pul-[a-f0-9]{40}", hit="pul-<hex:40>", near_miss="pul-<hex:20>"),
    ),
    public(
        "supabase-publishable-key",
        "Supabase publishable key",
        "Supabase",
        Shape(
            "sb_publishable_",
            r"sb_publishable_[\w-]{20,60}",
            hit="sb_publishable_<alnum:30>",
            near_miss="sb_publishable_<alnum:8>",
        ),
        restrict="Let row level security decide who may read and write, on every table.",
        reference="https://supabase.com/docs/guides/api/api-keys",
    ),
    token(
        "supabase-secret-key",
        "Supabase secret key",
        "Supabase",
        Shape(
            "sb_secret_",
            r"sb_secret_[\w-]{20,60}",
            hit="sb_secret_<alnum:30>",
            near_miss="sb_secret_<alnum:8>",
        ),
    ),
    token(
        "supabase-token",
        "Supabase token",
        "Supabase",
        Shape("sbp_", "sbp_[a-f0-9]{40}", hit="sbp_<hex:40>", near_miss="sbp_<hex:20>"),
    ),
    token(
        "tailscale-key",
        "Tailscale key",
        "Tailscale",
        Shape(
            "tskey-",
            r"tskey-(?:auth|api|client|webhook)-\w{8,20}-\w{16,40}",
            hit="tskey-auth-<alnum:12>-<alnum:32>",
            near_miss="tskey-auth-<alnum:4>-<alnum:8>",
        ),
    ),
    token(
        "tencent-key-id",
        "Tencent Cloud key ID",
        "Tencent Cloud",
        Shape(
            "AKID", "AKID[A-Za-z0-9]{32}", MEDIUM, hit="AKID<alnum:32>", near_miss="AKID<alnum:20>"
        ),
        lookalike=True,
    ),
    token(
        "terraform-cloud-token",
        "Terraform Cloud token",
        "Terraform Cloud",
        Shape(
            r"\.atlasv1\.",
            r"[A-Za-z0-9]{14}\.atlasv1\.[\w=-]{60,70}",
            hit="<alnum:14>.atlasv1.<alnum:64>",
            near_miss="<alnum:14>.atlasv1.<alnum:30>",
        ),
    ),
    token(
        "vault-token",
        "Vault token",
        "Vault",
        Shape(
            r"hv[sb]\.", r"hv[sb]\.[\w-]{24,300}", hit="hvs.<alnum:95>", near_miss="hvs.<alnum:12>"
        ),
    ),
)
