"""Language models and what is built around them."""

from mergegate.secrets.detector import Shape, token

DETECTORS = (
    token(
        "anthropic-key",
        "Anthropic API key",
        "Anthropic",
        Shape(
            "sk-ant-",
            r"sk-ant-[a-z]{3,6}\d\d-[\w-]{80,120}",
            hit="sk-ant-api03-<alnum:93>AA",
            near_miss="sk-ant-api03-<alnum:30>",
        ),
    ),
    token(
        "groq-key",
        "Groq API key",
        "Groq",
        Shape("gsk_", "gsk_[A-Za-z0-9]{52}", hit="gsk_<alnum:52>", near_miss="gsk_<alnum:20>"),
    ),
    token(
        "huggingface-token",
        "Hugging Face token",
        "Hugging Face",
        Shape(
            "hf_ api_org_",
            "(?:hf_|api_org_)[a-zA-Z]{34}",
            hit="hf_<letters:34>",
            near_miss="hf_<letters:16>",
        ),
    ),
    token(
        "langsmith-key",
        "LangSmith API key",
        "LangSmith",
        Shape(
            "lsv2_",
            "lsv2_(?:pt|sk)_[a-f0-9]{32}_[a-f0-9]{10}",
            hit="lsv2_pt_<hex:32>_<hex:10>",
            near_miss="lsv2_pt_<hex:32>_<hex:4>",
        ),
    ),
    token(
        "openai-key",
        "OpenAI API key",
        "OpenAI",
        Shape(
            "sk-[A-Za-z0-9_-]{20}",
            plugin="OpenAIDetector",
            hit="sk-<alnum:20>T3BlbkFJ<alnum:20>",
            near_miss="sk-<alnum:20>T3BlbkFJ<alnum:8>",
        ),
        Shape(
            "sk-proj- sk-svcacct- sk-admin-",
            r"sk-(?:proj|svcacct|admin)-[\w-]{60,}",
            hit="sk-proj-<alnum:40>T3BlbkFJ<alnum:40>",
            near_miss="sk-proj-<alnum:30>",
        ),
    ),
    token(
        "openrouter-key",
        "OpenRouter API key",
        "OpenRouter",
        Shape(
            "sk-or-v1-",
            "sk-or-v1-[0-9a-f]{64}",
            hit="sk-or-v1-<hex:64>",
            near_miss="sk-or-v1-<hex:32>",
        ),
    ),
    token(
        "perplexity-key",
        "Perplexity API key",
        "Perplexity",
        Shape("pplx-", "pplx-[A-Za-z0-9]{48}", hit="pplx-<alnum:48>", near_miss="pplx-<alnum:20>"),
    ),
    token(
        "pinecone-key",
        "Pinecone API key",
        "Pinecone",
        Shape(
            "pcsk_",
            "pcsk_[A-Za-z0-9]{5,6}_[A-Za-z0-9]{60,70}",
            hit="pcsk_<alnum:5>_<alnum:64>",
            near_miss="pcsk_<alnum:5>_<alnum:30>",
        ),
    ),
    token(
        "replicate-token",
        "Replicate token",
        "Replicate",
        Shape("r8_", "r8_[A-Za-z0-9]{37}", hit="r8_<alnum:37>", near_miss="r8_<alnum:20>"),
    ),
    token(
        "xai-key",
        "xAI API key",
        "xAI",
        Shape("xai-", "xai-[A-Za-z0-9]{80}", hit="xai-<alnum:80>", near_miss="xai-<alnum:40>"),
    ),
)
