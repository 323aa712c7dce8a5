"""The guard at the door: secrets are found and never shown, talk about secrets is left alone, in linear time."""

import time

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from hippocore.guard import Guard

# Put together here, so that no scanner of source code takes them for real ones.
LETTERS = "aB3dE6gH9jK2mN5pQ8sT1vW4xY7zC0fL"
PEM = f"-----BEGIN RSA PRIVATE KEY-----\n{LETTERS}\n{LETTERS}\n-----END RSA PRIVATE KEY-----"
TOKEN_OF_THREE_PARTS = ".".join(["eyJ" + LETTERS, "eyJ" + LETTERS[::-1], LETTERS])

# (kind, text, the secret in it)
SECRETS = [
    ("AWS access key", "use {} for it", "AKIA" + "IOSFODNN7EXAMPLE"),
    ("GitHub token", "{}", "ghp_" + LETTERS + "A1b2"),
    ("GitHub token", "pat ({})", "github_pat_" + LETTERS),
    ("GitLab token", "{},", "glpat-" + LETTERS[:20]),
    ("API key", "OPENAI {}", "sk-" + "proj-" + LETTERS),
    ("Slack token", "{}", "xoxb-" + "123456789012-" + LETTERS),
    ("Google API key", "maps {}", "AIza" + LETTERS + "a_b"),
    ("npm token", "{}", "npm_" + LETTERS + "A1b2"),
    ("Hugging Face token", "{}", "hf_" + LETTERS),
    ("Stripe key", "{}", "sk_" + "live_" + LETTERS),
    ("private key", "this is it:\n{}\nbye", PEM),
    ("private key", "cut off {}", PEM[:80]),
    ("JSON Web Token", "{}", TOKEN_OF_THREE_PARTS),
    ("bearer token", "Authorization: Bearer {}", LETTERS),
    ("bearer token", "Authorization: Basic {}", "dXNlcjpwYXNz"),
    ("credentials in a URL", "postgres://admin:{}@db/main", "pass"),
    ("credentials in a URL", "see https://bob:{}@example.com/x", "s3cr3t!"),
    ("password", "password: {}", "hunter2"),
    ("password", "My password is {}", "hunter2"),
    ("password", "the wifi password is {}", "12345678"),
    ("password", "the secret is password: {}", "hunter2"),
    ("password", '{{"password": "{}", "user": "bob"}}', "hunter2"),
    ("password", 'config["password"] = "{}"', "swordfish"),
    ("password", "DB_PASSWORD={}", "swordfish"),
    ("password", "Password: {}\nUser: bob", "Tr0ub4dor&3"),
    ("password", 'passphrase: "{}"', "correct horse battery staple"),
    ("password", "pwd -> {}", "hunter2"),
    ("password", "the password is password: {}", "hunter2"),
    ("password", 'password: "{}"', "it's4me"),
    ("password", '{{\\"password\\": \\"{}\\"}}', "hunter2"),
    ("password", "Passwort: {}", "hunter2"),
    ("password", "contraseña: {}", "hunter2"),
    ("password", "密码：{}", "hunter2"),
    ("key or token", "api_key = '{}'", "abcd1234efgh"),
    ("key or token", "my API key is {}", LETTERS),
    ("key or token", "export AWS_SECRET_ACCESS_KEY={}", LETTERS + "/a+b"),
    ("key or token", "token: {}", "9fceb02d0ae598e95dc970b74767f19372d61af8"),
    ("key or token", "the key is {} for now", LETTERS),
]

TALK = """
my password manager is great
the token budget: 800
api key rotation policy
The password: it was changed yesterday
password is required
password: required
password: str
password must have 12 characters
password is 8 characters long
she forgot her password: the usual one
Passwords: 1Password and Bitwarden are both fine
def login(user, password=None):
password = get_password(user1)
password=os.environ["DB_PASSWORD2"]
PASSWORD=${DB_PASSWORD}
password: <your password>
password: ********
password: [redacted: password]
api_key: YOUR_API_KEY
token=$TOKEN
token: 800
max_tokens=4096
The access token expires in 3600 seconds
the bearer of bad news
The secret of success is 10000 hours
Her secret: chocolate in the evening
I keep the secret key under the mat
key insight: small models work
primary key: user_id
cache key: user_123_profile_settings
key: 550e8400-e29b-41d4-a716-446655440000
credentials: none
commit 9fceb02d0ae598e95dc970b74767f19372d61af8
https://example.com:8080/path@v2
mail bob@example.com about https://example.com/a
sk-learn-compatible-estimators are nice
The file starts with -----BEGIN PRIVATE KEY----- as usual
pass: 5 tests, fail: 2
""".strip().splitlines()

refusing, redacting = Guard(), Guard(secrets="redact")


@pytest.mark.parametrize(("kind", "text", "secret"), SECRETS)
def test_a_secret_is_refused_by_its_kind_and_never_shown(kind, text, secret):
    screened = refusing.screen(text.format(secret))
    assert screened.refused
    assert kind in screened.reason
    assert secret not in screened.reason


@pytest.mark.parametrize(("kind", "text", "secret"), SECRETS)
def test_a_redacted_text_keeps_everything_but_the_secret(kind, text, secret):
    screened = redacting.screen(text.format(secret))
    assert screened.content == text.format(f"[redacted: {kind}]")
    assert not screened.refused
    assert refusing.screen(screened.content) == (screened.content, None, False)


@pytest.mark.parametrize(("kind", "text", "secret"), SECRETS)
def test_allowed_secrets_are_not_looked_for(kind, text, secret):
    assert Guard(secrets="allow").screen(text.format(secret)) == (text.format(secret), None, False)


@pytest.mark.parametrize("text", TALK)
def test_talk_about_secrets_is_left_alone(text):
    assert refusing.screen(text) == (text, None, False)


def test_every_secret_of_a_text_is_redacted():
    text = f"password: hunter2, and again password: hunter3 with {SECRETS[0][2]}"
    assert redacting.screen(text).content == (
        "password: [redacted: password], and again password: [redacted: password] with [redacted: AWS access key]"
    )


def test_what_may_belong_to_a_secret_is_redacted_with_it():
    assert (
        redacting.screen("My password is hunter2. Keep it!").content == "My password is [redacted: password] Keep it!"
    )


@pytest.mark.parametrize("text", ["password: {} end", "password: '{}' end", 'password="{}', "pw: `{}\nend"])
@pytest.mark.parametrize("value", ["aB3" * 1000, "aB3" * 60])
def test_the_whole_of_a_long_value_is_redacted(text, value):
    assert redacting.screen(text.format(value)).content == text.format("[redacted: password]")


@given(st.text(max_size=200) | st.lists(st.sampled_from([":", "=", " is ", "0000", "'", '"', " ", "]"])).map("".join))
@example(":0000")
def test_redacting_leaves_nothing_to_find(text):
    once = redacting.screen(f"{text} password: hunter2 {text}")
    assert "hunter2" not in once.content or "hunter2" in text
    assert redacting.screen(once.content).reason is None


def test_nested_values_are_screened_with_their_keys():
    value = {"login": {"password": "hunter2", "note": "fine"}, "tokens": [1, None, "budget"], "pin": ["ok"]}
    assert refusing.screen_all(value).refused
    assert redacting.screen_all(value).content == {
        "login": {"password": "[redacted: password]", "note": "fine"},
        "tokens": [1, None, "budget"],
        "pin": ["ok"],
    }
    assert refusing.screen_all(value["tokens"]) == (value["tokens"], None, False)


def test_a_list_under_a_key_and_a_key_itself_are_screened():
    assert refusing.screen_all({"password": ["hunter2"]}).refused
    assert refusing.screen_all({SECRETS[0][2]: 1}).refused
    assert redacting.screen_all({SECRETS[0][2]: 1}).content == {"[redacted: AWS access key]": 1}


# Texts that make a careless pattern start again at every character.
PIECES = [
    "password:", "password: '", "password: 'hunter2' ", "token=", "pw:pw", "key is ", "eyJ", "eyJaaaaaaaa.",
    "-----BEGIN PRIVATE KEY-----", "sk-a-", "sk-sk-sk-sk-sk-sk-sk-", "://a:", "://", "bearer ", "authorization: basic ",
    "a", "a1", " \n", "xoxb-", "SG.aaaaaaaa", "12345678:AA", "secret secret ", "password is is is ", "'\"`", "密码：",
    "<password>", "<a token", 'name="password" value="', "--password ", "login a password b ", "curl -u a:b ",
    "-p a login ",
    "cookie: a=bbbbbbbbb", "Private-Lines: 1 ", "localhost:5432:", "&sig=a1", "A1b2C3d4-", "0a", "password a1 ",
]  # fmt: skip


def seconds(text):
    start = time.process_time()
    # Words that let no text pass without a closer look.
    refusing.screen("token password login curl cookie </ value= -- sig= " + text)
    return time.process_time() - start


@pytest.mark.parametrize("piece", PIECES)
def test_time_grows_with_the_text_and_not_faster(piece):
    size = 20_000
    short, long = piece * (size // len(piece)), piece * (8 * size // len(piece))
    once = min(seconds(short) for _ in range(3))
    # Eight times the text takes about 8 times as long; a pattern that starts over at every place takes 64.
    assert min(seconds(long) for _ in range(3)) < 24 * once + 0.02


@pytest.mark.parametrize("piece", PIECES)
def test_a_megabyte_is_screened_in_seconds(piece):
    assert seconds(piece * (1_000_000 // len(piece))) < 10


@pytest.mark.parametrize(
    "wrong",
    [
        {"secrets": "block"},
        {"on_refused": "stop"},
        {"min_importance": 1.5},
        {"untrusted_importance": -0.1},
        {"min_importance": float("nan")},
        {"delimiter": "a\nb"},
    ],
)
def test_a_choice_that_there_is_not_is_refused(wrong):
    with pytest.raises(ValueError, match=next(iter(wrong))):
        Guard(**wrong)


def test_a_guard_is_plain_data():
    assert Guard() == Guard(secrets="refuse", on_refused="skip", min_importance=0.0, untrusted_importance=0.3)
    with pytest.raises(AttributeError):
        Guard().secrets = "allow"
