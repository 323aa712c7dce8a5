"""Texts that look as if they held a secret, and hold none: what people and programs write about them, and other noise.

Hashes and the like are drawn from a seed, so that no scanner of source code takes them for keys.
"""

from __future__ import annotations

import base64
import random
import uuid

from tests.fabricated_keys import filled

_TALK = """
the password is strong
my password is: I forgot
my password is the same as before
what is the password policy? 12 characters, one digit, one symbol
she changed her password 3 times in 2024
passwords were hashed with SHA256 and later with argon2
we store password sha512crypt hashes
password must be at least 12 characters
the password for the old account is sha512crypt
I changed the password to something with 12 characters and 2 symbols
the password I use to log in is the one from 2019
use OAuth2 as the password grant
Chapter12 is the password chapter
the user is identified by the 32-digit number
mysql -p 3306 is a mistake, -P is the port
password manager: 1Password or Bitwarden
use OAuth2 instead of password auth, see RFC6749
reset password link expires in 24h
the password field2 and field1 must match
ticket PASS-1234 is about password rotation
token count: 4096
token budget 800, tokens used 1234
max_tokens=4096, temperature=0.7
tokens: ['the', 'cat', 'sat']
key: value
the key is under the mat
the key to success is 10000 hours of practice
key 42 is pressed
foreign_key: user_id_2024
sort key: created_at, partition key: user#1234
the secret ingredient is cinnamon2go
her secret santa gift was a 2000-piece puzzle
login as user bob, then open ticket 12345
curl -s https://example.com/api/v1/items?page=2
docker run -p 8080:80 -u 1000:1000 nginx
ssh -p 2222 deploy@example.com
call me at +49 30 1234567 or 555-0123-4567
ISBN 978-3-16-148410-0, order no. 302-1234567-8912345
IBAN DE89 3704 0044 0532 0130 00
cookie: chocolate chip, 2 eggs, 250g flour
Set-Cookie: theme=dark; path=/
the bearer of this letter is Dr. Smith
Authorization: Bearer <token>
Authorization: Basic {credentials}
postgres://user:password@localhost/db
postgresql://${USER}:${PASSWORD}@db:5432/shop
https://user:pass@host:port/
http://localhost:8080/path@v2?token=next
password=os.environ["PW"]
password = getpass.getpass("Password: ")
password = config.get("db", "password")
password: "{{ vault_password }}"
password: !vault |
password: str = Field(min_length=12)
PASSWORD=$(cat /run/secrets/db)
--password-stdin < file
tool --password PASSWORD --token TOKEN
mysql --user=root --password shop
api_key = settings.API_KEY2
api_key=self.api_key_v2,
api_key: "<your-api-key>"
api_key = "xxxxxxxxxxxxxxxxxxxxxxxx"
OPENAI_API_KEY=sk-...
export OPENAI_API_KEY=your-key-here
the API key starts with sk- and is 51 characters long
GitHub tokens begin with ghp_ or github_pat_
<input type="password" name="password" placeholder="Password">
<label for="password">Password</label>
<password>required</password>
- name: DB_PASSWORD
public_key: ssh-ed25519
PublicKeyToken=b77a5c561934e089
secret_word_count: 12345
session 2024-05-01 took 3.5 hours
sk-learn-compatible-estimators-version-2024
class OAuth2TokenIntrospectionEndpointFilter handles the token
the token is checked by Ed25519PrivateKeyProviderImplementation2
aws s3 cp s3://bucket-2024/key-name-with-date-20240501.csv .
arn:aws:iam::123456789012:role/key-admin-role
key = f"user:{user_id}:v2"
key: "projects/2024/reports/q3-summary-final.pdf"
machine learning login page password reset
2001:0db8:85a3:0000:0000:8a2e:0370:7334
00:1A:2B:3C:4D:5E
db.example.com:5432:open
""".strip()


def near_misses(seed: int) -> list[str]:
    """Return the texts; what is random in them is drawn from the seed."""
    chance = random.Random(seed)

    def drawn(shape: str) -> str:
        return filled(shape, chance)

    image = base64.b64encode(chance.randbytes(3_000)).decode()
    identifier = uuid.UUID(int=chance.getrandbits(128), version=4)
    return [
        *_TALK.splitlines(),
        f"fixed in commit {drawn('<h40>')} by reverting {drawn('<h8>')}",
        f"sha256: {drawn('<h64>')}  hippocore-0.1.0.tar.gz",
        f"--hash=sha256:{drawn('<h64>')}",
        f'"integrity": "sha512-{drawn("<b86>==")}"',
        f"hippocore/token.py,sha256={drawn('<u43>')},6184",
        f'ETag: "{drawn("<h32>")}"',
        f"md5 of the cache key: {drawn('<h32>')}",
        f"the session {identifier} ended",
        f"request_id={identifier} took 12 ms",
        f"key: {identifier}",
        f"idempotency_key={identifier}",
        f"![logo](data:image/png;base64,{image})",
        f"toolu_{drawn('<w24>')} called search",
        f"message msg_{drawn('<w24>')} has 300 tokens",
        f"https://www.youtube.com/watch?v={drawn('<u11>')}",
        f"the key points are in https://docs.google.com/document/d/{drawn('<u44>')}/edit",
        f"ssh-ed25519 AAAA{drawn('<b64>')} bob@laptop",
        f"SHA256:{drawn('<b43>')} is the key's fingerprint",
        f"customer cus_{drawn('<w14>')} paid invoice in_{drawn('<w24>')}",
        f"-----BEGIN CERTIFICATE-----\n{drawn('<b64>')}\n{drawn('<b64>')}\n-----END CERTIFICATE-----",
        f"-----BEGIN PUBLIC KEY-----\n{drawn('<b64>')}\n-----END PUBLIC KEY-----",
        f"i-0{drawn('<h16>')} runs in subnet-{drawn('<h17>')}",
        "!function(e,t){for(var n=t.length,r=0;r<n;r++)e[t[r]]=function(){return t[r].call(this)}}(window,[])",
    ]
