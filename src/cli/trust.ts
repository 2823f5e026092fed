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
import { openToolFacts } from '../facts/tool-call.ts'
import { openPolicyLoader } from '../policy/compile/policy-loader.ts'
import type { PolicyLoader } from '../model/policy-loading.ts'
import { openSandbox } from '../policy/open-sandbox.ts'
import { type Command, jsonText, type Printed, printed } from './command.ts'
import { untrustedText } from './untrusted-text.ts'
import { parseFlags, usage } from './flags.ts'

export const trust: Command = {
  summary: 'pin the rules of a workspace, so that its hooks run and its policies count in full',
  help: `hookgate trust: pin the rules of a workspace, so that its hooks run and its policies count in full

  hookgate trust [DIR]            pin the files that the rules of DIR (default: here) consist of, as they are now
  hookgate trust --revoke [DIR]   remove the pins
  hookgate trust --list           everything that is pinned

Rules inside a workspace come with somebody's repository. Their hooks run only once the SHA-256 of the rules file, and
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
    const asked = { env, cwd }
    if (values.list === true) return listed(listTrust(asked), values.json === true, 'nothing is trusted')
    if (values.revoke === true) return revoked(resolve(cwd, folder), revokeTrust(folder, asked), values.json === true)
    const none = `there are no hooks in ${resolve(cwd, folder)} that need to be trusted`
    const sandbox = openSandbox('process', openToolFacts())
    try {
      const policies = openPolicyLoader(sandbox)
      const pinned = listed(await trustWorkspace(folder, asked, policies), values.json === true, none)
      const stderr = await leftOut(resolve(cwd, folder), asked, policies)
      return { ...pinned, stderr, exitCode: stderr === '' ? 0 : 1 }
    } finally {
      await sandbox.close()
    }
  },
}

const flags = { list: { type: 'boolean' }, revoke: { type: 'boolean' }, json: { type: 'boolean' } } as const

/** Lists hooks that still do not run, so that a person who has just trusted the workspace does not rely on them. */
async function leftOut(root: string, asked: RulesOptions, policies: PolicyLoader): Promise<string> {
  const { ruleSet } = await readRules(placesFor(asked), [root], policies)
  return ruleSet.rules
    .flatMap((rule) => {
      const why = untrustedText(rule)
      return why === undefined ? [] : [`hookgate: ${printable(`${rule.id}: ${why}`)}\n`]
    })
    .join('')
}

function listed(workspaces: readonly TrustedWorkspace[], asJson: boolean, none: string): Printed {
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

function revoked(folder: string, was: boolean, asJson: boolean): Printed {
  if (asJson) return printed(`${JSON.stringify({ root: folder, revoked: was })}\n`)
  return printed(was ? `${folder} is no longer trusted\n` : `${folder} was not trusted\n`)
}
