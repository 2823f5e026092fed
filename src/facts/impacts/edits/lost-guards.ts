import { type JudgedChange, linesOf, type LostGuard, runsOfLines } from './edited-file.ts'
import { isSafeSetting } from './settings.ts'
import { checkPrograms, listedLinters } from '../../programs/families/checkers.ts'
import { hasTrait, packageManagers } from '../../programs/table.ts'
import { asserting, precise, stepOf } from './trades.ts'

/** Words of something that may stand in place of a guard, in what is added. */
const alike =
  /\b(?:can|may|allow\w*|polic\w+|guard\w*|acl|roles?\w*|permi\w+|auth\w*|protect\w*|secur\w+|back_?up|snapshot|confirm|prompt|middleware|valid\w+|verif\w+|schema|safe\w*|session\w*)/i
/** A list under a name that has nothing in it. */
const emptyList = /[\w$]["']?\s{0,9}(?:=>?|:)\s{0,9}(?:\[\s{0,99}\]|\(\s{0,99}\)|\{\s{0,99}\})/g
const opposite = /permitAll|allow_?any\w*|allowanonymous|anonymous|unauthenticated|insecure|unsafe|public\w*/gi
const bare =
  /^[\s{}()[\];,]*$|^\s*\[.{1,80}\]\s*(?:\|\||&&)\s*(?:exit|return|die)\b|^\s*if\s*\(?!?\w{1,20}\)?:?\s*(?:return|exit)\b|^\s*(?:return|throw|raise|abort|exit|die|next|halt|else|end|then|fi|pass|res\.|reply\.|c\.|ctx\.|log|logger|console)\b|^\s*[\w-]+:\s*$/
/** Lines that bring or make a name: they guard nothing by themselves. */
const defines =
  /^\s*(?:import|from|use|using|require|include|#include|export\s+\{|const \{[^}]*\} = require)\b|\b(?:function|def|func|fn|fun|class|interface|type)\s+\w+|^\s*(?:export\s+)?(?:const|let|var)\s+\w+\s*=\s*(?:async\s*)?(?:function\b|\([^)]*\)\s*=>|\w+\s*=>)/

/** Returns a line that protected something, which goes while what it protected stays. */
export function lostGuard(change: JudgedChange, come: string): LostGuard | undefined {
  const name = change.isTest || change.removed === '' ? undefined : guardGone(change, come)
  return name === undefined ? undefined : { kind: 'delete', object: change.sets ? 'setting' : 'guard', name }
}

function guardGone(change: JudgedChange, come: string): string | undefined {
  const guards = (line: string) => isGuard(line, change, isSafeSetting) && !defines.test(line)
  if (linesOf(come).some(guards)) return undefined
  const added = linesOf(change.added)
  const instead = come.replaceAll(opposite, '').replaceAll(emptyList, '')
  for (const lines of runsOfLines(change.removed)) {
    if (lines.some((line) => /^\s*(?:import|from|use|using)\b/.test(line)) && lines.every((line) => defines.test(line)))
      continue
    const found = lines.find(guards)
    if (found === undefined) continue
    const isAlone =
      lines.length <= 8 &&
      lines.every(
        (line) =>
          guards(line) ||
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
      if (isSafeSetting(found) && !come.includes(words(found)[0] ?? '')) return found.trim()
    if ((isAlone || isBlockOf(lines, found)) && !alike.test(instead)) return found.trim()
    const stripped = lines.filter(guards).find((line) => added.some((other) => isMostOf(line, other)))
    if (stripped !== undefined) return stripped.trim()
  }
  return undefined
}

/** True for lines that are one block, which a guard opens by its own name: `throttle 'logins' do … end`. */
const isBlockOf = (lines: readonly string[], guard: string) =>
  lines.length <= 8 &&
  lines[0] === guard &&
  /^\s*(?:throttle|blocklist|rate_?limit\w*|authenticate|authorize|protect\w*)\b[^\n]*(?:\bdo\b[^\n]{0,40}|\{)\s*$/i.test(
    guard,
  ) &&
  /^\s*(?:end|\}\)?;?)\s*$/.test(lines.at(-1) ?? '')

const words = (text: string): readonly string[] => text.match(/[\w$]+/g) ?? []
const longWords = (text: string) => words(text).filter(({ length }) => length >= 4)

/** True if a line says most of what another says beside its guard. */
function isMostOf(line: string, other: string): boolean {
  const rest = words(withoutGuard(line))
  const there = words(other)
  const kept = rest.filter((word) => there.includes(word))
  return kept.join('').length >= 8 && kept.length >= rest.length * 0.6
}

/** Words of commands that verify something and fail if it is not so. */
const checking = new RegExp(
  String.raw`(?<![\w/.-])(?:tests?|lint(?:er)?|vet|audit|verify|check|typecheck|type-check|scan|coverage|validate)(?![\w/]|-(?:results?|reports?)|\.\w)|(?<![\w-])(?:${checkPrograms.join('|').replaceAll('.', String.raw`\.`)}|dependency-review|waitForQualityGate|sonar\w*)(?!\w|\.(?:config|json|toml|ini))|\b(?:sha|md)\d+sum\s[^\n]*(?:-c|--check|--status)\b|\bshasum\s[^\n]*-c\b|\bgpgv?\b[^\n]*--verify|--verify\b|--check\b|\bnode\b[^\n]*--test\b`,
  'i',
)
let commandsOfSteps: { readonly delegating: RegExp; readonly installing: RegExp } | undefined

/** Makes the patterns of what steps start when they are first needed, since they name programs of all families. */
function patternsOfSteps() {
  if (commandsOfSteps !== undefined) return commandsOfSteps
  const managers = packageManagers()
  const withTasks = alternatives(managers.filter((name) => hasTrait(name, 'tasks')))
  commandsOfSteps = {
    delegating: new RegExp(
      String.raw`\b(?:make|just|task|mise|bazel|mvnw?|gradlew?|nx|turbo|earthly|dagger|moon|rake|tox|nox)\b|\b(?:${withTasks})(?:\s+run)?\s+(?!install|ci|add|i|publish|build|start|dev|deploy|run\s+(?:build|start|dev|deploy|clean)\b)[\w:-]+|\.\/[\w./-]+|\bscripts?\/|\.sh\b|uses:\s*\.\/`,
      'i',
    ),
    installing: new RegExp(
      String.raw`\b(?:${alternatives(managers)})\s+(?:tool\s+|pip\s+|-\S+\s+)*(?:install|add|get|i|ci|sync)\b[^&|;\n]*`,
      'gi',
    ),
  }
  return commandsOfSteps
}
const alternatives = (names: readonly string[]) =>
  names.map((name) => name.replaceAll(/[.+[]/g, String.raw`\$&`)).join('|')

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
  linesOf(text).map((line) => commandIn(line, path).replaceAll(patternsOfSteps().installing, ''))

/** Matches a command whose failure is ignored: `npm test || true`. */
const swallowed =
  /\|\|\s*(?:true|:|exit\s+0|return\s+0|echo\b[^\n]*)(?=\s*(?:[)"'`\\;,]|$))|;\s*(?:true|exit\s+0)\s*(?:["'`)]|$)/m
const skipping =
  /--exit-zero\b|--no-verify\b|--exit-code[= ]0\b|-DskipTests|-Dmaven\.test\.(?:skip|failure\.ignore)|-x\s+test\b|--soft-fail\b|-SkipTests\b/
const tolerated =
  /^[ \t]*(?:-[ \t]*)?["']?(?:continue-on-error|continueOnError|allow_failure|allowFailure|allow_failures|ignore_errors|soft_fail|ignoreFailures)["']?[ \t]*[:=][ \t]*(?:true|yes)\b/m
const notTolerated = /^[ \t]*(?:continue-on-error|allow_failure|soft_fail)[ \t]*:[ \t]*(?:false|no)\b/m
/** Matches a script of `package.json` with the name of a check that does nothing. */
const emptyScript =
  /"((?:pre|post)?(?:test|lint|check|audit|verify|typecheck|validate)[\w:.-]*)"\s*:\s*"\s*(?:exit 0|true|:|echo\b[^"&|;]*)?\s*(?:\|\|[^"]*|&& exit 0)?"/
/** Match keys of a pipeline by which a job waits: for a check or an approval, and for anything. */
const gate =
  /^[ \t]*(?:needs[ \t]*:[^\n]*(?:test|lint|check|verify|audit|scan|build)|environment[ \t]*:[ \t]*(?:name:[ \t]*)?["']?prod)/m
const anyGate = /^[ \t]*(?:needs|environment)[ \t]*:[ \t]*(?!\[\s*\])/m

/** Returns how a change of commands removes a check, or lets it always pass. */
export function findLostCheck({ path, removed, added, runs }: JudgedChange): LostGuard | undefined {
  if (!runs) return undefined
  const gone = commandsIn(removed, path).filter((one) => checking.test(one))
  const come = commandsIn(added, path)
  const [name] = gone.map((one) => one.trim())
  const weakens = (would: string): LostGuard => ({ kind: 'weaken', object: 'check', would, ...(name && { name }) })
  const isNew = (look: RegExp) => look.test(added) && !look.test(removed)
  const isSwallowed = swallowed.test(added) && come.some((one) => checking.test(one) && swallowed.test(one))
  if (isSwallowed && gone.some((one) => !swallowed.test(one))) return weakens('have its failure ignored')
  if (isNew(skipping) && gone.length > 0) return weakens('skip it')
  const [, script] = emptyScript.exec(added) ?? []
  if (script !== undefined && removed.includes(`"${script}"`) && !emptyScript.test(removed))
    return { kind: 'weaken', object: 'check', name: script, would: 'do nothing there' }
  if (isNew(tolerated) && (gone.length > 0 || notTolerated.test(removed) || !stepOf.test(added)))
    return weakens('have its failure ignored')
  if (gate.test(removed) && !anyGate.test(added) && linesOf(removed).length <= 8)
    return weakens('no longer wait for what has to come first')
  return gone.length > 0 && !come.some((one) => checking.test(one) || patternsOfSteps().delegating.test(one))
    ? { kind: 'delete', object: 'check', ...(name && { name }) }
    : undefined
}

const opensTest =
  /\b(?:it|test|describe|context|suite)\s*(?:\.\w+)?\(|\bdef test_|\bfunc Test|@Test\b|#\[(?:tokio::)?test\]|\bfun `|\bTest\w*\(/
const skips =
  /\b(?:it|test|describe|context|suite)\.skip\(|\bx(?:it|describe|test|context)\s*\(|@(?:pytest\.mark\.skip|unittest\.skip|Disabled|Ignore)\b(?!if|If|Unless)|\bt\.Skip(?:Now)?\(|#\[ignore|\bpytest\.skip\(|^[ \t]*(?:self\.)?skip\s+["']|\bpending\(/gm

/** Returns how a change makes tests check less. */
export function findLostTest({ removed, added, isTest }: JudgedChange): LostGuard | undefined {
  if (!isTest) return undefined
  const more = (added.match(skips)?.length ?? 0) > (removed.match(skips)?.length ?? 0)
  if (more && (opensTest.test(removed) || !opensTest.test(added.replaceAll(skips, ''))))
    return { kind: 'weaken', object: 'test', would: 'skip it' }
  const isLess = precise.test(removed) && !precise.test(added) && !asserting.test(added)
  return isLess && !opensTest.test(removed) && !defines.test(removed)
    ? { kind: 'weaken', object: 'test', would: 'check less' }
    : undefined
}

/** Words that silence a check or skip a test. A stream editor may insert them into files that only its run determines. */
export const silence =
  /nosemgrep|\bnosec\b|@ts-nocheck|eslint-disable|pytest\.mark\.skip|\.skip\(|@Disabled\b|\bt\.Skip\(|gitleaks:allow|assertTrue\(True\)|\bassert\s+True\b|expect\(true\)|assert\(true\)/

/** Guards in code, by kind: lines that require, verify or refuse something. */
const guarding: readonly RegExp[] = [
  // Annotations, filters and middleware of frameworks.
  /@(?:login_required|permission_required|user_passes_test|PreAuthorize|Secured|RolesAllowed|UseGuards|jwt_required|requires?_\w+|csrf_protect|Authorized?\b|auth\.\w+)|\[(?:Authorize|ValidateAntiForgeryToken)\b|\b(?:before_action|before_filter|prepend_before_action|has_secure_password|strong_parameters|permit(?!!))\b|\bprotect_from_forgery|\b(?:CsrfView|Authentication|Security)Middleware|\bhelmet\(|\bcsurf\(|\bcsrf\w*\(|\bauth_(?:basic|request)\b|\blimit_req\b/i,
  // Who may: `requireAdmin`, `ensure_owner`, `user.hasRole`, `auth.uid()`.
  /\b(?:require|ensure|assert|check|verify|validate|authorize|authenticate|enforce|protect|must(?:_?be)?)_?(?:is_?)?(?:auth|log(?:ged_?)?in|admin|user|role|permission|access|owner|session|token|signature|csrf|origin|password|scope|tenant|hmac|jwt|webhook|member|staff)\w*|\bIsAuthenticated\b|\.authenticated\(|\bhas(?:Any)?(?:Role|Authority|Permission|Scope)\w*|\bauthorize!|^[ \t]*authorize\s+[@:\w]|\bpassport\.authenticate|\brequest\.auth\b|\bauth\.uid\(\)|(?<!function |def |func |fn )\b(?:verify|authorize|authorise|authenticate)!?\s*\(|\bif\b[^\n]*\b(?:is|has|can)_?(?:admin|owner|staff|superuser|authenticated|authorized|allowed|permission|permitted)\b/i,
  // Whose it is: a query that leaves out what belongs to others.
  /\b(?:where|filter\w*|find_by|scope)\b[^\n]*\b(?:tenant|owner|org(?:anization)?|account|user|customer|workspace)_?id\b/i,
  // Passwords, signatures and tokens.
  /\bbcrypt\w*\.compare|\bargon2\w*\.verify|\bcheck_?pw\b|\bpassword_verify|\bjwt[._]?verify|\b\w+_verify\w*\s*\(|\bverify_\w+\s*\(|\btimingSafeEqual|\bcompare_digest|\bhash_equals|\bhmac\b|(?<![a-z])encrypt\w*\(/i,
  // What is let in: forms, texts, files.
  /@(?:Valid|NotNull|NotBlank|NotEmpty|Size|Min|Max|Pattern)\b|^[ \t]*validates?\b|(?<![a-z])sanitiz\w*[.(]|\bDOMPurify\b|\bescape(?:Html|_html|Sql)?\(|\bescape_\w+\(|\bquote\w*\(|\bshlex\.quote|\bbleach\.clean|\bhtmlspecialchars\(|\bsecure_filename\(|\bif\b[^\n]*\b(?:not\s+|!)?\w*(?:valid|verif)\w*\s*\([^\n]*\)[^\n]*\b(?:return|throw|abort|kick|reject|raise|die|exit)\b/i,
  // What is kept from people, and from each other: moderation, screening, consent, masking.
  /\b(?:moderat|profanity|spam|grooming|nsfw|toxicity|malware|virus|sanctions?|screening|kyc|aml|fraud)\w*\(|(?:\b|(?<=[a-z]))consent\w*|\b\w{0,30}opt(?:ed)?_?in\b|\bdo_?not_?track\b|\baccepted_?terms\b|\bterms_?accepted\b|(?<![a-z.])confirm\w*\(|\bdry_?run\b|(?<![a-z])(?:redact|anonymi[sz]e|pseudonymi[sz]e|scrub|mask)\w*\(/i,
  // What a person is asked first, and what is kept of what will be gone.
  /\bread\s+-[a-z]*p\b|\bgum confirm\b|\bclick\.confirm\(|\btype\s*:\s*["']confirm["']|\b(?:pg_dump(?:all)?|mysqldump|mongodump|pg_basebackup|etcdctl\s+snapshot\s+save|velero\s+backup\s+create|restic\s+backup|borg\s+create|kopia\s+snapshot\s+create)\b|\b(?:create|make|take|run)_?(?:db_?|database_?)?(?:backup|snapshot)\w*\s*\(/i,
  // How often, and one at a time.
  /@(?:Transactional|RateLimit\w*|Throttl\w*|Locked|Version|Immutable|Idempotent\w*|atomic|synchronized)\b|\bFOR UPDATE\b|(?<![a-z])(?:mutex|lock|mu|rwlock|semaphore)\w*\.(?:lock|acquire|RLock)\w*\(|\bwith\s+\w*lock\w*|\bsynchronized\s*\(|\b(?:with_?)?transaction\b[^\n]{0,40}[({]|idempoten\w*|\brateLimit\w*\(|^[ \t]*rate_limit\s|@\w{0,20}limiter?\.limit\(|(?<![a-z])throttle\w*\(|^[ \t]*throttle\s+["']/i,
  // What was done, and what the compiler forbids.
  /(?<![a-z])audit\w*\.(?:log|record|write|append|add|track|emit|save)\w*\(|(?<![a-z])audit_?log\w*\(|#!?\[(?:forbid|deny)\(/i,
]
const refusing =
  /\b(?:401|403)\b|\babort\(\s*4\d\d|\bunauthori[sz]ed|\bforbidden|\bForbidden\w*|(?:access|permission)[ _]?denied|\bDenied\b|PermissionError/i
/** Lines of settings that take rights or ways in from something. */
const hardening =
  /^[ \t]*USER\s+(?!root\b|0\b)\S|\bno-new-privileges|\bcap_drop\b|--cap-drop|\bseccomp\b|\bapparmor\b|Content-Security-Policy|Strict-Transport-Security|X-Frame-Options|X-Content-Type-Options|\bset -[a-z]{0,9}e[a-z]{0,9}\b|--require-hashes|\bRequire\s+(?:valid-user|ip|host|group)|\bAuthType\s|^[ \t]*allow\s+[\d.:/a-f]+;|\bbasic_?auth\b|middlewares\S{0,200}auth|-Werror|-fstack-protector|_FORTIFY_SOURCE|-fsanitize|minimumReleaseAge|\bcoverageThreshold|\brequirepass\b|\bdeny\s+(?:all|from)\b|ENABLE ROW LEVEL SECURITY|\bCREATE POLICY\b|\bread_only\s*:\s*true|\b(?:liveness|readiness|startup)Probe\b|\bNetworkPolicy\b|\bPodDisruptionBudget\b|^[ \t]*(?:resources|limits)\s*:\s*$|\bkms_key|\bserver_side_encryption|^[ \t]*-?\s*alert\s*:|\bmetric_alarm\b|\bretention\w{0,40}\s{0,9}[:=]|\bbackup\w{0,40}\s{0,9}[:=]|\bobject_lock|\brate_limit\w{0,40}\s{0,9}[:={]|\bwaf|^[ \t]*-\s*(?:not_null|unique|relationships|accepted_values)\b|\btimeout-minutes\b|\bconcurrency\s*:|\bandroid:permission=|@Immutable\b/i
const listsLinter = new RegExp(String.raw`^[ \t]*-\s*(?:${listedLinters.join('|')})\b`, 'i')
/** True for a line that guards something: in code, or in settings that others rely on. */
const isGuard = (line: string, change: JudgedChange, isSafe: (line: string) => boolean): boolean =>
  guarding.some((look) => look.test(line)) ||
  refusing.test(line) ||
  (!change.isOwn && (change.sets || change.runs) && (hardening.test(line) || listsLinter.test(line) || isSafe(line)))

/** Returns a line without what guards in it. */
const withoutGuard = (line: string): string =>
  [...guarding, refusing].reduce((rest, look) => rest.replace(look, ' '), line)
