import { everywhere, type JudgedChange, linesOf, runsOfLines } from './edited-files.ts'

/** Words of commands that verify something and fail if it is not so. */
const checking =
  /(?<![\w/.-])(?:tests?|lint(?:er)?|vet|audit|verify|check|typecheck|type-check|scan|coverage|validate)(?![\w/]|-(?:results?|reports?)|\.\w)|(?<![\w-])(?:py\.?test|vitest|jest|mocha|ava|tox|nox|ctest|rspec|phpunit|eslint|oxlint|biome|ruff|flake8|pylint|mypy|pyright|(?:vue-)?tsc|clippy|rubocop|brakeman|shellcheck|hadolint|golangci-lint|staticcheck|phpstan|psalm|pip-audit|govulncheck|osv-scanner|bandit|semgrep|snyk|trivy|grype|codeql|gitleaks|trufflehog|detect-secrets|checkov|tfsec|tflint|conftest|cosign|slsa-verifier|scorecard|dependency-review|sonar\w*|commitlint|lint-staged|husky|lefthook|pre-commit|playwright test|cypress run)(?!\w|\.(?:config|json|toml|ini))|\b(?:sha|md)\d+sum\s[^\n]*(?:-c|--check|--status)\b|\bshasum\s[^\n]*-c\b|\bgpgv?\b[^\n]*--verify|--verify\b|--check\b|\bnode\b[^\n]*--test\b/i
/** A command that starts others by a name: it may well do the check. */
const delegating =
  /\b(?:make|just|task|mise|bazel|mvnw?|gradlew?|nx|turbo|earthly|dagger|moon|rake|tox|nox)\b|\b(?:npm|pnpm|yarn|bun)(?:\s+run)?\s+(?!install|ci|add|i|publish|build|start|dev|deploy|run\s+(?:build|start|dev|deploy|clean)\b)[\w:-]+|\.\/[\w./-]+|\bscripts?\/|\.sh\b|uses:\s*\.\//i
const installing =
  /\b(?:npm|pnpm|yarn|bun|pip3?|pipx|uv|poetry|apt(?:-get)?|apk|dnf|brew|go|cargo|gem|bundle|composer|dotnet)\s+(?:tool\s+|pip\s+|-\S+\s+)*(?:install|add|get|i|ci|sync)\b[^&|;\n]*/i

/** Returns the command of a line; empty for keys, names and targets. */
function commandIn(line: string, path: string): string {
  const inJson = /^\s*"(?!(?:pre|post)?(?:build|dev|start|watch|release|bench)\b)[^"]*"\s*:\s*"(.*)"\s*,?$/.exec(line)
  if (inJson !== null) return path.endsWith('.json') ? (inJson[1] ?? '') : ''
  const keyed = /^\s*(?:-\s+)?([\w.$-]+)\s*:(?=\s|$)\s*(.*)$/.exec(line)
  if (keyed === null) return line
  const [, key = '', value = ''] = keyed
  if (key === 'id' && path.endsWith('.pre-commit-config.yaml')) return `lint ${value}`
  return /^(?:run|script|uses|command|commands|cmd|cmds|entry|before_script|sh|bash|pwsh|powershell|args)$/.test(key)
    ? value
    : ''
}

const commandsIn = (text: string, path: string) =>
  linesOf(text).map((line) => commandIn(line, path).replaceAll(everywhere(installing), ''))

/** A result that is thrown away: the command may fail, and what runs it goes on. */
const swallowed =
  /\|\|\s*(?:true|:|exit\s+0|return\s+0|echo\b[^\n]*)(?=\s*(?:[)"'`\\;,]|$))|;\s*(?:true|exit\s+0)\s*(?:["'`)]|$)/m
const skipping =
  /--exit-zero\b|--no-verify\b|--exit-code[= ]0\b|-DskipTests|-Dmaven\.test\.(?:skip|failure\.ignore)|-x\s+test\b|--soft-fail\b|-SkipTests\b/
const tolerated =
  /^\s*(?:-\s*)?["']?(?:continue-on-error|continueOnError|allow_failure|allowFailure|allow_failures|ignore_errors|soft_fail|ignoreFailures)["']?\s*[:=]\s*(?:true|yes)\b/m
const neverRun =
  /^\s*(?:-\s*)?(?:if\s*:\s*(?:\$\{\{\s*)?false\b|when\s*:\s*["']?never|condition\s*:\s*false|skip\s*:\s*true)/m
const stepOf = /^\s*(?:-\s*)?(?:run|uses|script|steps|command|image|stage)\s*:/m
/** A script that does nothing, under the name of a check. */
const emptyScript =
  /"((?:pre|post)?(?:test|lint|check|audit|verify|typecheck|validate)[\w:.-]*)"\s*:\s*"\s*(?:exit 0|true|:|echo\b[^"&|;]*)?\s*(?:\|\|[^"]*|&& exit 0)?"/

/** Returns how a change of commands takes a check away or has it pass always. */
export function lostCheck({ path, removed, added, runs }: JudgedChange): string | undefined {
  if (!runs) return undefined
  const gone = commandsIn(removed, path).filter((one) => checking.test(one))
  const come = commandsIn(added, path)
  if (
    swallowed.test(added) &&
    gone.some((one) => !swallowed.test(one)) &&
    come.some((one) => checking.test(one) && swallowed.test(one))
  )
    return 'would pass even if its check fails'
  if (skipping.test(added) && !skipping.test(removed) && gone.length > 0) return 'would skip its check'
  const [, script] = emptyScript.exec(added) ?? []
  if (script !== undefined && removed.includes(`"${script}"`) && !emptyScript.test(removed))
    return `would have \`${script}\` check nothing`
  if (tolerated.test(added) && !tolerated.test(removed) && (gone.length > 0 || !stepOf.test(added)))
    return 'would go on when a check fails'
  if (neverRun.test(added) && !neverRun.test(removed) && !stepOf.test(added))
    return 'would no longer run one of its steps'
  const trigger = /^\s*(?:-\s*|on:.*)?\bpull_request\b(?!_)/m
  if (trigger.test(removed) && !trigger.test(added)) return 'would no longer check pull requests'
  const gate =
    /^\s*(?:needs\s*:[^\n]*(?:test|lint|check|verify|audit|scan|build)|environment\s*:\s*(?:name:\s*)?["']?prod)/m
  if (gate.test(removed) && !/^\s*(?:needs|environment)\s*:\s*(?!\[\s*\])/m.test(added) && linesOf(removed).length <= 8)
    return 'would no longer wait for what has to come first'
  if (gone.length > 0 && !come.some((one) => checking.test(one) || delegating.test(one))) return 'would lose a check'
  return undefined
}

const opensTest =
  /\b(?:it|test|describe|context|suite)\s*(?:\.\w+)?\(|\bdef test_|\bfunc Test|@Test\b|#\[(?:tokio::)?test\]|\bfun `|\bTest\w*\(/
const skips =
  /\b(?:it|test|describe|context|suite)\.skip\(|\bx(?:it|describe|test|context)\s*\(|@(?:pytest\.mark\.skip|unittest\.skip|Disabled|Ignore)\b(?!if|If|Unless)|\bt\.Skip(?:Now)?\(|#\[ignore|\bpytest\.skip\(|^\s*(?:self\.)?skip\s+["']|\bpending\(/m
const empty =
  /assert(?:_eq)?!\(\s*(?:true|1\s*,\s*1)\s*\)|\bbe_nil\.or\b|expect\(\s*(true|1|["']\w*["'])\s*\)\.(?:to(?:Be|Equal|Eq)\w*|to\.equal|to\.be)\(?\s*\1?|^\s*assert\s+(?:True|1\s*==\s*1)\b|\bassertTrue\(\s*true\s*[,)]/im
const asserting = /\b(?:expect|(?:prop_)?assert\w*|should|require\.\w+|XCTAssert\w*)\b/

/** Matchers that nearly everything meets. */
const vague =
  /\.(?:toBeDefined|toBeTruthy|not\.toThrow|not\.toBeNull|toBeInstanceOf)\(|\bassertNotN(?:one|ull)\(|\bis not None\b|\bexpect\.any(?:thing)?\(|\bbe_(?:present|truthy)\b|\bassert_not_nil\b|\bNotTo\(BeNil\(\)|\bassert\.(?:NotNil|ok)\(|!=\s*nil\b/
const precise =
  /\.(?:to(?:Strict)?Equal|toBe|toMatchObject|toHaveBeenCalledWith|toThrow\w*|rejects)\(|\bassert\w*Equals?\(|\bassert_eq!?\(|\bassertRaises\w*\(|\bpytest\.raises\(|\braise_error\b|\bassert\b[^\n]*==|\bto eq\b|\bassert\.(?:Equal|Error)\w*\(|\bEqual\(|\bassertThrows\(|\bassert_raises?\b/

/** Code around tests that has each of them pass. */
const forced =
  /\boutcome\s*=\s*["']passed|\bexit_?(?:status|code)\s*=\s*0\b|\bprocess\.exit\(\s*0\s*\)|\bos\._exit\(\s*0/i

/** Returns how a change of tests has them pass always. */
export function lostTest({ removed, added, isTest }: JudgedChange): string | undefined {
  if (!isTest) return undefined
  if (forced.test(added) && !forced.test(removed)) return 'would have tests pass whatever happens'
  const more = (added.match(everywhere(skips))?.length ?? 0) > (removed.match(everywhere(skips))?.length ?? 0)
  if (more && (opensTest.test(removed) || !opensTest.test(added.replaceAll(everywhere(skips), ''))))
    return 'would skip a test'
  if (empty.test(added) && !empty.test(removed) && asserting.test(removed))
    return 'would have a test pass whatever happens'
  const exact = count(removed, precise)
  if (exact > 0 && count(added, precise) === 0) {
    if (vague.test(added)) return 'would have a test accept nearly everything'
    if (!opensTest.test(removed) && !defines.test(removed) && count(added, asserting) === 0)
      return 'would have a test check less'
  }
  return undefined
}

const count = (text: string, look: RegExp) => text.match(everywhere(look))?.length ?? 0

/** Guards in code: lines that require, verify or refuse something. */
const guarding =
  /@(?:login_required|permission_required|user_passes_test|PreAuthorize|Secured|RolesAllowed|UseGuards|jwt_required|requires?_\w+|csrf_protect|Authorized?\b|auth\.\w+)|\[(?:Authorize|ValidateAntiForgeryToken)\b|\b(?:before_action|before_filter|prepend_before_action)\b|\bprotect_from_forgery|\bIsAuthenticated\b|\.authenticated\(|\bhas(?:Any)?(?:Role|Authority|Permission|Scope)\w*|\b(?:require|ensure|assert|check|verify|validate|authorize|authenticate|enforce|protect|must(?:_?be)?)_?(?:is_?)?(?:auth|log(?:ged_?)?in|admin|user|role|permission|access|owner|session|token|signature|csrf|origin|password|scope|tenant|hmac|jwt|webhook|member|staff)\w*|\bauth_basic\b|\bauth_request\b|\blimit_req\b|\bjwt[._]?verify|\bpassport\.authenticate|(?<!function |def |func |fn )\b(?:verify|authorize|authorise|authenticate)!?\s*\(|\bauthorize!|\bbcrypt\w*\.compare|\bargon2\w*\.verify|@(?:Valid|NotNull|NotBlank|NotEmpty|Size|Min|Max|Pattern|Transactional|RateLimit\w*|Throttl\w*|Locked|Version|Immutable|Idempotent\w*|atomic|synchronized)\b|\bFOR UPDATE\b|\b(?:where|filter\w*|find_by|scope)\b[^\n]*\b(?:tenant|owner|org(?:anization)?|account|user|customer|workspace)_?id\b|(?<![a-z])(?:mutex|lock|mu|rwlock|semaphore)\w*\.(?:lock|acquire|RLock)\w*\(|\bwith\s+\w*lock\w*|\bsynchronized\s*\(|\b(?:with_?)?transaction\b[^\n]{0,40}[({]|idempoten\w*|\b(?:moderat|profanity|spam|grooming|nsfw|toxicity|malware|virus|sanctions?|screening|kyc|aml|fraud)\w*\(|\bdry_?run\b|(?<![a-z.])confirm\w*\(|\bconsent\w*|(?<![a-z])(?:redact|anonymi[sz]e|pseudonymi[sz]e|scrub|mask)\w*\(|(?<![a-z])encrypt\w*\(|\bhmac\b|(?<![a-z])throttle\w*\(|^\s*validates?\b|\b(?:has_secure_password|strong_parameters|permit)\b|\bescape_\w+\(|\bquote\w*\(|\bcheck_?pw\b|\bpassword_verify|\bshlex\.quote|CsrfViewMiddleware|AuthenticationMiddleware|SecurityMiddleware|#!?\[(?:forbid|deny)\(|\b\w+_verify\w*\s*\(|\bverify_\w+\s*\(|\bif\b[^\n]*\b(?:not\s+|!)?\w*(?:valid|verif)\w*\s*\([^\n]*\)[^\n]*\b(?:return|throw|abort|kick|reject|raise|die|exit)\b|(?<![a-z])audit\w*\.(?:log|record|write|append|add|track|emit|save)\w*\(|(?<![a-z])audit_?log\w*\(|\btimingSafeEqual|\bcompare_digest|\bhash_equals|\bhelmet\(|\bcsurf\(|\bcsrf\w*\(|\brateLimit\w*\(|(?<![a-z])sanitiz\w*[.(]|\bDOMPurify\b|\bescape(?:Html|_html|Sql)?\(|\bbleach\.clean|\bhtmlspecialchars\(|\bsecure_filename\(|\brequest\.auth\b|\bauth\.uid\(\)|\bif\b[^\n]*\b(?:is|has|can)_?(?:admin|owner|staff|superuser|authenticated|authorized|allowed|permission|permitted)\b/i
const refusing =
  /\b(?:401|403)\b|\babort\(\s*4\d\d|\bunauthori[sz]ed|\bforbidden|\bForbidden\w*|(?:access|permission)[ _]?denied|\bDenied\b|PermissionError/i
/** Lines of settings that take rights or ways in from something. */
const hardening =
  /^\s*USER\s+(?!root\b|0\b)\S|\bno-new-privileges|\bcap_drop\b|--cap-drop|\bseccomp\b|\bapparmor\b|Content-Security-Policy|Strict-Transport-Security|X-Frame-Options|X-Content-Type-Options|\bset -[a-z]*e[a-z]*\b|--require-hashes|\bRequire\s+(?:valid-user|ip|host|group)|\bbasic_?auth\b|middlewares\S*auth|-Werror|-fstack-protector|_FORTIFY_SOURCE|-fsanitize|minimumReleaseAge|\bcoverageThreshold|\brequirepass\b|^\s*-\s*(?:gosec|bandit|security|staticcheck|errcheck)\b|\bdeny\s+(?:all|from)\b|ENABLE ROW LEVEL SECURITY|\bCREATE POLICY\b|\bread_only\s*:\s*true|\b(?:liveness|readiness|startup)Probe\b|\bNetworkPolicy\b|\bPodDisruptionBudget\b|^\s*(?:resources|limits)\s*:\s*$|\bkms_key\w*|\bserver_side_encryption\w*|^\s*-?\s*alert\s*:|\bmetric_alarm\b|\bretention\w*\s*[:=]|\bbackup\w*\s*[:=]|\bobject_lock\w*|\brate_limit\w*\s*[:={]|\bwaf\w*|^\s*-\s*(?:not_null|unique|relationships|accepted_values)\b|\btimeout-minutes\b|\bconcurrency\s*:|\bandroid:permission=|@Immutable\b/i
const guards = (line: string, change: JudgedChange, isSafe: (line: string) => boolean) =>
  guarding.test(line) ||
  refusing.test(line) ||
  (!change.isOwn && (change.sets || change.runs) && (hardening.test(line) || isSafe(line)))

/** Words of something that may stand in place of a guard, in what is added. */
const alike =
  /\b(?:can|may|allow\w*|polic\w+|guard\w*|acl|roles?\w*|permi\w+|auth\w*|protect\w*|secur\w+|middleware|valid\w+|verif\w+|schema|safe\w*|session\w*)/i
const opposite = /permitAll|allow_?any\w*|allowanonymous|anonymous|unauthenticated|insecure|unsafe|public\w*/i
const bare =
  /^[\s{}()[\];,]*$|^\s*(?:return|throw|raise|abort|exit|die|next|halt|else|end|then|fi|pass|res\.|reply\.|c\.|ctx\.|log|logger|console)\b|^\s*[\w-]+:\s*$/
const defines =
  /^\s*(?:import|from|use|using|require|include|#include|export\s+\{|const \{[^}]*\} = require)\b|\b(?:function|def|func|fn|fun|class|interface|type)\s+\w+|^\s*(?:export\s+)?(?:const|let|var)\s+\w+\s*=\s*(?:async\s*)?(?:function\b|\([^)]*\)\s*=>|\w+\s*=>)/

/** Names of files whose functions decide who may do what. */
const deciding = /auth|permission|acl|guard|valid|verif|secur|polic|session|token|signature|access/i
const answersYes = /^\s*(?:return\s+(?:true|True|next\(\)|Ok\(\(\)\)|nil|null|undefined);?|next\(\);?|true)\s*$/

/** True if code that decided something answers the same to everybody. */
export function answersAlways({ path, removed, added, isTest, sets }: JudgedChange): boolean {
  if (isTest || sets || !deciding.test(path)) return false
  const lines = linesOf(added).filter((line) => !/^[\s{}()]*$/.test(line))
  return (
    lines.length === 1 &&
    answersYes.test(lines[0] ?? '') &&
    linesOf(removed).some((line) => /\breturn\b|\bif\b/.test(line) && !answersYes.test(line))
  )
}

/** Returns a line that protected something, which goes while what it protected stays. */
export function lostGuard(change: JudgedChange, come: string, isSafe: (line: string) => boolean): string | undefined {
  if (change.isTest || change.removed === '') return undefined
  const isGuard = (line: string) => guards(line, change, isSafe) && !defines.test(line)
  if (linesOf(come).some(isGuard)) return undefined
  const added = linesOf(change.added)
  for (const lines of runsOfLines(change.removed)) {
    if (lines.some((line) => /^\s*(?:import|from|use|using)\b/.test(line)) && lines.every((line) => defines.test(line)))
      continue
    const found = lines.find(isGuard)
    if (found === undefined) continue
    const isAlone =
      lines.length <= 8 &&
      lines.every(
        (line) =>
          isGuard(line) ||
          bare.test(line) ||
          longWords(line).some((word) => longWords(found).includes(word)) ||
          added.some((other) => isMostOf(line, other)),
      )
    // A setting that goes for another one.
    if (
      change.sets &&
      !change.isOwn &&
      added.length > 0 &&
      !lines.some((line) => /^\s*(?:resource|kind|apiVersion)\b/.test(line))
    )
      if (isSafe(found) && !come.includes(words(found)[0] ?? '')) return found.trim()
    if (isAlone && !alike.test(come.replaceAll(everywhere(opposite), ''))) return found.trim()
    const stripped = lines.filter(isGuard).find((line) => added.some((other) => isMostOf(line, other)))
    if (stripped !== undefined) return stripped.trim()
  }
  return undefined
}

const words = (text: string): readonly string[] => text.match(/[\w$]+/g) ?? []
const longWords = (text: string) => words(text).filter(({ length }) => length >= 4)

/** True if a line says most of what another says beside its guard. */
function isMostOf(line: string, other: string): boolean {
  const rest = words(line.replace(guarding, ' ').replace(refusing, ' '))
  const there = words(other)
  const kept = rest.filter((word) => there.includes(word))
  return kept.join('').length >= 8 && kept.length >= rest.length * 0.6
}
