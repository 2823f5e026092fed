import type { JudgedChange } from './edited-file.ts'

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
  /^[ \t]*USER\s+(?!root\b|0\b)\S|\bno-new-privileges|\bcap_drop\b|--cap-drop|\bseccomp\b|\bapparmor\b|Content-Security-Policy|Strict-Transport-Security|X-Frame-Options|X-Content-Type-Options|\bset -[a-z]{0,9}e[a-z]{0,9}\b|--require-hashes|\bRequire\s+(?:valid-user|ip|host|group)|\bAuthType\s|^[ \t]*allow\s+[\d.:/a-f]+;|\bbasic_?auth\b|middlewares\S{0,200}auth|-Werror|-fstack-protector|_FORTIFY_SOURCE|-fsanitize|minimumReleaseAge|\bcoverageThreshold|\brequirepass\b|^[ \t]*-\s*(?:gosec|bandit|security|staticcheck|errcheck)\b|\bdeny\s+(?:all|from)\b|ENABLE ROW LEVEL SECURITY|\bCREATE POLICY\b|\bread_only\s*:\s*true|\b(?:liveness|readiness|startup)Probe\b|\bNetworkPolicy\b|\bPodDisruptionBudget\b|^[ \t]*(?:resources|limits)\s*:\s*$|\bkms_key|\bserver_side_encryption|^[ \t]*-?\s*alert\s*:|\bmetric_alarm\b|\bretention\w{0,40}\s{0,9}[:=]|\bbackup\w{0,40}\s{0,9}[:=]|\bobject_lock|\brate_limit\w{0,40}\s{0,9}[:={]|\bwaf|^[ \t]*-\s*(?:not_null|unique|relationships|accepted_values)\b|\btimeout-minutes\b|\bconcurrency\s*:|\bandroid:permission=|@Immutable\b/i
/** True for a line that guards something: in code, or in settings that others rely on. */
export const isGuard = (line: string, change: JudgedChange, isSafe: (line: string) => boolean): boolean =>
  guarding.some((look) => look.test(line)) ||
  refusing.test(line) ||
  (!change.isOwn && (change.sets || change.runs) && (hardening.test(line) || isSafe(line)))

/** Returns a line without what guards in it. */
export const withoutGuard = (line: string): string =>
  [...guarding, refusing].reduce((rest, look) => rest.replace(look, ' '), line)
