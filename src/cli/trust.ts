import { relative, resolve } from 'node:path'
import { printable } from '../model/text.ts'
import {
  listTrust,
  placesFor,
  readRules,
  revokeTrust,
  type RulesOptions,
  trustWorkspace,
  type TrustedWorkspace,
} from '../rules/index.ts'
import type { PolicyLoader } from '../model/policy-loading.ts'
import type { Rule } from '../model/rule.ts'
import { type Command, jsonText, type CommandOutput, printed, usage } from './command.ts'
import { parseFlags } from './flags.ts'
import { withPolicies } from './with-policies.ts'

export const trustCommand: Command = {
  summary: 'pin the rules of a workspace, so that its hooks run and its policies count in full',
  help: `hookgate trust: pin the rules of a workspace, so that its hooks run and its policies count in full

  hookgate trust [DIR]            pin the files that the rules of DIR (default: here) consist of, as they are now
  hookgate trust --revoke [DIR]   remove the pins
  hookgate trust --list           everything that is pinned

Rules inside a workspace may come with a cloned repository. Their hooks run only once the SHA-256 of the rules file, and
of each script and policy inside the workspace, is pinned. Until then policies are evaluated, but what they allow,
rewrite or tell the model does not count. When a file changes, review it and trust it again. Review the listed files
before you trust them: what a script itself loads is not pinned.

  --json                          the same, as JSON

Exits with 1 if a hook still will not run, because its text does not say which files it runs. The pins are kept in
~/.config/hookgate/trust.json, which only you can read.

  hookgate check && hookgate trust
`,
  async run({ argv, env, cwd }) {
    const { values, positionals } = parseFlags('trust', argv, flags, true)
    const [folder = '.', ...surplus] = positionals
    if (surplus.length > 0) throw usage('trust takes one folder', 'trust')
    if (values.list === true && values.revoke === true) throw usage('--list and --revoke cannot be combined', 'trust')
    const options = { env, cwd }
    if (values.list === true) return listed(listTrust(options), values.json === true, 'nothing is trusted')
    if (values.revoke === true) return revoked(resolve(cwd, folder), revokeTrust(folder, options), values.json === true)
    const none = `there are no hooks in ${resolve(cwd, folder)} that need to be trusted`
    return withPolicies(async (policies) => {
      const pinned = listed(await trustWorkspace(folder, options, policies), values.json === true, none)
      const stderr = await leftOut(resolve(cwd, folder), options, policies)
      return { ...pinned, stderr, exitCode: stderr === '' ? 0 : 1 }
    })
  },
}

const flags = { list: { type: 'boolean' }, revoke: { type: 'boolean' }, json: { type: 'boolean' } } as const

/** Lists hooks that still do not run, so that a person who has just trusted the workspace does not rely on them. */
async function leftOut(root: string, options: RulesOptions, policies: PolicyLoader): Promise<string> {
  const { ruleSet } = await readRules(placesFor(options), [root], policies)
  return ruleSet.rules
    .flatMap((rule) => {
      const why = untrustedText(rule)
      return why === undefined ? [] : [`hookgate: ${printable(`${rule.id}: ${why}`)}\n`]
    })
    .join('')
}

function listed(workspaces: readonly TrustedWorkspace[], asJson: boolean, none: string): CommandOutput {
  if (asJson) return printed(jsonText(workspaces, 2))
  if (workspaces.length === 0) return printed(`${none}\n`)
  return printed(
    workspaces
      .flatMap(({ root, trustedAt, files }) => [
        `${root}   pinned ${trustedAt}`,
        ...files.map((file) => `  ${relative(root, resolve(root, file))}`),
        '',
      ])
      .map((line) => `${printable(line)}\n`)
      .join(''),
  )
}

function revoked(folder: string, was: boolean, asJson: boolean): CommandOutput {
  if (asJson) return printed(`${JSON.stringify({ root: folder, revoked: was })}\n`)
  return printed(was ? `${folder} is no longer trusted\n` : `${folder} was not trusted\n`)
}

/** Says how an untrusted rule is handled, and why; `undefined` for a trusted rule. */
export function untrustedText({ handler, untrustedReason }: Rule): string | undefined {
  if (untrustedReason === undefined) return undefined
  switch (handler.kind) {
    case 'command':
      return `this hook will not run: ${untrustedReason}`
    case 'policy':
      return `this policy can only tighten: ${untrustedReason}`
    case 'builtin':
      return `this rule can only tighten: ${untrustedReason}`
  }
}
