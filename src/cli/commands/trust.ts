import { relative, resolve } from 'node:path'
import { revokeFolder, trustFolder } from '../../changes/trust.ts'
import { localTime } from '../../words/moment.ts'
import { printable, shellWord } from '../../model/text.ts'
import { listTrust, type TrustedWorkspace } from '../../rules/index.ts'
import { type Command, type CommandOutput, jsonText, printed, usage } from '../command.ts'
import { consentTo, declined, diffOf, printChanges } from '../consent.ts'
import { parseFlags } from '../args/flags.ts'
import type { FileChanges } from '../../model/file-changes.ts'
import { linesText } from '../text/layout.ts'

export const trustCommand: Command = {
  help: `hookgate trust: pin the rules of a workspace, so that its hooks run and its policies count in full

  hookgate trust [DIR]            pin the files that the rules of DIR (default: here) consist of, as they are now
  hookgate trust --revoke [DIR]   remove the pins
  hookgate trust --list           everything that is pinned

Rules inside a workspace may come with a cloned repository. Their hooks run only once the SHA-256 of the rules file, and
of each script and policy inside the workspace, is pinned. Until then policies are evaluated, but what they allow,
rewrite or tell the model does not count. When a file changes, review it and trust it again. Review the listed files
and commands before you trust them (--dry-run lists them too): what a script itself loads is not pinned.

  --dry-run                       with and without \`--revoke\`: show how the pins would change, and change nothing
  --yes                           do it without asking: at a terminal, the files and commands are shown first
  --json                          the same, as JSON; of a change \`changed\`, \`files\` with their \`diff\`, \`notes\`

Exits with 1 if a hook still will not run, because its text does not say which files it runs. The pins are kept in
~/.config/hookgate/trust.json, which only you can read.

  hookgate check && hookgate trust
`,
  async run({ argv, env, cwd, ask }) {
    const { values, positionals } = parseFlags('trust', argv, flags, true)
    const [folder = '.', ...surplus] = positionals
    if (surplus.length > 0) throw usage('trust takes one folder', 'trust')
    if (values.list === true && values.revoke === true) throw usage('--list and --revoke cannot be combined', 'trust')
    const [isDry, asJson] = [values['dry-run'] === true, values.json === true]
    if (values.list === true) return listed(listTrust({ env, cwd }), asJson)
    const root = resolve(cwd, folder)
    const site = { env, cwd }
    const isAgreed = async (plan: () => Promise<{ readonly changes: FileChanges }>) => {
      if (ask === undefined || isDry || asJson) return true
      const { changes } = await plan()
      return (
        changes.files.length === 0 ||
        consentTo({ ask, yes: values.yes, shown: diffOf(changes) + printable(linesText(changes.notes)) })
      )
    }
    if (values.revoke === true) {
      if ((await isAgreed(() => revokeFolder(folder, site, true))) === false) return declined
      const { changes, wasTrusted } = await revokeFolder(folder, site, isDry)
      if (asJson || isDry) return printChanges(changes, { asJson, more: { root, revoked: wasTrusted && !isDry } })
      return printed(
        wasTrusted
          ? `${root} is no longer trusted\nundo: \`hookgate trust ${shellWord(root)}\`\n`
          : `${root} was not trusted\n`,
      )
    }
    if ((await isAgreed(() => trustFolder(folder, site, true))) === false) return declined
    const { changes, workspaces, runs, left } = await trustFolder(folder, site, isDry)
    const undo = `undo: \`hookgate trust --revoke ${shellWord(root)}\`\n`
    const none = `there are no hooks in ${root} that need to be trusted\n`
    const text = workspaces.length === 0 ? none : trustText(workspaces) + printable(linesText(runs)) + undo
    const { stdout } = asJson || isDry ? printChanges(changes, { asJson, more: { workspaces } }) : printed(text)
    const stderr = left.map((line) => `hookgate: ${printable(line)}\n`).join('')
    return { stdout, stderr, exitCode: stderr === '' ? 0 : 1 }
  },
}

const flags = {
  list: { type: 'boolean' },
  revoke: { type: 'boolean' },
  'dry-run': { type: 'boolean' },
  yes: { type: 'boolean' },
  json: { type: 'boolean' },
} as const

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
