import { chmodSync, existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { makeFolders } from '../../../files/make-folders.ts'
import { HookgateError } from '../../../model/errors.ts'
import { limits } from '../../../model/limits.ts'
import { choiceOf, quoted } from '../../../model/text.ts'
import { presetNames } from '../../../files/policy-files.ts'
import { refuseExisting, writeNew } from './write-new.ts'

/** Choices that a managed file begins with. */
interface NewManaged {
  readonly preset: string
  /** Whom to ask for an exception. */
  readonly contact: string | undefined
  /** The URL of a collector. */
  readonly otlp: string | undefined
}

/**
 * Writes the one managed file of a machine, with every key explained.
 *
 * @param folder of the file
 * @returns a message for the person
 * @throws HookgateError `usage`
 */
export function makeManaged(folder: string, isOfMachine: boolean, choice: NewManaged): string {
  const file = join(folder, 'hooks.json')
  refuseExisting(file)
  const text = managedText(choice)
  // Everybody must be able to read it, whatever the umask: who cannot has no rules, and every call is refused.
  const made = existsSync(folder) ? undefined : makeFolders(dirname(file), 0o755)
  if (made !== undefined) chmodSync(folder, 0o755)
  writeNew(file, text, 0o644)
  const check = isOfMachine ? 'hookgate check' : `hookgate check --managed ${file}`
  const next = isOfMachine ? ['      hookgate enable --managed AGENT…, so that agents ask'] : []
  return [`wrote ${file}`, `next: ${check}, which says what it leaves open`, ...next, ''].join('\n')
}

/** Returns the text of the file. @throws HookgateError `usage` for a preset that is unknown */
export function managedText({ preset, contact, otlp }: NewManaged): string {
  if (!presetNames().includes(preset)) {
    throw new HookgateError('usage', `hookgate has no preset ${quoted(preset)}`, {
      remedy: `there are ${choiceOf(presetNames())}`,
    })
  }
  const collector = { otlp: { url: otlp ?? 'https://collector.example.com:4318' }, what: 'decisions' }
  const record = { level: 'all', days: limits.recordDays, megabytes: limits.recordMegabytes }
  return `{
  // The rules that hold for everybody on this machine. No user's or project's file removes or loosens them; they may
  // add rules of their own. Only root may be able to write this file, its folder, and the folders above.
  // A change counts at once. \`hookgate check\` reports mistakes, and what this file leaves open.

  // The packs of rules that hold: "recommended" refuses what cannot be undone, "strict" also watches packages and tools
  // that are fetched, "observe" only reports. \`hookgate packs recommended\` lists its rules.
${line('preset', preset, true)},

  // Settings of single packs, and packs beside the preset: "mode": "observe" reports what one would refuse, "disable"
  // leaves rules out, "params" changes what they look for.
  "packs": [],

  // Settings that users may still loosen: "selfProtection" (agents may then change hookgate), "record" (to record less).
  "userMaySet": [],

  // Refuses calls with which an agent would change, end or get around hookgate. The default.
${line('selfProtection', true, true)},

  // The decisions that each machine records: "all", or "decisions" (where a rule answered), and for how long.
${line('record', record, true)},

  // The receiver of the record. Without one, nothing leaves a machine. Secrets in commands are masked before that.
  // In "otlp", a header can be read from a file: "headers": { "authorization": { "file": "/etc/hookgate/token" } }.
${line('export', collector, otlp !== undefined)},

  // The contact for exceptions: people and models read it with each refusal. One line.
${line('contact', contact ?? 'the security team, in #ask-security', contact !== undefined)},

  // Has hookgate ask a person where an agent cannot. Users may ask for it too; \`false\` forbids it.
${line('approvals', { waitSeconds: 120 }, false)},

  // Signed rules that this machine follows beside these: a folder that \`hookgate bundle publish\` writes, and a channel of
  // it. The file "root.json" beside this one says whose signatures count. "onStale": "block" refuses calls without them.
${line('bundle', { url: 'https://rules.example.com', channel: 'stable' }, false)},

  // Calls to refuse, ask about or allow always, beside the rules: "deny": ["Bash(curl *)", "Read(./.env)"].
  "permissions": { "deny": [], "ask": [] },

  // Calls that single rules let pass. Each has a rule, a command or path, and a reason; "until" is its last day:
  // { "rule": "supply-chain/*", "command": "npx @ours/*", "reason": "our registry", "until": "2027-06-30" }
  "exceptions": []
}
`
}

/** Writes a setting, or shows it in a comment. */
const line = (key: string, value: unknown, isSet: boolean) =>
  `  ${isSet ? '' : '// '}${JSON.stringify(key)}: ${spaced(value)}`

function spaced(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  return `{ ${Object.entries(value)
    .map(([key, one]) => `${JSON.stringify(key)}: ${spaced(one)}`)
    .join(', ')} }`
}
