import { join } from 'node:path'
import { isRepository, type Repository } from '../../../bundle/team/repository.ts'
import { addChannels, makeRepository, type Signing } from '../../../bundle/team/roles.ts'
import { renew, replaceKey } from '../../../bundle/team/rotate.ts'
import { printable } from '../../../model/text.ts'
import { parseFlags } from '../../args/flags.ts'
import { type CommandOutput, type Invocation, jsonText, printed, usage } from '../../command.ts'
import { channelsOf, repositoryAt, signingFlags, signingOf, wholeOf } from './signing.ts'

const flags = {
  ...signingFlags,
  channel: { type: 'string', multiple: true },
  roots: { type: 'string' },
  threshold: { type: 'string' },
  renew: { type: 'string' },
  replace: { type: 'string' },
} as const

/** `hookgate bundle keys`: makes keys and the folder, adds channels, renews the root, replaces a key. */
// oxlint-disable-next-line require-await -- exceptions must become rejections
export async function bundleKeys({ argv, env, cwd }: Invocation): Promise<CommandOutput> {
  const { values, positionals } = parseFlags('bundle', argv, flags, true)
  const repository = repositoryAt(positionals, cwd, 'keys')
  const signing = signingOf(values, { env, cwd })
  const channels = channelsOf(values.channel ?? [])
  const done = (text: string, report: object) => printed(values.json === true ? jsonText(report, 2) : printable(text))
  if (values.renew !== undefined) {
    const version = renew(repository, values.renew, signing)
    return done(`signed ${values.renew} anew, as version ${version}\n`, { role: values.renew, version })
  }
  if (values.replace !== undefined) {
    const retired = replaceKey(repository, values.replace, signing)
    const old = retired === undefined ? '' : `the old key, which no machine trusts any more, is ${retired}\n`
    return done(`${values.replace} has a new key\n${old}`, { role: values.replace, retired: retired ?? null })
  }
  if (isRepository(repository)) {
    if (channels.length === 0)
      throw usage('name channels with --channel, or a role with --renew or --replace', 'bundle')
    const added = addChannels(repository, channels, signing)
    return done(`added ${added.join(', ')}\n`, { added })
  }
  const roots = wholeOf('roots', values.roots, [1, 16]) ?? 3
  const threshold = wholeOf('threshold', values.threshold, [1, roots]) ?? Math.min(2, roots)
  const made = makeRepository(repository, { roots, threshold }, channels, signing)
  return done(newText(repository, signing, made, threshold), { made, pinned: pinnedIn(repository) })
}

const pinnedIn = ({ folder }: Repository) => join(folder, 'metadata', '1.root.json')

function newText(repository: Repository, { keys, passphrase }: Signing, made: readonly string[], threshold: number) {
  const roots = made.filter((role) => /^root-\d+$/.test(role))
  return [
    `made ${made.length} keys in ${keys}${passphrase === undefined ? ', not encrypted' : ', encrypted'}:`,
    `  ${roots.join(', ')}: ${threshold} of them sign the root. Keep each apart, offline, and none on a server`,
    `  targets: signs which channels there are. Offline too`,
    `  ${made.filter((role) => role.startsWith('channel-') || role === 'switch').join(', ') || 'switch'}: for teams`,
    `  snapshot, timestamp: sign each publication; with the machine that publishes`,
    `machines pin ${pinnedIn(repository)}: put it beside the managed hooks.json as root.json`,
    '',
  ].join('\n')
}
