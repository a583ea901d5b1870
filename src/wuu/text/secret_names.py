"""Names that promise a credential: `reset_token`, `apiKey`, `spring.datasource.password`, `Passwort`.

Owns which name promises what. It decides by the end of the name, so that `token_count` and `password_file`
promise nothing, and looks at no value.
"""

# Names beyond ASCII, as they are written in lower case.
FOREIGN_NAMES = {
    **dict.fromkeys(
        ("密码", "密碼", "口令", "パスワード", "暗証番号", "비밀번호", "암호", "пароль"), "password"
    ),
    **dict.fromkeys(("密钥", "密鑰"), "key"),
    **dict.fromkeys(("令牌", "トークン", "토큰"), "token"),
}

# What the end of a name says, without `_`, `-` and `.`; the first that fits counts.
_ENDINGS: tuple[tuple[str, tuple[bytes, ...]], ...] = (
    (
        "password",
        (
            *(b"password", b"passwd", b"passphrase", b"passcode", b"passwort", b"kennwort", b"pwd"),
            *(b"contrasena", b"contrase?a", b"contrasea", b"senha", b"clave", b"motdepasse", b"wachtwoord"),
            *(b"requirepass", b"storepass", b"keypass", b"sshpass", b"userpass", b"dbpass", b"mypass"),
            *(b"adminpass", b"rootpass", b"smtppass", b"mailpass", b"proxypass", b"becomepass", b"psk"),
            *(b"ftppass", b"pgpass", b"redispass", b"mysqlpass", b"loginpass", b"authpass", b"bindpass"),
            b"presharedkey",
        ),
    ),
    ("mnemonic", (b"seedphrase", b"recoveryphrase", b"backupphrase", b"seedwords")),
    (
        "token",
        (
            *(b"token", b"authorization", b"githubpat", b"ghpat", b"gitlabpat", b"devopspat", b"azurepat"),
            *(b"adopat", b"bitbucketpat", b"jirapat"),
        ),
    ),
    ("secret", (b"secret", b"secretkeybase")),
    (
        "key",
        (
            *(b"apikey", b"secretkey", b"accesskey", b"privatekey", b"signingkey", b"encryptionkey"),
            *(b"masterkey", b"authkey", b"accountkey", b"sharedkey", b"servicekey", b"serverkey", b"appkey"),
            *(b"consumerkey", b"subscriptionkey", b"licensekey", b"licencekey", b"hmackey", b"jwtkey"),
            *(b"aeskey", b"fernetkey", b"integrationkey", b"writekey", b"rolekey", b"anonkey", b"sessionkey"),
            *(b"storagekey", b"functionkey", b"webhookkey", b"securitykey", b"cryptkey", b"decryptionkey"),
            *(b"adminkey", b"clientkey", b"personalkey", b"applicationkey", b"deploykey", b"userkey"),
        ),
    ),
    ("credential", (b"credential", b"credentials", b"creds")),
)
_EXACT = {b"auth": "credential", b"pw": "password"}

# Ends like one of those, and is none.
_HARMLESS = (
    *(b"pagetoken", b"nexttoken", b"continuationtoken", b"synctoken", b"cancellationtoken", b"designtoken"),
    *(b"padtoken", b"eostoken", b"bostoken", b"unktoken", b"septoken", b"masktoken", b"clstoken"),
    *(b"stoptoken", b"specialtoken", b"pertoken", b"maxtoken", b"inputtoken", b"outputtoken"),
    *(b"firsttoken", b"lasttoken", b"cursortoken", b"starttoken", b"endtoken", b"endoftexttoken"),
    *(b"prevtoken", b"previoustoken", b"publickey", b"oldpwd", b"enclave", b"conclave"),
)

# Ends of a name that do not change what it promises.
_SUFFIXES = frozenset(
    (
        *(b"value", b"base64", b"b64", b"hex", b"plain", b"plaintext", b"raw", b"str", b"string", b"text"),
        *(b"confirmation", b"confirm", b"again", b"old", b"new", b"prod", b"production", b"dev", b"staging"),
        *(b"test", b"live", b"sandbox", b"local", b"primary", b"secondary", b"default", b"env", b"ci"),
    )
)

# Words in front of `key` and the like that belong to the name although a space separates them.
_LEADING = frozenset(
    (
        *(
            b"api",
            b"access",
            b"secret",
            b"private",
            b"signing",
            b"encryption",
            b"master",
            b"auth",
            b"account",
        ),
        *(
            b"shared",
            b"service",
            b"license",
            b"licence",
            b"deploy",
            b"seed",
            b"recovery",
            b"backup",
            b"public",
        ),
        *(b"page", b"next", b"pad", b"stop", b"special", b"per", b"max", b"design", b"cancellation", b"sync"),
        *(b"de", b"app", b"admin", b"subscription", b"server", b"user", b"input", b"output", b"continuation"),
    )
)


def kind_of_name(name: bytes, before: bytes, *, loud: bool) -> str | None:
    """Return what the name promises, or None.

    That is `password`, `token`, `secret`, `key`, `credential` or `mnemonic`. `name` is in lower case,
    `before` is what stands in front of it, cut to a few characters, and `loud` says that it is in capitals.
    """
    parts = [part for part in name.replace(b".", b"_").replace(b"-", b"_").split(b"_") if part]
    while len(parts) > 1 and (parts[-1] in _SUFFIXES or parts[-1].isdigit()):
        parts.pop()
    if not parts:
        return None
    last = parts[-1] = parts[-1].rstrip(b"0123456789")
    whole = b"".join(parts)
    if len(parts) == 1:
        whole = _with_leading_words(whole, before)
    if whole.endswith(_HARMLESS):
        return None
    for kind, endings in _ENDINGS:
        if whole.endswith(endings):
            return kind
    return _kind_of_last(last, alone=len(parts) == 1, loud=loud, flag=name.startswith(b"--"))


def _kind_of_last(last: bytes, *, alone: bool, loud: bool, flag: bool) -> str | None:
    if last == b"pass":
        return "password" if flag or (loud and not alone) else None
    if last == b"auth" and not alone:
        return None
    return _EXACT.get(last)


def _with_leading_words(name: bytes, before: bytes) -> bytes:
    """Return `name` with the word in front of it, if that is a part of the name as in `API key`."""
    if not before[-1:].isspace():
        return name
    line = before.rpartition(b"\n")[2].replace(b"\\n", b" ").replace(b"\\", b" ")
    words = [word.strip(b"*_`\"'(") for word in line.split()]
    if name == b"passe" and words[-2:] == [b"mot", b"de"]:
        return b"motdepasse"
    if name == b"pass" and (b"user" in before or b"login" in before):
        return b"userpass"
    return words[-1] + name if words and words[-1] in _LEADING else name
