"""Made-up secrets in the shapes that vendors document, inside texts as people and programs write them.

The guard's tests and `bench/guard.py` share them. Everything is drawn from a seed, so that no literal of this file is a
key, not even a made-up one. A shape is a text with places: `<w20>` is 20 characters of the alphabet `w`.
"""

from __future__ import annotations

import base64
import json
import random
import re
import string
from collections.abc import Iterator
from typing import NamedTuple

_ALPHABETS = {
    "w": string.ascii_letters + string.digits,
    "u": string.ascii_letters + string.digits + "_-",
    "b": string.ascii_letters + string.digits + "+/",
    "a": string.ascii_lowercase + string.digits,
    "A": string.ascii_uppercase + string.digits,
    "T": string.ascii_uppercase + "234567",
    "l": string.ascii_letters,
    "h": "0123456789abcdef",
    "d": string.digits,
    "k": "qpzry9x8gf2tvdw0s3jn54khce6mua7l".upper(),
}
_PLACE = re.compile(r"<(\w)(\d+)>")

# Keys that show what they are, wherever they stand.
EVIDENT = {
    "AWS": ["AKIA<T16>", "ASIA<T16>"],
    "GitHub": ["ghp_<w36>", "gho_<w36>", "ghu_<w36>", "ghs_<w36>", "ghr_<w36>", "github_pat_<w22>_<w59>"],
    "GitLab": ["glpat-<u20>", "gldt-<u20>", "glrt-<u20>", "glptt-<h40>"],
    "Bitbucket": ["ATBB<w32>", "ATCTT3xFfGF0<u150>=<A8>"],
    "Atlassian": ["ATATT3xFfGF0<u171>=<A8>"],
    "OpenAI": ["sk-<w48>", "sk-proj-<u74>T3BlbkFJ<u74>", "sk-svcacct-<u74>T3BlbkFJ<u74>", "sk-admin-<u58>T3BlbkFJ<u58>"],
    "Anthropic": ["sk-ant-api03-<u93>AA", "sk-ant-admin01-<u93>AA", "sk-ant-oat01-<u93>AA"],
    "Stripe": ["sk_live_<w24>", "rk_live_<w24>", "sk_test_<w99>", "whsec_<w32>"],
    "Slack": ["xoxb-<d12>-<d13>-<w24>", "xoxp-<d12>-<d12>-<d13>-<h32>", "xapp-1-A<A10>-<d13>-<h64>"],
    "Slack webhook": ["https://hooks.slack.com/services/T<A10>/B<A10>/<w24>"],
    "Discord": ["<bot>.<u6>.<u38>", "<bot>.<u6>.<u27>"],
    "Discord webhook": ["https://discord.com/api/webhooks/<d18>/<u68>"],
    "Teams webhook": ["https://acme.webhook.office.com/webhookb2/<g>@<g>/IncomingWebhook/<h32>/<g>"],
    "Google": ["AIza<u35>", "GOCSPX-<u28>", "ya29.<u160>"],
    "Azure": ["<u3>8Q~<u34>", "<u3>7Q~<u31>"],
    "Twilio": ["SK<h32>"],
    "SendGrid": ["SG.<u22>.<u43>"],
    "Sendinblue": ["xkeysib-<h64>-<w16>", "xsmtpsib-<h64>-<w16>"],
    "Mailgun": ["key-<h32>"],
    "Mailchimp": ["<h32>-us<d2>"],
    "Telegram": ["<d9>:AA<u33>", "<d10>:AA<u33>"],
    "Square": ["EAAA<u60>", "sq0atp-<u22>", "sq0csp-<u43>"],
    "Shopify": ["shpat_<h32>", "shpss_<h32>", "shppa_<h32>", "shpca_<h32>"],
    "Braintree": ["access_token$production$<a16>$<h32>"],
    "Razorpay": ["rzp_live_<w14>", "rzp_test_<w14>"],
    "EasyPost": ["EZAK<w54>", "EZTK<w54>"],
    "Facebook": ["EAACEdEose0cBA<w120>", "EAA<w180>"],
    "New Relic": ["NRAK-<A27>", "NRII-<u32>", "NRJS-<h19>", "<h36>FFFFNRAL"],
    "Sentry": ["sntrys_eyJ<w120>=_<w43>", "sntryu_<h64>"],
    "Grafana": ["glsa_<w32>_<h8>", "glc_eyJ<b90>="],
    "Postman": ["PMAK-<h24>-<h34>"],
    "npm": ["npm_<w36>"],
    "PyPI": ["pypi-AgEIcHlwaS5vcmc<u150>"],
    "RubyGems": ["rubygems_<h48>"],
    "crates.io": ["cio<w32>"],
    "Docker": ["dckr_pat_<u27>", "dckr_oat_<u32>"],
    "Hugging Face": ["hf_<l34>", "api_org_<l34>"],
    "Databricks": ["dapi<h32>", "dapi<h32>-2"],
    "DigitalOcean": ["dop_v1_<h64>", "doo_v1_<h64>", "dor_v1_<h64>"],
    "Cloudflare": ["v1.0-<h24>-<h146>", "cfut_<w40><h8>"],
    "Heroku": ["HRKU-AA<u58>"],
    "Vault": ["hvs.<u90>", "hvb.<u138>"],
    "Terraform": ["<w14>.atlasv1.<u67>"],
    "Pulumi": ["pul-<h40>"],
    "Doppler": ["dp.pt.<w43>", "dp.st.prd.<w43>"],
    "PlanetScale": ["pscale_tkn_<u43>", "pscale_pw_<u43>"],
    "Supabase": ["sbp_<h40>", "sb_secret_<u31>"],
    "Airtable": ["pat<w14>.<h64>"],
    "Notion": ["secret_<w43>", "ntn_<d11><w35>"],
    "Linear": ["lin_api_<w40>", "lin_oauth_<h64>"],
    "Figma": ["figd_<u40>"],
    "Mapbox": ["sk.eyJ<w80>.<u22>"],
    "Adafruit": ["aio_<w28>"],
    "Dropbox": ["sl.<u135>", "sl.u.<u140>"],
    "age": ["AGE-SECRET-KEY-1<k58>"],
    "JSON Web Token": ["<jwt>"],
}  # fmt: skip
# Keys that only their name gives away: (name as a variable, name as people say it, shape).
NAMED = {
    "AWS secret key": [("AWS_SECRET_ACCESS_KEY", "AWS secret access key", "<b40>")],
    "Azure storage key": [("AZURE_STORAGE_ACCOUNT_KEY", "storage account key", "<b86>==")],
    "Twilio auth token": [("TWILIO_AUTH_TOKEN", "Twilio auth token", "<h32>")],
    "Datadog": [("DD_API_KEY", "Datadog API key", "<h32>"), ("DD_APP_KEY", "Datadog app key", "<h40>")],
    "Cloudflare token": [("CLOUDFLARE_API_TOKEN", "Cloudflare API token", "<u40>")],
    "Fastly": [("FASTLY_API_TOKEN", "Fastly API token", "<u32>")],
    "Heroku (UUID)": [("HEROKU_API_KEY", "Heroku API key", "<g>")],
    "Okta": [("OKTA_API_TOKEN", "Okta API token", "00<u40>")],
    "Algolia": [("ALGOLIA_ADMIN_API_KEY", "Algolia admin API key", "<h32>")],
    "Facebook app secret": [("FACEBOOK_APP_SECRET", "Facebook app secret", "<h32>")],
    "PayPal": [("PAYPAL_CLIENT_SECRET", "PayPal client secret", "E<u79>")],
    "Django": [("SECRET_KEY", "Django secret key", "django-insecure-<a30>!$<a18>")],
    "session": [("SESSION_SECRET", "session secret", "<w64>"), ("sessionToken", "session token", "<b120>")],
    "encryption key": [("ENCRYPTION_KEY", "encryption key", "<b43>=")],
}
# Vendors for which the guard has no pattern: only a word beside the key can give it away.
UNKNOWN = {
    "Groq": "gsk_<w52>", "Replicate": "r8_<w37>", "LangSmith": "lsv2_pt_<h32>_<h10>", "Perplexity": "pplx-<w48>",
    "Netlify": "nfp_<w36>", "Resend": "re_<w8>_<w24>", "Tailscale": "tskey-auth-<w12>CNTRL-<w32>",
    "Buildkite": "bkua_<h40>", "CircleCI": "CCIPAT_<w22>_<h40>", "Contentful": "CFPAT-<u43>", "Typeform": "tfp_<u44>_<w14>",
    "Dynatrace": "dt0c01.<A24>.<A64>", "Prefect": "pnu_<w36>", "Frame.io": "fio-u-<u64>", "Shippo": "shippo_live_<h40>",
}  # fmt: skip

_EVIDENT_CONTEXTS = {
    "chat": "hey, can you use {} for the staging deploy? thanks",
    "chat, at the end": "ok so the dashboard finally gave me {}.",
    ".env": "LOG_LEVEL=info\nACME_VALUE={}\nPORT=8080",
    "JSON": '{{"name": "ci", "value": "{}", "enabled": true}}',
    "YAML": "deploy:\n  value: {}\n  retries: 3",
    "code": 'client = Client("{}", timeout=30)',
    "log line": "2025-03-01T12:00:00Z INFO request 4711 x={} status=200",
    "URL": "https://api.example.com/v1/items?k={}&page=2",
    "markdown": "- staging: `{}`",
}
_NAMED_CONTEXTS = {
    "chat, is": "my {said} is {key}",
    "chat, colon": "Sure! Here's the {said}: {key}",
    ".env": "LOG_LEVEL=info\n{name}={key}\nPORT=8080",
    "export": 'export {name}="{key}"',
    "JSON": '{{"region": "eu", "{name}": "{key}"}}',
    "YAML": "env:\n  {name}: {key}\n  PORT: 8080",
    "code": "{name} = '{key}'  # from the console",
    "INI": "[default]\n{name} = {key}",
    "XML": '<add name="{name}" value="{key}"/>',
    "XML element": "<{name}>{key}</{name}>",
    "URL": "https://api.example.com/v1/items?{name}={key}&page=2",
    "log line": "2025-03-01 12:00:00 DEBUG loaded config {name}={key} in 3 ms",
}
_UNKNOWN_CONTEXTS = {
    "chat, is": "my API key is {}",
    ".env": "ACME_API_KEY={}",
    "JSON": '{{"api_key": "{}"}}',
    "YAML": "token: {}",
    "code": 'client = Client(api_key="{}")',
    "header": "Authorization: Bearer {}",
    "URL": "https://api.example.com/v1/items?access_token={}",
    "no word": "the dashboard gave me {} for staging",
}
_PASSWORD_CONTEXTS = {
    "password: X": "Password: {}",
    "my password is X": "my password is {}",
    "the wifi password is X": "btw the wifi password is {} if you need it",
    "password X": "log in with user bob and password {}",
    "pw X": "user alice pw {}",
    "password = X": "password = {}",
    "PASSWORD=X": "DB_HOST=db1\nDB_PASSWORD={}",
    "export": "export PGPASSWORD={}",
    "JSON": '{{"user": "bob", "password": "{}"}}',
    "YAML": "db:\n  user: bob\n  password: {}",
    "INI": "[client]\nuser=bob\npassword={}",
    "XML": "<password>{}</password>",
    "XML attribute": '<user name="bob" password="{}"/>',
    "code": 'connect(host="db1", user="bob", password="{}")',
    "option": "mysqldump --user=bob --password={} shop",
    "option, apart": "tool login --username bob --password {} --region eu",
    "docker login": "docker login -u bob -p {} registry.example.com",
    "curl -u": "curl -u bob:{} https://api.example.com/v1/items",
    ".netrc": "machine api.example.com\n  login bob\n  password {}",
    ".pgpass": "db1.example.com:5432:shop:bob:{}",
    "PostgreSQL URL": "DATABASE_URL=postgresql://bob:{}@db1.example.com:5432/shop",
    "MongoDB URL": "mongodb+srv://bob:{}@cluster0.example.net/shop?retryWrites=true",
    "Redis URL": "redis://:{}@cache.example.com:6379/0",
    "URL": "git clone https://bob:{}@git.example.com/shop.git",
    "JDBC": "jdbc:sqlserver://db1:1433;user=bob;password={};encrypt=true",
    "ADO.NET": "Server=db1;Database=shop;User Id=bob;Password={};",
    "Spanish": "la contraseña es {}",
    "German": "Das Passwort ist {}",
    "French": "le mot de passe est {}",
    "Chinese": "密码是{}",
}
_BLOCK_CONTEXTS = {"alone": "{}", "chat": "here you go:\n{}\nplease delete it after", "JSON": '{{"key": {json}}}'}
_NAMES = ("Sunny", "tiger", "Berlin", "maple", "Orchid", "falcon", "Coffee", "river")


class Fabricated(NamedTuple):
    """A text with a secret in it: whose key it is, the kind of text, the text, and the secret."""

    kind: str
    context: str
    text: str
    secret: str


def evident_keys(seed: int) -> Iterator[Fabricated]:
    """Yield keys that show what they are, each shape in each kind of text."""
    chance = random.Random(seed)
    for kind, shapes in EVIDENT.items():
        for shape in shapes:
            for context, text in _EVIDENT_CONTEXTS.items():
                key = filled(shape, chance)
                yield Fabricated(kind, context, text.format(key), key)


def named_keys(seed: int) -> Iterator[Fabricated]:
    """Yield keys that only their name gives away."""
    chance = random.Random(seed)
    for kind, names in NAMED.items():
        for name, said, shape in names:
            for context, text in _NAMED_CONTEXTS.items():
                key = filled(shape, chance)
                yield Fabricated(kind, context, text.format(name=name, said=said, key=key), key)


def unknown_keys(seed: int) -> Iterator[Fabricated]:
    """Yield keys of vendors that the guard does not know, beside a word that gives them away, and without one."""
    chance = random.Random(seed)
    for kind, shape in UNKNOWN.items():
        for context, text in _UNKNOWN_CONTEXTS.items():
            key = filled(shape, chance)
            yield Fabricated(kind, context, text.format(key), key)


def passwords(seed: int) -> Iterator[Fabricated]:
    """Yield passwords: a name with digits, one with a symbol, and a generated one, in each kind of text."""
    chance = random.Random(seed)
    for context, text in _PASSWORD_CONTEXTS.items():
        for shape in ("name<d2>", "name<d4>!", "<w12>", "<w5>!<w4>$<w3>"):
            password = filled(shape.replace("name", chance.choice(_NAMES)), chance)
            yield Fabricated("password", context, text.format(password), password)


def key_blocks(seed: int) -> Iterator[Fabricated]:
    """Yield private keys of several lines, and connection strings."""
    chance = random.Random(seed)
    for kind, block in _blocks(chance).items():
        for context, text in _BLOCK_CONTEXTS.items():
            secret = max(re.findall(r"[A-Za-z0-9+/%_-]{20,}", block), key=len)
            yield Fabricated(kind, context, text.format(block, json=json.dumps(block)), secret)


def all_fabricated(seed: int) -> dict[str, list[Fabricated]]:
    """Return every list under the name that reports give it."""
    return {
        "keys with a shape": list(evident_keys(seed)),
        "keys with a name": list(named_keys(seed)),
        "passwords": list(passwords(seed)),
        "blocks": list(key_blocks(seed)),
        "unknown vendors": list(unknown_keys(seed)),
    }


def filled(shape: str, chance: random.Random) -> str:
    """Return a shape with random characters in its places.

    `<g>` is a UUID, `<bot>` the base64 of a Discord account's number, `<jwt>` a JSON Web Token.
    """
    shape = shape.replace("<g>", "<h8>-<h4>-4<h3>-a<h3>-<h12>")
    if "<bot>" in shape:
        account = chance.randrange(10**17, 10**19)
        shape = shape.replace("<bot>", base64.b64encode(str(account).encode()).decode().rstrip("="))
    if shape == "<jwt>":
        head, body = ({"alg": "HS256", "typ": "JWT"}, {"sub": str(chance.randrange(10**9)), "iat": 1516239022})
        parts = [base64.urlsafe_b64encode(json.dumps(part).encode()).decode().rstrip("=") for part in (head, body)]
        shape = ".".join([*parts, "<u43>"])
    return _PLACE.sub(lambda place: _drawn(place[1], int(place[2]), chance), shape)


def _drawn(alphabet: str, count: int, chance: random.Random) -> str:
    """Return characters of which at least one is a digit where the alphabet has digits, as in nearly all real keys."""
    characters = _ALPHABETS[alphabet]
    drawn = [chance.choice(characters) for _ in range(count)]
    # A sentence's full stop or a quote must not be mistaken for the key's end, so it ends in a letter or digit.
    drawn[-1] = chance.choice([one for one in characters if one.isalnum()])
    digits = [one for one in characters if one.isdigit()]
    if digits and count > 4 and not any(one in digits for one in drawn):
        drawn[1] = chance.choice(digits)
    return "".join(drawn)


def _blocks(chance: random.Random) -> dict[str, str]:
    def pem(label: str, before: str = "") -> str:
        lines = "\n".join(filled("<b64>", chance) for _ in range(6))
        return f"-----BEGIN {label}-----\n{before}{lines}\n-----END {label}-----"

    account = {
        "type": "service_account",
        "project_id": "acme",
        "private_key_id": filled("<h40>", chance),
        "private_key": pem("PRIVATE KEY") + "\n",
        "client_email": "ci@acme.iam.gserviceaccount.com",
    }
    putty = (
        "PuTTY-User-Key-File-3: ssh-ed25519\nEncryption: none\nComment: bob\nPublic-Lines: 1\n"
        + filled("<b40>\nPrivate-Lines: 2\n<b64>\n<b64>\nPrivate-MAC: <h64>", chance)
    )
    azure = filled("DefaultEndpointsProtocol=https;AccountName=acme;AccountKey=<b86>==;EndpointSuffix=core.windows.net", chance)
    bus = filled("Endpoint=sb://acme.servicebus.windows.net/;SharedAccessKeyName=Root;SharedAccessKey=<b43>=", chance)
    signed = filled("https://acme.blob.core.windows.net/x?sv=2022-11-02&se=2025-01-01&sp=r&sig=<w40>%2B<w3>%3D", chance)
    presigned = filled("https://acme.s3.amazonaws.com/x?X-Amz-Expires=300&X-Amz-Signature=<h64>", chance)
    return {
        "RSA key": pem("RSA PRIVATE KEY"),
        "PKCS#8 key": pem("ENCRYPTED PRIVATE KEY"),
        "EC key": pem("EC PRIVATE KEY"),
        "OpenSSH key": pem("OPENSSH PRIVATE KEY"),
        "PGP key": pem("PGP PRIVATE KEY BLOCK", "Version: GnuPG v2\n\n"),
        "PuTTY key": putty,
        "GCP service account": json.dumps(account, indent=2),
        "Azure connection string": azure,
        "Azure Service Bus": bus,
        "Azure SAS": signed,
        "AWS signed URL": presigned,
        "cookie": filled("Set-Cookie: sessionid=<a32>; HttpOnly; Secure", chance),
        "Basic auth": filled("Authorization: Basic <b28>", chance),
        "X-Api-Key": filled("X-Api-Key: <h32>", chance),
        "kubeconfig": filled("users:\n- name: admin\n  user:\n    client-key-data: <b200>==", chance),
        ".npmrc": filled("//registry.example.com/:_authToken=<g>", chance),
        "Docker config": filled('"auths": {"registry.example.com": {"auth": "<b40>"}}', chance),
    }  # fmt: skip
