import { existsSync } from 'node:fs'
import { didYouMean } from '../../../words/suggest.ts'
import { choiceOf, printable, quoted } from '../../../model/text.ts'
import { type Command, type CommandOutput, type Invocation, jsonText, printed, usage } from '../../command.ts'
import { HookgateError } from '../../../model/errors.ts'
import { bundlesFolder, pollStateIn } from '../../../bundle/machine/poll-state.ts'
import { homeFolder } from '../../../files/home-folder.ts'
import { localTime } from '../../../words/moment.ts'
import type { BundleInForce } from '../../../model/bundle-settings.ts'
import { bundleInForce } from '../../../rules/bundle-rules.ts'
import { placesFor } from '../../../rules/places.ts'
import { parseFlags } from '../../args/flags.ts'
import { ownPlaces } from '../../args/own-places.ts'
import { bundleLines } from '../../text/rule-lines.ts'

export const bundleCommand: Command = {
  help: `hookgate bundle: signed rules for many machines

The team's side writes a plain folder, REPO, that any static server or object store serves:

  hookgate bundle keys REPO --keys DIR --channel NAME…       make the keys of all roles, and the folder
  hookgate bundle keys REPO --keys DIR --channel NEW…        add channels to a folder that is there
  hookgate bundle keys REPO --keys DIR --renew ROLE          sign root (a year) or targets, a channel… (90 days) anew
  hookgate bundle keys REPO --keys DIR --replace ROLE        take a key out of trust, and make another one
  hookgate bundle make DIR --name NAME --revision R          pack DIR/hooks.json and the policies in DIR, once they load
  hookgate bundle publish REPO FILE --keys DIR --channel C   sign a bundle as the newest one of a channel
  hookgate bundle promote REPO --keys DIR --channel C        sign how far the newest one goes: --percent, --mode
  hookgate bundle revoke REPO --keys DIR --channel C         the kill switch, for 72 hours at most
  hookgate bundle list REPO [--channel C]                    channels, releases, who signed, what a release changes
  hookgate bundle refresh REPO --keys DIR                    sign the timestamp anew: at least once a day, by a timer

  --keys DIR               the folder of the keys, each a file in a folder of its own that only you can read
  --passphrase-file FILE   encrypts new keys, and opens those that are encrypted; or $HOOKGATE_BUNDLE_PASSPHRASE;
                           without either, a terminal asks
  --no-passphrase          keys: new keys are not encrypted: whoever reads a key file signs as its role
  --roots N --threshold N  keys: how many keys the root has, and how many must sign. Default: 3 and 2
  --out FILE               make: default NAME-R.bundle.json.gz
  --params FILE            make: JSON with params for packs and policies of the rules, by their names
  --min-gate VERSION       make: the oldest hookgate that understands it
  --percent N              publish, promote: for how many of a hundred machines. Default of publish: 100
  --mode observe|enforce   publish, promote: whether its rules count. Default of publish: observe
  --dry-run                publish: decide the calls of this machine's record, or else of its agents' sessions, by the
                           bundle, compare that with the newest release, and publish nothing; needs no keys
  --observe [--rule RULE]  revoke: the bundle, or one rule of it, only observes
  --previous               revoke: the release before is in force
  --hours N                revoke: for how long. Default: 24
  --reason TEXT            revoke: shown on the machines
  --lift                   revoke: take it back
  --json                   print the result as JSON

A machine follows a channel by \`"bundle": {"url", "channel"}\` in its managed hooks.json, with REPO/metadata/1.root.json
beside it as root.json:

  hookgate bundle status [--json]    what is in force here, since when, and how fresh it is. Exits with 1 if it is stale
  hookgate bundle fetch [--json]     look at the server now, and say the same

  hookgate bundle make ./rules --name acme --revision 12
  hookgate bundle publish ./repo acme-12.bundle.json.gz --keys ./keys --channel laptops --percent 10
  hookgate bundle promote ./repo --keys ./keys --channel laptops --percent 100 --mode enforce
`,
  async run(invocation) {
    const [name, ...argv] = invocation.argv
    const own = { ...invocation, cwd: invocation.cwd, argv }
    switch (name) {
      case 'keys':
        return (await import('./publish.ts')).bundleKeys(own)
      case 'make':
        return (await import('./make.ts')).bundleMake(own)
      case 'publish':
        if (argv.includes('--dry-run')) return (await import('./inspect.ts')).tryPublish(own)
        return (await import('./publish.ts')).bundlePublish(name, own)
      case 'promote':
      case 'revoke':
      case 'refresh':
        return (await import('./publish.ts')).bundlePublish(name, own)
      case 'list':
        return (await import('./inspect.ts')).bundleList(own)
      case 'status':
        return bundleStatus(own)
      case 'fetch':
        return bundleFetch(own)
      case undefined:
        throw usage(`bundle needs ${choiceOf(actions)}`, 'bundle')
      default: {
        const remedy = didYouMean(name, actions) ?? 'see `hookgate bundle --help`'
        throw new HookgateError('usage', `bundle cannot ${quoted(name)}`, { remedy })
      }
    }
  },
}

const actions = ['keys', 'make', 'publish', 'promote', 'revoke', 'refresh', 'list', 'status', 'fetch'] as const

/** `hookgate bundle status`: what is in force on this machine, and how fresh it is. */
export async function bundleStatus({ argv, env, cwd }: Invocation): Promise<CommandOutput> {
  const { values } = parseFlags('bundle', argv, { json: { type: 'boolean' }, 'unless-busy': { type: 'boolean' } })
  const stateFolder = ownPlaces(env).folder
  const places = placesFor({ env, cwd, home: homeFolder(env['HOME']), stateFolder })
  const inForce: BundleInForce | undefined = await bundleInForce(places)
  if (inForce === undefined) {
    const file = `${places.managedFolder}/hooks.json`
    const why = existsSync(file) ? `${file} has no \`bundle\`` : `there is no ${file}`
    const none = `this machine follows no channel: ${why}\n`
    return printed(values.json === true ? jsonText(null, 2) : none)
  }
  const { state, settings } = inForce
  const last = pollStateIn(bundlesFolder(stateFolder))
  const exitCode = state.freshness === 'fresh' && state.problem === undefined ? 0 : 1
  if (values.json === true)
    return printed(jsonText({ ...state, url: settings.url, lastLook: last ?? null }, 2), exitCode)
  const text = [...bundleLines(state), `  server     ${settings.url}`, ...lookLines(last)]
  return printed(text.map((line) => `${printable(line)}\n`).join(''), exitCode)
}

/** `hookgate bundle fetch`: looks at the server now, and says what is in force then. */
async function bundleFetch(invocation: Invocation): Promise<CommandOutput> {
  const { env, cwd } = invocation
  const { bundleMeans } = await import('../../../gate/first-look.ts')
  const { lookNow } = await import('../../../bundle/machine/poller.ts')
  const where = { env, cwd, home: homeFolder(env['HOME']), stateFolder: ownPlaces(env).folder }
  const inForce = await bundleInForce(placesFor(where))
  if (invocation.argv.includes('--unless-busy') && (await isLooking(bundlesFolder(where.stateFolder))))
    return printed('')
  const { signal } = new AbortController()
  const look = inForce === undefined ? undefined : await lookNow(inForce, signal, bundleMeans(where, signal))
  const after = await bundleStatus(invocation)
  return look?.problem === undefined ? after : { ...after, exitCode: 1 }
}

/** Returns whether another process looks at the server for the same folder. */
async function isLooking(folder: string): Promise<boolean> {
  const { pollLock } = await import('../../../bundle/machine/poll.ts')
  const lock = pollLock(folder)
  lock?.release()
  return lock === undefined
}

function lookLines(last: ReturnType<typeof pollStateIn>): readonly string[] {
  if (last === undefined) return ['  last look  never: `hookgate bundle fetch` looks now']
  const { checkedAt, problem, notes, activated } = last
  return [
    `  last look  ${localTime(Date.parse(checkedAt))}${problem === undefined ? '' : `, failed: ${problem}`}`,
    ...(activated === undefined ? [] : [`  since      ${localTime(Date.parse(activated.at))}`]),
    ...notes.map((note) => `  note       ${note}`),
  ]
}
