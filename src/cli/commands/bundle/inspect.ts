import { readBundle } from '../../../bundle/document.ts'
import { type ListedChannel, listChannels, newestBundle } from '../../../bundle/team/list.ts'
import type { Release } from '../../../bundle/names.ts'
import { existsSync } from 'node:fs'
import { printable } from '../../../model/text.ts'
import { ownPlaces } from '../../args/own-places.ts'
import { parseFlags } from '../../args/flags.ts'
import { type CommandOutput, type Invocation, jsonText, printed } from '../../command.ts'
import { replayCommand } from '../replay/replay.ts'
import { bundleFolder } from './bundle-rules-folder.ts'
import { bytesOf, channelOf, publishFlags, releaseText, repositoryAt, switchText } from './publish.ts'

/** Differences of two releases that a person is shown; the rest is counted. */
const differencesShown = 20

/** `hookgate bundle list`: the channels of a folder, what is published in each, and who signed it. */
// oxlint-disable-next-line require-await -- exceptions must become rejections
export async function bundleList({ argv, cwd }: Invocation): Promise<CommandOutput> {
  const { values, positionals } = parseFlags(
    'bundle',
    argv,
    { channel: { type: 'string' }, json: { type: 'boolean' } },
    true,
  )
  const wanted = values.channel === undefined ? undefined : channelOf(values.channel)
  const all = listChannels(repositoryAt(positionals, cwd, 'list'), Date.now())
  const channels = all.filter(({ channel }) => wanted === undefined || channel === wanted)
  const exitCode = channels.length === 0 || channels.some(({ problem }) => problem !== undefined) ? 1 : 0
  if (values.json === true) return printed(jsonText(channels, 2), exitCode)
  const none = wanted === undefined ? 'there is no channel' : `there is no channel ${wanted}`
  const lines = channels.length === 0 ? [none] : channels.flatMap(channelLines)
  return printed(lines.map((line) => `${printable(line)}\n`).join(''), exitCode)
}

function channelLines(listed: ListedChannel): readonly string[] {
  const { channel, newest, previous, signed, switches, differences, problem } = listed
  const more = differences.length - differencesShown
  return [
    channel,
    `  newest    ${newest === null ? 'nothing is published' : releaseText(newest)}`,
    ...(previous === null ? [] : [`  before    ${olderText(previous)}`]),
    `  signed    by ${signed.role}, key ${signed.keyid.slice(0, 12)}, until ${signed.expires}`,
    ...switches.map((one) => `  switch    ${switchText(channel, one)}${one.reason === '' ? '' : `: ${one.reason}`}`),
    ...(problem === undefined ? [] : [`  problem   ${problem}`]),
    ...(differences.length === 0 ? [] : ['  the newest one, compared with the one before:']),
    ...differences.slice(0, differencesShown).map((line) => `    ${line}`),
    ...(more > 0 ? [`    and ${more} more: \`--json\` has all`] : []),
  ]
}

const olderText = ({ name, revision, mode }: Release) => `${name} ${revision}: ${mode}`

/** `hookgate bundle publish --dry-run`: decides the calls of the record by a bundle, and publishes nothing. */
export async function tryPublish(invocation: Invocation): Promise<CommandOutput> {
  const { values, positionals } = parseFlags(
    'bundle',
    invocation.argv,
    { ...publishFlags, 'dry-run': { type: 'boolean' } },
    true,
  )
  const repository = repositoryAt(positionals, invocation.cwd, 'publish')
  const asJson = values.json === true
  const channel = channelOf(values.channel)
  const bundle = readBundle(bytesOf(positionals[1], invocation.cwd), positionals[1])
  const newest = newestBundle(repository, channel)
  const now = bundleFolder(bundle)
  const before = newest === undefined ? undefined : bundleFolder(newest)
  try {
    const against = before === undefined ? [] : ['--against', before.folder]
    const hasRecord = existsSync(ownPlaces(invocation.env).decisions)
    const argv = [
      '--from',
      hasRecord ? 'record' : 'sessions',
      '--rules',
      now.folder,
      ...against,
      ...(asJson ? ['--json'] : []),
    ]
    const done = await replayCommand.run({ ...invocation, argv })
    const named = (text: string) => now.named(before?.named(text) ?? text)
    const compared = newest === undefined ? '' : `, compared with ${newest.name} ${newest.revision}`
    const first = `nothing was published; the calls ${hasRecord ? 'of this record' : 'in the sessions of agents here'} by ${bundle.name} ${bundle.revision}${compared}:\n`
    return { ...done, stdout: `${asJson ? '' : printable(first)}${named(done.stdout)}`, stderr: named(done.stderr) }
  } finally {
    now.remove()
    before?.remove()
  }
}
