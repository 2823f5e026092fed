import type { JudgedChange, LostGuard } from './edited-file.ts'

/** A change that is recognised by its removed and added texts. Each expression of a row has to match. */
interface Trade {
  readonly path?: RegExp
  /** Matches the path or the removed text. */
  readonly about?: RegExp
  /** Matches the removed or the added text. */
  readonly either?: RegExp
  /** Matches the removed text. */
  readonly had?: RegExp
  /** Matches the removed text, and not the added text. */
  readonly gone?: RegExp
  /** All match the added text. */
  readonly now?: RegExp | readonly RegExp[]
  /** All match the added text, and not all match the removed text. */
  readonly come?: RegExp | readonly RegExp[]
  /** Does not match the added text. */
  readonly lacks?: RegExp
  /** What the file would do after the edit, as the end of `which would …`. */
  readonly would: string
}

const raising =
  /\b(?:throw|raise|reject|panic!?|return\s+\w*err\w*)\b|\.(?:error|warn(?:ing)?|exception|critical|fatal|captureException)\(/i
const chosen = /\.(?:filter|where|exclude)\(\s*[^\s)]|\bfind(?:All|Many)?\(\s*\{\s*\w|\bWHERE\b/
const everyone = /\.all(?:\(\)|\b(?!\())|\bfind(?:All|Many)?\(\s*(?:\{\s*\})?\s*\)|\bSELECT\b(?![^;]*\bWHERE\b)/

/** Changes of code that replace a strong means by a weak one. */
const weaker: readonly Trade[] = [
  { gone: /\b(?:bcrypt|argon2|scrypt|pbkdf2|password_hash\b|PasswordHasher)/i,
    come: /(?<![a-z])(?:md5|sha_?(?:1|224|256|384|512)|crc32)(?![a-z])/i,
    would: 'store passwords by a hash that is quickly guessed' },
  { gone: /\b(?:randomBytes|randomUUID|getRandomValues|randomInt|secrets\.\w+|SecureRandom|crypto\/rand|OsRng|random_bytes|RandomNumberGenerator|SecRandomCopyBytes)\b/,
    come: /\bMath\.random\b|\brandom\.(?:random|randint|choices?|getrandbits)\b|\bmt_rand\b|\bmath\/rand\b|\bnew Random\b|\buniqid\(|\bSmallRng\b|(?<![\w.])Random\(|\bDate\.now\(|\bcurrentTimeMillis\(|(?<![\w.])rand\(\)/,
    would: 'draw secrets from numbers that can be foretold' },
  { gone: /(?<![a-z])(?:gcm|ccm|chacha20|siv|aead)/i,
    come: /(?<![a-z])(?:ecb|des|3des|rc4|xor)(?![a-z])/i,
    would: 'encrypt so that others can read it' },
  { gone: /timingSafeEqual|compare_digest|hash_equals|ConstantTimeCompare|secure_compare|constant_time_eq|FixedTimeEquals|MessageDigest\.isEqual/,
    come: /[^=!]===?[^=]|\.equals\(|\bbytes\.Equal\(|\bstrcmp\(/,
    would: 'compare a secret so that the time it takes betrays it' },
  { gone: /TLSv?_?1[._]?[23]\b/i,
    come: /\bSSLv[23]|TLSv?_?1(?:[._]?[01])?(?![._]?\d)/i,
    would: 'accept protocols that are broken' },
  { gone: /\bjwt\.verify\(|\bjwtVerify\(|\bverifyIdToken\(/,
    come: /\bjwt\.decode\(|\bdecodeJwt\(|\bjwt_?decode\(/i,
    would: 'read a token without looking at its signature' },
  { gone: /\bsnprintf\(|\bstrn?lcpy\(|\bstrncpy\(|\bfgets\(|\.get\(|\.at\(|\bchecked_\w+|\blen\(\)/,
    come: /\bget_unchecked\w*|\bfrom_raw_parts\w*|(?<!\w)(?:strcpy|strcat|sprintf|gets)\(/,
    would: 'read or write memory without looking at its bounds' },
  { gone: /\b(?:[RPE]S(?:256|384|512)|EdDSA)\b/,
    come: /\bHS(?:256|384|512)\b|["']none["']/,
    would: 'sign tokens by what those who read them know' },
  { about: /recipient|subscriber|newsletter|campaign|mailing|broadcast|\bsms\b|push_?notif/i,
    gone: chosen,
    now: everyone,
    would: 'write to all, where it wrote to some' },
  // Queries that return only what a user may see.
  { either: /visible|accessible|permitted|for_?user|scoped?_?to|belongs|tenant|_own\b/i,
    gone: chosen,
    now: everyone,
    would: 'give everything, where it gave some' },
  { about: /origin|redirect|callback|issuer|audience|referr?er|\bhost(?:name)?\b|webhook|signature/i,
    had: /[^=!<>]===?[^=]|\.equals\(|\bEq\(|\.has\(|\.includes\(\w+\)|\bin\b/,
    come: /\.(?:startsWith|endsWith|includes|contains|indexOf|startswith|endswith|start_with\?|end_with\?|include\?|match)\(\s*["'`/]|\bstrings\.(?:Contains|HasPrefix|HasSuffix)\(|\bstr(?:pos|stri?|_contains|_starts_with)\(/,
    would: 'accept a part of what had to be the same' },
  { come: /\b(?:process\.env|import\.meta\.env|os\.environ(?:\.get)?|getenv|ENV|env::var|headers?|query|params|args|cookies?|config|settings|flags?)\b[\w.]{0,20}\W{1,4}["'`]?[\w-]{0,60}(?:skip|bypass|disable_?(?:auth|check|valid|verif|limit|csrf|mfa)|no_?auth|unsafe|insecure|backdoor|impersonat|override_?(?:auth|role|user)|x-debug|x-internal|god_?mode)/i,
    would: 'have a way past a check for whoever asks for it' },
  { come: /\b(?:headers?|query|params|cookies?)\b[^;]{0,200}(?:super_?admin|is_?admin\w{0,30}\s{0,9}=\s{0,9}true|role\w{0,30}\s{0,9}=\s{0,9}["']admin)/i,
    would: 'make whoever asks for it an administrator' },
  { had: /\b(?:catch|except|rescue)\b/,
    gone: raising,
    now: /\b(?:catch|except|rescue)\b/,
    would: 'go on as if nothing had failed' },
  { gone: raising,
    come: /\bcatch\s*(?:\(\s*\w*\s*\))?\s*\{\s*\}|\bexcept\b[^\n:]{0,200}:\s*(?:pass|\.\.\.|continue)|\brescue\b[^\n]{0,200}(?:nil|next)\s*$|\.catch\(\s*\(\w*\)\s*=>\s*(?:\{\s*\}|null|undefined)\s*\)|\b_\s*=\s*err\b|@suppress|\bunwrap_or\(true\)/m,
    would: 'have a failure go unnoticed' },
  { had: /[\s\S]/,
    come: /\b(?:getOrDefault|orElse|unwrap_or|orElseGet|catch|except|rescue)\b[^\n]{0,60}\b(?:accept(?:ed)?|allow(?:ed)?|approved?|pass(?:ed)?|return true|permit(?:ted)?)\b|\b(?:getOrDefault|orElse|unwrap_or|orElseGet)\(\s*true\b/i,
    would: 'go on as if all were well after something failed' },
  { path: /audit/i,
    now: /^[ \t]*if\b.*\breturn[ \t;}]{0,9}$/m,
    would: 'leave something out of the audit' },
] // prettier-ignore

/** Values in code or settings that turn a check off. */
const unchecked: readonly Trade[] = [
  { come: /\bverify\s*=\s*False\b|rejectUnauthorized["']?\s*:\s*false|InsecureSkipVerify\s*:\s*true|_create_unverified_context|\bCERT_NONE\b|\bVERIFY_NONE\b|check_hostname\s*=\s*False|CURLOPT_SSL_VERIFY(?:PEER|HOST)\s*(?:,|=>)\s*(?:false|0)\b|danger_accept_invalid_certs\(\s*true|ALLOW_ALL_HOSTNAME|NoopHostnameVerifier|badCertificateCallback\s*=[^\n]*true|ServerCertificate\w*Callback\s*\+?=[^\n]*true|http\.sslVerify\s*=?\s*false/,
    would: 'accept any certificate' },
  { come: /\bNOPASSWD\s*:\s*ALL\b/, would: 'let a user become root without a password' },
  { come: /\bchmod\s+(?:-R\s+)?(?:0?777|a\+rwx)\b/, had: /\bchmod\b/, would: 'let everybody write' },
  { come: /DISABLE\s+ROW\s+LEVEL\s+SECURITY/i, would: 'switch row security off' },
  { come: /\ballow\s+[\w, ]{1,60}:\s*if\s+true\b|permissions\s*:\s*write-all\b/,
    would: 'let everybody read or write' },
  { come: /@csrf_exempt\b|csrf\w*\W{1,12}(?:\w+\W+){0,3}disable\(|csrf\w*\(\s*\w+\.disable|protect_from_forgery\s+with:\s*:null_session|skip_before_action\s+:\w*(?:auth|verif)/i,
    would: 'take the protection against forged requests away' },
  { come: /(?<!\$\([^()\n]{0,100})\|\|\s*true\s*\)|&&\s*false\s*\)|\bif\s*\(\s*(?:true|false)\s*\)|\bif (?:True|False):/,
    had: /\b(?:if|unless|return)\b/,
    would: 'decide nothing any more' },
  { come: /\byaml\.(?:unsafe_)?load\((?![^)\n]*Safe)|(?<![\w.])eval\(/,
    had: /\bsafe_load\b|\bliteral_eval\b|SafeLoader/,
    would: 'run what data says' },
  { come: /\bsigningConfigs\.debug\b/,
    had: /\bsigningConfigs\.release\b/,
    would: 'sign what is released with the key of trials' },
  { come: /\btrust_remote_code\s*=\s*True|\ballow_pickle\s*=\s*True|\bweights_only\s*=\s*False/,
    would: 'run code that comes with a model' },
  { come: /\borigin\s*:\s*(?:true\b|\([^)\n]{0,60}\)\s*=>\s*(?:true\b|\w{1,20}\(null,\s*true\)))|\ballowOrigins\s*\{\s*true\b|\banyHost\(\)|\bAllowAnyOrigin\(|\bcors\.AllowAll\(|\bAllowOriginFunc\w*\s*[:=]\s*func\([^)\n]{0,60}\)\s*bool\s*\{\s*return true|\bSetIsOriginAllowed\(\s*\w+\s*=>\s*true|\b(?:allowed_?|allow_?)?origins?(?:_?patterns?)?\b["']?\s*[:=(]?\s*(?:\w{1,12}(?:\.\w{1,12})?\()?[[(]?\s*["']\*["']|\bAccess-Control-Allow-Origin["']?\s*[,:=]?\s*["']\*["']/i,
    had: /origin|host|cors/i,
    would: 'let any origin in' },
  { come: /\bAllowAny\b|\[AllowAnonymous\]|@PermitAll\b|\.permitAll\(\)|@Public\(\)|\bskip_authorization\b/,
    had: /auth|permission|\broles?\b|guards?\b|secured|requires?/i,
    would: 'let everybody in' },
  { come: /verify_signature["']?\s*(?:[:=]|=>)\s*false|\bParseUnverified\(|\bparse(?:UnsecuredClaims|ClaimsJwt)\(|\balgorithms?["']?\s*[:=]\s*\[?\s*["']none["']|SkipAllValidators|\bRequireSignedTokens\s*=\s*false/i,
    would: 'accept tokens that nobody signed' },
  { come: /^[ \t]*(?:-[ \t]*)?uses[ \t]*:[ \t]*[\w./-]{3,120}@(?![0-9a-f]{40})[\w./-]+[ \t]*(?:#[^\n]*)?$/m,
    had: /^[ \t]*(?:-[ \t]*)?uses[ \t]*:[ \t]*[\w./-]{3,120}@[0-9a-f]{40}\b/m,
    would: 'no longer pin an action' },
  { come: /\.permit!|\$guarded\s*=\s*\[\s*\]|\bunguard\(|\bfields\s*=\s*["']__all__["']|(?:\.|->)(?:update|create|fill|assign|save|insert\w*|findByIdAnd\w+)\(\s*(?:[\w.]{1,30},\s*)?(?:\{\s*\.\.\.)?(?:\$request->all\(\)|req(?:uest)?\.body\b)/i,
    had: /\bpermit\b|\$fillable|\$guarded|\bfields\s*=|\bvalidated\(|\bonly\(|\bpick\(|\.parse\(|\bschema\b/i,
    would: 'store every field that somebody sends' },
  { come: /\bexpire_?after_?seconds\b/i, would: 'delete data by itself after a time' },
  { path: /migrat|\/versions\//i,
    now: [
      /\bdef\s+down(?:grade)?\b[^\n]{0,40}(?:;\s*end|\n\s*(?:pass|end|raise\b[^\n]*|return)\s*(?:\n|$))|\b(?:down|revert)\w*\s*(?:=\s*(?:async\s*)?)?\([^)\n]{0,60}\)[^{\n]{0,40}\{\s*(?:return;?\s*)?\}/,
      /\b(?:drop_table|drop_column|remove_columns?|dropTable|dropColumn|DROP\s+(?:TABLE|COLUMN)|DELETE\s+FROM|TRUNCATE)\b/i,
    ],
    would: 'delete data with no way back' },
] // prettier-ignore

/** Settings that let everybody in, also in a new file. */
const laidOpen: readonly Trade[] = [
  { come: [
      /["']?\bactions?["']?\s*[:=]\s*(?:\[\s*|\n\s*-\s*)?["']\*["']/i,
      /["']?\bresources?["']?\s*[:=]\s*(?:\[\s*|\n\s*-\s*)?["']\*["']/i,
      /\ballow\b/i,
    ],
    would: 'allow everything on everything' },
  { come: /token\.actions\.githubusercontent\.com:sub[\s\S]{0,160}["']repo:\*/,
    would: 'let any repository take the role' },
  { come: /\b(?:from_?port|port)["']?\s*[:=]\s*["']?(?:22|3389|5432|3306|1433|6379|27017|9200|2375)\b[^{}]{0,300}["']?(?:0\.0\.0\.0\/0|::\/0)|(?:0\.0\.0\.0\/0|::\/0)[^{}]{0,300}\b(?:from_?port|port)["']?\s*[:=]\s*["']?(?:22|3389|5432|3306|1433|6379|27017|9200|2375)\b/i,
    would: 'open a port of machines to everybody' },
  { come: /\bprivileged["']?\s*:\s*true|\/var\/run\/docker\.sock\b(?![^\n]*:ro\b)|\bhost(?:PID|Network|IPC)["']?\s*:\s*true/,
    would: 'hand the machine to a container' },
  { come: [/\bkind\s*:\s*NetworkPolicy\b/, /\b(?:ingress|egress)\s*:\s*(?:\[\s*\{\s*\}\s*\]|\n\s*-\s*\{\s*\}\s*$)/m],
    would: 'let everything reach it, and be reached by it' },
  { come: /\b0\.0\.0\.0\b[^{}]{0,80}\b255\.255\.255\.255\b/, would: 'open it to every address' },
  { come: [/\bcluster-admin\b/, /\bsystem:(?:anonymous|unauthenticated|authenticated)\b/],
    would: 'give the cluster to whoever reaches it' },
  { come: [/\ballAuthenticatedUsers\b|\ballUsers\b/, /\broles\/(?:owner|editor|\w+\.(?:admin|writer|objectAdmin))\b/i],
    would: 'let everybody read or write it' },
] // prettier-ignore

/** Changes of code after which a condition decides nothing, SQL contains values as text, or signatures are not checked. */
const unescaped: readonly Trade[] = [
  { had: /\b(?:if|unless|elif|when|while|guard|assert|require|return)\b|\?/,
    come: /\b(?:if|unless|elif|while|return)\b[\s(]*(?:(?:false|0)\s*(?:&&|and\b)|(?:true|1)\s*(?:\|\||or\b))|(?<!\$\([^()\n]{0,100})(?:\|\||\bor)\s*(?:true|1)\s*[){:;]|(?:&&|\band)\s*(?:false|0)\s*[){:;]/i,
    would: 'decide nothing any more' },
  { had: /\b(?:select\s.{1,400}\sfrom|insert\s+into|update\s.{1,400}\sset|delete\s+from)\b/i,
    gone: /\$\d\b|%s\b|(?<=[\s(,=])\?(?=[\s),'"`;]|$)|(?<=[\s(,=]):\w+|@\w+/,
    now: [
      /\b(?:select\s.{1,400}\sfrom|insert\s+into|update\s.{1,400}\sset|delete\s+from)\b/i,
      /\$\{|#\{|["'`]\s*(?:\+|\.(?!\w+\())\s*\$?\w|\bf"[^"\n]*\{|"[^"\n]*\{?\$[a-z]\w*|\bf'[^'\n]*\{|%\s*\(|\.format\(/,
    ],
    would: 'put a value into SQL as text, where it was a parameter' },
  { gone: /\bcookies\.(?:signed|encrypted|permanent\.signed)\b|\bconstruct_?event\b|\bunsign\(|\bitsdangerous\b|\bverify_header\b/i,
    now: /[\s\S]/,
    would: 'take what was signed as it comes' },
] // prettier-ignore

export const asserting = /\b(?:expect|(?:prop_)?assert\w*|should|require\.\w+|XCTAssert\w*)\b/
/** Matches assertions that compare a result with an exact value. */
export const precise =
  /\.(?:to(?:Strict)?Equal|toBe|toMatchObject|toHaveBeenCalledWith|toThrow\w*|rejects)\(|\bassert\w*Equals?\(|\bassert_eq!?\(|\bassertRaises\w*\(|\bpytest\.raises\(|\braise_error\b|\bassert\b[^\n]{0,300}==|\bto eq\b|\bassert\.(?:Equal|Error)\w*\(|\bEqual\(|\bassertThrows\(|\bassert_raises?\b/

const tests: readonly Trade[] = [
  { come: /\boutcome\s*=\s*["']passed|\bexit_?(?:status|code)\s*=\s*0\b|\bprocess\.exit\(\s*0\s*\)|\bos\._exit\(\s*0/i,
    would: 'pass whatever happens' },
  { had: asserting,
    come: /assert(?:_eq)?!\(\s*(?:true|1\s*,\s*1)\s*\)|\bbe_nil\.or\b|expect\(\s*(true|1|["']\w*["'])\s*\)\.(?:to(?:Be|Equal|Eq)\w*|to\.equal|to\.be)\(?\s*\1?|^[ \t]*assert\s+(?:True|1\s*==\s*1)\b|\bassertTrue\(\s*true\s*[,)]/im,
    would: 'pass whatever happens' },
  { gone: precise,
    now: /\.(?:toBeDefined|toBeTruthy|not\.toThrow|not\.toBeNull|toBeInstanceOf)\(|\bassertNotN(?:one|ull)\(|\bis not None\b|\bexpect\.any(?:thing)?\(|\bbe_(?:present|truthy)\b|\bassert_not_nil\b|\bNotTo\(BeNil\(\)|\bassert\.(?:NotNil|ok)\(|!=\s*nil\b/,
    would: 'accept nearly everything' },
] // prettier-ignore

/** Matches a line that begins a step of a pipeline. */
export const stepOf = /^[ \t]*(?:-[ \t]*)?(?:run|uses|script|steps|command|image|stage)[ \t]*:/m

/** Changes of files whose lines are commands. */
const commands: readonly Trade[] = [
  { come: /^[ \t]*(?:-[ \t]*)?(?:if[ \t]*:[ \t]*(?:\$\{\{[ \t]*)?false\b|when[ \t]*:[ \t]*["']?never|condition[ \t]*:[ \t]*false|skip[ \t]*:[ \t]*true)/m,
    lacks: stepOf,
    would: 'no longer run one of its steps' },
  { gone: /^[ \t]*(?:-[ \t]*|on:.*)?\bpull_request\b(?!_)/m, would: 'no longer check pull requests' },
] // prettier-ignore

/** Changes of any file but documentation and tests, looked for in its comments too. */
const anything: readonly Trade[] = [
  { come: /@ts-nocheck|\/\*\s*eslint-disable\s*\*\/|#\s*(?:mypy: ignore-errors|flake8: noqa|pylint: skip-file|ruff: noqa\s*$)|\bnosec\b|\bnosemgrep\b|\bNOSONAR\b|#\s*noqa:\s*S\d|gitleaks:allow|checkov:skip|tfsec:ignore|trivy:ignore/m,
    would: 'silence a check' },
  { path: /(?:^|\/)\.(?:git|docker|npm|gcloud)ignore$/,
    gone: /^(?![ \t]*[!#]).*(?:\.env\b|secret|credential|\.pem\b|\.key\b|\.p12\b|id_rsa|\.tfstate|\.tfvars)/im,
    would: 'have a file with secrets taken along' },
  { path: /(?:^|\/)\.(?:git|docker|npm|gcloud)ignore$/,
    now: /^!.*(?:\.env[ \t]*$|\.pem|\.key)/m,
    would: 'have a file with secrets taken along' },
  { path: /(?:^|\/)(?:\.gitleaksignore|\.trivyignore|\.semgrepignore|\.snyk|\.nsprc|osv-scanner\.toml|\.gitleaks\.toml|\.secrets\.baseline|audit-ci\.jsonc?)$/i,
    come: /[\s\S]/,
    would: 'have a scan accept more' },
] // prettier-ignore

const none: readonly Trade[] = []

/** Returns the loss by the first row of the tables that matches a change; `undefined` if none does. */
export function findLossByTables(change: JudgedChange): LostGuard | undefined {
  const { isTest, isOwn, runs, sets } = change
  const [code, object] = isTest ? [tests, 'test'] : [unescaped, 'guard']
  return (
    lossBy(runs ? commands : none, change, 'check') ??
    lossBy(code, change, object) ??
    (isTest || isOwn
      ? undefined
      : (lossBy(unchecked, change, 'guard') ??
        lossBy(sets ? laidOpen : none, change, 'setting') ??
        lossBy(weaker, change, 'guard')))
  )
}

/** Returns how a change silences a check, often in a comment, so its texts must still have comments. */
export const findSilencedCheck = (change: TradedTexts): LostGuard | undefined => lossBy(anything, change, 'check')

type TradedTexts = Pick<JudgedChange, 'path' | 'removed' | 'added'>

function lossBy(trades: readonly Trade[], change: TradedTexts, object: string): LostGuard | undefined {
  const found = trades.find((trade) => matchesTrade(change, trade))
  return found && { kind: 'weaken', object, would: found.would }
}

const looksIn = (looks: Trade['now']) => (looks === undefined ? [] : looks instanceof RegExp ? [looks] : looks)
const matchesIfAny = (text: string, look: RegExp | undefined) => look?.test(text) !== false

function matchesTrade({ path, removed, added }: TradedTexts, trade: Trade): boolean {
  const looks = looksIn(trade.come)
  return (
    matchesIfAny(path, trade.path) &&
    looks.every((look) => look.test(added)) &&
    looksIn(trade.now).every((look) => look.test(added)) &&
    matchesIfAny(removed, trade.had) &&
    matchesIfAny(removed, trade.gone) &&
    matchesIfAny(path + removed, trade.about) &&
    matchesIfAny(removed + added, trade.either) &&
    trade.gone?.test(added) !== true &&
    trade.lacks?.test(added) !== true &&
    (looks.length === 0 || !looks.every((look) => look.test(removed)))
  )
}
