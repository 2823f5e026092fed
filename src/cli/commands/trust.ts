import { serverText } from '../../rules/server-text.ts'
import { relative, resolve } from 'node:path'
import type { FileChanges } from '../../model/file-changes.ts'
import { localTime } from '../../model/local-time.ts'
import { printable } from '../../model/text.ts'
import {
  listTrust,
  placesFor,
  readRules,
  revokeTrust,
  type RulesOptions,
  trustWorkspace,
  type TrustedWorkspace,
  type TrustFileChange,
} from '../../rules/index.ts'
import type { PolicyLoader } from '../../model/policy-loading.ts'
import type { Rule } from '../../model/rule.ts'
import { type Command, jsonText, type CommandOutput, printed, usage } from '../command.ts'
import { printChanges } from '../text/file-changes.ts'
import { parseFlags } from '../args/flags.ts'
import { programText } from '../text/rule-lines.ts'
import { withPolicies } from '../../install/with-policies.ts'

export const trustCommand: Command = {
  summary: 'pin the rules of a workspace, so that its hooks run and its policies count in full',
  help: `hookgate trust: pin the rules of a workspace, so that its hooks run and its policies count in full

  hookgate trust [DIR]            pin the files that the rules of DIR (default: here) consist of, as they are now
  hookgate trust --revoke [DIR]   remove the pins
  hookgate trust --list           everything that is pinned

Rules inside a workspace may come with a cloned repository. Their hooks run only once the SHA-256 of the rules file, and
of each script and policy inside the workspace, is pinned. Until then policies are evaluated, but what they allow,
rewrite or tell the model does not count. When a file changes, review it and trust it again. Review the listed files
and commands before you trust them (--dry-run lists them too): what a script itself loads is not pinned.

  --dry-run                       with and without \`--revoke\`: show how the pins would change, and change nothing
  --json                          the same, as JSON; of a change \`changed\`, \`files\` with their \`diff\`, \`notes\`

Exits with 1 if a hook still will not run, because its text does not say which files it runs. The pins are kept in
~/.config/hookgate/trust.json, which only you can read.

  hookgate check && hookgate trust
`,
  async run({ argv, env, cwd }) {
    const { values, positionals } = parseFlags('trust', argv, flags, true)
    const [folder = '.', ...surplus] = positionals
    if (surplus.length > 0) throw usage('trust takes one folder', 'trust')
    if (values.list === true && values.revoke === true) throw usage('--list and --revoke cannot be combined', 'trust')
    const [isDry, asJson] = [values['dry-run'] === true, values.json === true]
    if (values.list === true) return listed(listTrust({ env, cwd }), asJson)
    const root = resolve(cwd, folder)
    let change: TrustFileChange | undefined
    const onChange = (one: TrustFileChange) => {
      change = one
    }
    const options = { env, cwd, isDry, onChange }
    const print = async (notes: readonly string[], more: object) =>
      printChanges(await changesOf(change, isDry, notes), { asJson, more })
    if (values.revoke === true) {
      const was = revokeTrust(folder, options)
      if (asJson || isDry) return print([], { root, revoked: was && !isDry })
      return printed(was ? `${root} is no longer trusted\n` : `${root} was not trusted\n`)
    }
    return withPolicies(async (policies) => {
      const workspaces = await trustWorkspace(folder, options, policies)
      // Hooks are known to run only once they are pinned.
      const rules = workspaces.length === 0 ? [] : await rulesOf(root, options, policies)
      const left = isDry ? [] : leftOut(rules)
      const runs = rules.flatMap(runLines)
      const none = `there are no hooks in ${root} that need to be trusted\n`
      const text = workspaces.length === 0 ? none : trustText(workspaces) + printable(joinedLines(runs))
      const { stdout } = asJson || isDry ? await print([...left, ...runs], { workspaces }) : printed(text)
      const stderr = left.map((line) => `hookgate: ${printable(line)}\n`).join('')
      return { stdout, stderr, exitCode: stderr === '' ? 0 : 1 }
    })
  },
}

const flags = {
  list: { type: 'boolean' },
  revoke: { type: 'boolean' },
  'dry-run': { type: 'boolean' },
  json: { type: 'boolean' },
} as const

async function changesOf(
  change: TrustFileChange | undefined,
  isDry: boolean,
  notes: readonly string[],
): Promise<FileChanges> {
  if (change === undefined) return { changed: false, files: [], copies: [], notes }
  // Loaded late: a trust that is only carried out does not need it.
  const { diffText } = await import('../../install/preview.ts')
  const { file, before, after } = change
  const present = before === undefined ? undefined : { bytes: before }
  return { changed: !isDry, files: [{ file, diff: diffText({ file, looked: { present }, after }) }], copies: [], notes }
}

async function rulesOf(root: string, options: RulesOptions, policies: PolicyLoader): Promise<readonly Rule[]> {
  return (await readRules(placesFor(options), [root], policies)).ruleSet.rules
}

/** Lists hooks that still do not run, so that a person who has just trusted the workspace does not rely on them. */
const leftOut = (rules: readonly Rule[]) =>
  rules.flatMap((rule) => {
    const why = untrustedText(rule)
    return why === undefined ? [] : [`${rule.id}: ${why}`]
  })

/** Says which program a hook of a workspace runs, and when. */
function runLines({ source, match, handler }: Rule): readonly string[] {
  if (source.workspaceRoot === undefined) return []
  if (handler.kind === 'remote') return [`at ${match.spelled}: ${serverText(handler)}`]
  if (handler.kind !== 'command') return []
  return [`runs at ${match.spelled}: ${programText(handler.program)}`]
}

const joinedLines = (lines: readonly string[]) => lines.map((line) => `${line}\n`).join('')

function listed(workspaces: readonly TrustedWorkspace[], asJson: boolean): CommandOutput {
  if (asJson) return printed(jsonText(workspaces, 2))
  return printed(workspaces.length === 0 ? 'nothing is trusted\n' : trustText(workspaces))
}

const trustText = (workspaces: readonly TrustedWorkspace[]) =>
  workspaces
    .flatMap(({ root, trustedAt, files }) => [
      `${root}   pinned ${localTime(Date.parse(trustedAt))}`,
      ...files.map((file) => `  ${relative(root, resolve(root, file))}`),
      '',
    ])
    .map((line) => `${printable(line)}\n`)
    .join('')

/** Says how an untrusted rule is handled, and why; `undefined` for a trusted rule. */
export function untrustedText({ handler, untrustedReason }: Rule): string | undefined {
  if (untrustedReason === undefined) return undefined
  switch (handler.kind) {
    case 'command':
      return `this hook will not run: ${untrustedReason}`
    case 'remote':
      return `this server will not be asked: ${untrustedReason}`
    case 'policy':
      return `this policy can only tighten: ${untrustedReason}`
    case 'builtin':
      return `this rule can only tighten: ${untrustedReason}`
  }
}
