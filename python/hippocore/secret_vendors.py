"""Keys that show whose they are: what vendors put before them, and how long they are.

From the vendors' documentation of their keys. Lengths are the least that is documented, since keys grow.
"""

from __future__ import annotations

import base64
import binascii
import re
from typing import Final

from hippocore.secret_patterns import Judge, SecretPattern, generated

SHORTEST_VENDOR_KEY: Final = 19
"""No key of VENDOR_KEYS is shorter, and none holds white space."""

_UNBROKEN: Final = re.compile(r"[A-Za-z0-9]{12}")


def _unbroken(match: re.Match[str]) -> bool:
    """Judge keys whose prefix may begin a hyphenated name: a run of 12 letters and digits has digits."""
    return generated(match) and any(any(map(str.isdigit, run)) for run in _UNBROKEN.findall(match[0]))


def _of_an_account(match: re.Match[str]) -> bool:
    """Judge Discord's bot tokens: the first part is the base64 of the account's number."""
    try:
        return base64.b64decode(match[0].split(".")[0] + "==").isdigit()
    except binascii.Error:
        return False


def _key(kind: str, source: str, *hints: str, accept: Judge = generated) -> SecretPattern:
    """Return the pattern of a key that begins a word; base64 holds every short prefix, so "+" and "/" are no start."""
    return SecretPattern(kind, hints, f"(?<![A-Za-z0-9+])(?:{source})(?![A-Za-z0-9])", accept)


_CLOUDS: Final = (
    _key("AWS access key", "A(?:KIA|SIA|BIA|CCA)[A-Z0-9]{16}", "akia", "asia", "abia", "acca"),
    _key("Azure client secret", r"[A-Za-z0-9_~.-]{3}[78]Q~[A-Za-z0-9_~.-]{30,34}", "7q~", "8q~"),
    _key("Google API key", "AIza[A-Za-z0-9_-]{35,}", "aiza"),
    _key("Google OAuth secret", r"(?:GOCSPX-|ya29\.)[A-Za-z0-9_-]{20,}", "gocspx-", "ya29."),
    _key("DigitalOcean token", "do[opr]_v1_[a-f0-9]{40,}", "_v1_"),
    _key("Cloudflare key", "v1\\.0-[0-9a-f]{24}-[0-9a-f]{100,}|cf(?:k|ut|at)_[A-Za-z0-9]{40,}", "v1.0-", "cf"),
    _key("Heroku key", "HRKU-[A-Za-z0-9_-]{30,}", "hrku-"),
    _key("Databricks token", "dapi[0-9a-f]{32}(?:-[0-9]{1,2})?", "dapi"),
    _key("Supabase key", "sbp_[0-9a-f]{40,}|sb_secret_[A-Za-z0-9_-]{20,}", "sbp_", "sb_secret_"),
    _key("PlanetScale password", "pscale_(?:tkn|pw|oauth)_[A-Za-z0-9_.=-]{32,}", "pscale_"),
    _key("Vault token", "hv[bsr]\\.[A-Za-z0-9_-]{24,}", "hvb.", "hvs.", "hvr."),
    _key("Terraform token", r"[A-Za-z0-9]{14}\.atlasv1\.[A-Za-z0-9_=-]{60,}", ".atlasv1."),
    _key("Pulumi token", "pul-[0-9a-f]{40}", "pul-"),
    _key("Doppler token", r"dp\.(?:audit|ct|pt|sa|scim|st)\.(?:[a-z0-9_-]{2,35}\.)?[A-Za-z0-9]{40,}", "dp."),
)
_CODE: Final = (
    _key("GitHub token", "gh[opusr]_[A-Za-z0-9]{36,}", "ghp_", "gho_", "ghu_", "ghs_", "ghr_"),
    _key("GitHub token", "github_pat_[A-Za-z0-9_]{22,}", "github_pat_"),
    _key("GitLab token", "gl(?:pat|dt|rt|ptt|ft|soat|agent|cbt|oas)-[A-Za-z0-9_-]{20,}", "gl"),
    _key("Atlassian token", "AT(?:ATT|CTT|BB)[A-Za-z0-9_-]{24,}(?:=[A-F0-9]{8})?", "atatt", "atctt", "atbb"),
    _key("npm token", "npm_[A-Za-z0-9]{36,}", "npm_"),
    _key("package index token", "pypi-[A-Za-z0-9_-]{50,}", "pypi-"),
    _key("RubyGems key", "rubygems_[0-9a-f]{48}", "rubygems_"),
    _key("crates.io token", "cio[A-Za-z0-9]{32}", "cio"),
    _key("Docker token", "dckr_(?:pat|oat)_[A-Za-z0-9_-]{20,}", "dckr_"),
    _key("Postman key", "PMAK-[0-9a-f]{24}-[0-9a-f]{34}", "pmak-"),
    _key("Figma token", "fig[du]_[A-Za-z0-9_-]{36,}", "figd_", "figu_"),
    _key("Linear key", "lin_(?:api|oauth)_[A-Za-z0-9]{40,}", "lin_"),
    _key("Notion token", "secret_[A-Za-z0-9]{43}|ntn_[A-Za-z0-9]{40,}", "secret_", "ntn_"),
    _key("Airtable token", r"pat[A-Za-z0-9]{14}\.[0-9a-f]{64}", "pat"),
    _key("Dropbox token", r"sl\.(?:u\.)?[A-Za-z0-9_-]{100,}", "sl."),
)
_MODELS: Final = (
    _key("API key", "sk-[A-Za-z0-9_-]{20,}", "sk-", accept=_unbroken),
    _key("Hugging Face token", "(?:hf_|api_org_)[A-Za-z0-9]{30,}", "hf_", "api_org_"),
)
_MESSAGES: Final = (
    _key("Slack token", "(?:xox[abeoprs]-|xapp-)[A-Za-z0-9-]{14,}", "xox", "xapp-"),
    _key("Slack webhook", r"hooks\.slack\.com/(?:services|workflows|triggers)/[A-Za-z0-9/_-]{20,}", "hooks.slack.com"),
    _key("Discord webhook", r"discord(?:app)?\.com/api/webhooks/[0-9]{15,21}/[A-Za-z0-9_-]{30,}", "/api/webhooks/"),
    _key("Teams webhook", r"webhook\.office\.com/webhookb2/[A-Za-z0-9@/_-]{40,}", "webhook.office.com"),
    _key(
        "Discord token",
        r"[MNO][A-Za-z0-9+/]{23,26}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27,40}",
        "m", "n", "o",
        accept=_of_an_account,
    ),
    _key("Telegram bot token", "[0-9]{8,10}:AA[A-Za-z0-9_-]{30,}", ":aa"),
    _key("Twilio key", "SK[0-9a-f]{32}", "sk"),
    _key("SendGrid key", "SG\\.[A-Za-z0-9_-]{16,64}\\.[A-Za-z0-9_-]{16,}", "sg."),
    _key("Brevo key", "x(?:keys|smtps)ib-[0-9a-f]{40,}-[A-Za-z0-9]{10,}", "sib-"),
    _key("Mailgun key", "(?<![-_])key-[0-9a-f]{32}|[0-9a-f]{32}-[0-9a-f]{8}-[0-9a-f]{8}", "-"),
    _key("Mailchimp key", "[0-9a-f]{32}-us[0-9]{1,2}", "-us"),
)  # fmt: skip
_PAYMENTS: Final = (
    _key("Stripe key", "(?:[sr]k_(?:live|test)_|whsec_)[A-Za-z0-9]{16,}", "k_live_", "k_test_", "whsec_"),
    _key("Square token", "sq0(?:atp|csp|idp)-[A-Za-z0-9_-]{22,}", "sq0"),
    # Square's access tokens and Facebook's begin alike.
    _key("access token", "(?<!/)EAA[A-Za-z0-9_-]{56,}", "eaa"),
    _key("Braintree token", r"access_token\$(?:production|sandbox)\$[0-9a-z]{16}\$[0-9a-f]{32}", "access_token$"),
    _key("Razorpay key", "rzp_(?:live|test)_[A-Za-z0-9]{14,}", "rzp_"),
    _key("Shopify token", "shp(?:at|ca|pa|ss|ua)_[0-9A-Fa-f]{32,}", "shp"),
    _key("EasyPost key", "EZ[AT]K[A-Za-z0-9]{54}", "ezak", "eztk"),
)
_OPERATIONS: Final = (
    _key("New Relic key", "NR(?:AK|BR|II|IQ|JS|RA|SP)-[A-Za-z0-9_-]{19,}|[0-9a-fA-F]{32,40}NRAL", "nr"),
    _key("Sentry token", "sntry[su]_[A-Za-z0-9+/=_-]{40,}", "sntry"),
    _key("Grafana token", "glsa_[A-Za-z0-9]{32}_[0-9a-f]{8}|glc_eyJ[A-Za-z0-9+/=]{40,}", "glsa_", "glc_"),
    _key("Mapbox token", r"sk\.eyJ[A-Za-z0-9_-]{40,}\.[A-Za-z0-9_-]{20,}", "sk.eyj"),
    _key("Adafruit key", "aio_[A-Za-z0-9]{28}", "aio_"),
    _key("age key", "AGE-SECRET-KEY-1[0-9A-Z]{58}", "age-secret-key-1"),
)

VENDOR_KEYS: Final = _CLOUDS + _CODE + _MODELS + _MESSAGES + _PAYMENTS + _OPERATIONS
