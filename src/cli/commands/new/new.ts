import { chmodSync, existsSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { makeFolders } from '../../../files/entries.ts'
import { presetNames } from '../../../files/policy-files.ts'
import { HookgateError } from '../../../model/errors.ts'
import { limits } from '../../../model/limits.ts'
import { choiceOf, quoted } from '../../../model/text.ts'
import { placesFor } from '../../../rules/places.ts'
import { agentOf, choiceIn, parseFlags } from '../../args/flags.ts'
import { type Command, printed, usage } from '../../command.ts'
import { hookLanguages, makeHook } from './hook.ts'
import { undoMade } from '../../consent.ts'
import { guardedTools, makePolicy, refuseExisting, writeNew } from './policy.ts'

export const newCommand: Command = {
  help: `hookgate new: a starting point that passes its own test

  hookgate new policy NAME [--tool write|shell] [--js] [--dir DIR]
      .hookgate/policies/NAME.policy.ts: a policy that guards files or, with \`--tool shell\`, commands, with examples.
      Unless hookgate is a dependency of the project, a tsconfig.json is added so that editors find its types

  hookgate new hook NAME [--agent AGENT] [--language node|bash|python] [--dir DIR]
      .hookgate/hooks/NAME: a hook that guards commands, in the format of Claude Code or of another agent, with a test,
      and its entry in .hookgate/hooks.json unless that file exists. For Cline it is .clinerules/hooks/NAME, where NAME
      is the event, PreToolUse

  hookgate new managed [--preset NAME] [--contact TEXT] [--otlp URL] [--dir DIR] [--print]
      The one file of rules for everybody on this machine, which no user loosens, with every key explained: as root in
      /etc/hookgate (on Windows in %ProgramData%\\hookgate), or in DIR, such as a repository of yours

  --js             write the policy in JavaScript
  --dir DIR        the project's folder; default: the current one
  --preset NAME    \`recommended\` (default), \`strict\` or \`observe\`
  --contact TEXT   whom to ask for an exception, shown with each refusal
  --otlp URL       the collector to which the record is sent
  --print          print the file, and write nothing

Existing files are never overwritten. A hook in bash needs jq.

  hookgate new policy no-generated-files
  hookgate test .hookgate/policies/no-generated-files.policy.ts

  hookgate new hook no-force-push
  node --test .hookgate/hooks/no-force-push.test.mjs
`,
  // oxlint-disable-next-line require-await -- exceptions must become rejections
  async run({ argv, cwd, env }) {
    const { values, positionals } = parseFlags('new', argv, flags, true)
    const [kind, name, ...rest] = positionals
    if (kind === undefined) throw usage('new needs `policy`, `hook` or `managed`', 'new')
    if (kind === 'managed') {
      if (name !== undefined) throw usage('new managed takes no name', 'new')
      const { preset = 'recommended', contact, otlp, dir } = values
      const choice = { preset, contact, otlp }
      if (values.print === true) return printed(managedText(choice))
      const { managedFolder } = placesFor({ env })
      return printed(makeManaged(dir === undefined ? managedFolder : resolve(cwd, dir), dir === undefined, choice))
    }
    if (kind !== 'hook' && kind !== 'policy') throw usage(`cannot create a \`${kind}\`, only a policy or a hook`, 'new')
    if (name === undefined || rest.length > 0) throw usage(`new ${kind} takes one name`, 'new')
    const where = { dir: resolve(cwd, values.dir ?? '.'), cwd }
    if (kind === 'policy')
      return printed(
        makePolicy(name, {
          tool: choiceIn('new', 'tool', values.tool, guardedTools) ?? 'write',
          js: values.js === true,
          ...where,
        }),
      )
    const language = choiceIn('new', 'language', values.language, hookLanguages) ?? 'node'
    return printed(await makeHook(name, agentOf(values.agent), language, where))
  },
}

const flags = {
  agent: { type: 'string', default: 'claude-code' },
  language: { type: 'string' },
  tool: { type: 'string' },
  js: { type: 'boolean' },
  dir: { type: 'string' },
  preset: { type: 'string' },
  contact: { type: 'string' },
  otlp: { type: 'string' },
  print: { type: 'boolean' },
} as const

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
function makeManaged(folder: string, isOfMachine: boolean, choice: NewManaged): string {
  const file = join(folder, 'hooks.json')
  refuseExisting(file)
  const text = managedText(choice)
  // Everybody must be able to read it, whatever the umask: who cannot has no rules, and every call is refused.
  const made = existsSync(folder) ? undefined : makeFolders(dirname(file), 0o755)
  if (made !== undefined) chmodSync(folder, 0o755)
  writeNew(file, text, 0o644)
  const check = isOfMachine ? 'hookgate check' : `hookgate check --managed ${file}`
  const next = isOfMachine ? ['      hookgate enable --managed AGENT…, so that agents ask'] : []
  return [`wrote ${file}`, `next: ${check}, which says what it leaves open`, ...next, undoMade([file]), ''].join('\n')
}

/** Returns the text of the file. @throws HookgateError `usage` for a preset that is unknown */
function managedText({ preset, contact, otlp }: NewManaged): string {
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
  // it. The file "root.json" beside this one says whose signatures count. Until some were fetched, calls are refused by
  // "onMissing"; "onStale" says what becomes of them once nothing newer came for weeks.
${line('bundle', { url: 'https://rules.example.com', channel: 'stable', onMissing: 'block' }, false)},

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
