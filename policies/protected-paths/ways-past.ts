import { type JudgedChange, linesOf } from './edited-files.ts'

/** Names of what somebody proves to be who they are by. */
const proof = /\b\w*(?:code|otp|token|pass(?:word|code)?|pin|secret|user(?:name)?|email|api_?key)\w*\b/i
const fixed = /(?:===?|\.equals\(|\beq\b)\s*\(?["'`]([^"'`\n]{3,80})["'`]/
const letsIn = /\b(?:return\s+(?:true|next\(\)|ok\b|nil\b|user\b)|next\(\)|grant|allow|authenticated\s*=\s*true)/i

/** Returns the text that would let in whoever knows it. */
function masterKey({ removed, added }: JudgedChange): string | undefined {
  const lines = linesOf(added)
  for (const [at, line] of lines.entries()) {
    const [, key] = fixed.exec(line) ?? []
    if (key === undefined || removed.includes(key) || !/\b(?:if|when|unless|return)\b|\|\|/.test(line)) continue
    const [before = ''] = line.split(fixed, 1)
    if (proof.test(before) && (letsIn.test(line) || letsIn.test(lines[at + 1] ?? ''))) return key
  }
  return undefined
}

/** Ways past a rule that whoever sets a variable or sends a header takes. */
const pastRules =
  /\b(?:process\.env|import\.meta\.env|os\.environ(?:\.get)?|getenv|ENV|env::var|headers?|query|params|args|cookies?|config|settings|flags?)\b[\w.]{0,20}\W{1,4}["'`]?[\w-]*(?:skip|bypass|disable_?(?:auth|check|valid|verif|limit|csrf|mfa)|no_?auth|unsafe|insecure|backdoor|impersonat|override_?(?:auth|role|user)|x-debug|x-internal|god_?mode)[\w-]*/i

/** More rights for a request that says so itself. */
const escalates =
  /\b(?:headers?|query|params|cookies?)\b[^;]{0,200}(?:super_?admin|is_?admin\w*\s*=\s*true|role\w*\s*=\s*["']admin)/i

/** Returns how a change lets in whoever knows a word, sets a variable or says so in a request. */
export function wayPast(change: JudgedChange): string | undefined {
  const { removed, added } = change
  const key = masterKey(change)
  if (key !== undefined) return `would let in whoever knows \`${key}\``
  if (pastRules.test(added) && !pastRules.test(removed)) return 'would have a way past a check for whoever asks for it'
  if (escalates.test(added) && !escalates.test(removed)) return 'would make whoever asks for it an administrator'
  return undefined
}
