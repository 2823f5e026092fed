import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { bundleError, type Release, type Switch } from '../../../bundle/names.ts'
import { promote, publish, throwSwitch } from '../../../bundle/team/publish.ts'
import {
  isRepository,
  readRoot,
  readTargets,
  readTimestamp,
  refresh,
  type Repository,
} from '../../../bundle/team/repository.ts'
import { addChannels, makeRepository, onlineKeys, type Signing } from '../../../bundle/team/roles.ts'
import { isAnyEncrypted, rolesIn } from '../../../bundle/team/keys.ts'
import { whyFailed } from '../../../files/disk.ts'
import { limits } from '../../../model/limits.ts'
import { printable, quoted } from '../../../model/text.ts'
import { choiceIn, parseFlags } from '../../args/flags.ts'
import { type CommandOutput, type Invocation, jsonText, printed, usage } from '../../command.ts'
import { bundleBytes } from './bundle-rules-folder.ts'
import { renew, replaceKey } from '../../../bundle/team/rotate.ts'
import { ChannelName } from '../../../model/bundle-settings.ts'

/** The flags of every command that signs. */
export const signingFlags = {
  keys: { type: 'string' },
  'passphrase-file': { type: 'string' },
  'no-passphrase': { type: 'boolean' },
  json: { type: 'boolean' },
} as const

const keyFlags = {
  ...signingFlags,
  channel: { type: 'string', multiple: true },
  roots: { type: 'string' },
  threshold: { type: 'string' },
  renew: { type: 'string' },
  replace: { type: 'string' },
} as const

/** `hookgate bundle keys`: makes keys and the folder, adds channels, renews the root, replaces a key. */
export async function bundleKeys(invocation: Invocation): Promise<CommandOutput> {
  const { argv, cwd } = invocation
  const { values, positionals } = parseFlags('bundle', argv, keyFlags, true)
  const repository = repositoryAt(positionals, cwd, 'keys')
  const channels = channelsOf(values.channel ?? [])
  const roots = wholeOf('roots', values.roots, [1, 16]) ?? 3
  const threshold = wholeOf('threshold', values.threshold, [1, roots]) ?? Math.min(2, roots)
  const signing = await signingOf(values, invocation, true)
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
  const made = makeRepository(repository, { roots, threshold }, channels, signing)
  return done(newText(repository, signing, made, threshold), { made, pinned: pinnedIn(repository) })
}

const pinnedIn = ({ folder }: Repository) => join(folder, 'metadata', '1.root.json')

function newText(repository: Repository, { keys, passphrase }: Signing, made: readonly string[], threshold: number) {
  const roots = made.filter((role) => /^root-\d+$/.test(role))
  return [
    `made ${made.length} keys in ${keys}, each in a folder of its own, ${passphrase === undefined ? 'not encrypted: whoever reads a file signs as its role' : 'encrypted by the passphrase'}:`,
    `  ${roots.join(', ')}: ${threshold} of them sign the root. Keep each apart, offline, and none on a server`,
    `  targets: signs which channels there are. Offline too`,
    `  ${made.filter((role) => role.startsWith('channel-') || role === 'switch').join(', ') || 'switch'}: for teams`,
    `  snapshot, timestamp: sign each publication; with the machine that publishes`,
    `machines pin ${pinnedIn(repository)}: put it beside the managed hooks.json as root.json`,
    '',
  ].join('\n')
}

interface SigningValues {
  readonly keys?: string
  readonly 'passphrase-file'?: string
  readonly 'no-passphrase'?: boolean
}

type PassphraseSource = Pick<Invocation, 'env' | 'cwd' | 'askHidden'>

/** Returns where the keys are, and the passphrase: a file, a variable or a person, since others can read a command line. */
async function signingOf(values: SigningValues, asking: PassphraseSource, makesKeys = false): Promise<Signing> {
  if (values.keys === undefined) throw usage('--keys names the folder of the keys', 'bundle')
  const keys = resolve(asking.cwd, values.keys)
  return { keys, passphrase: await passphraseFor(keys, values, asking, makesKeys), nowMs: Date.now() }
}

/** Keys of an empty folder get a passphrase unless that is declined; others are as they are. */
async function passphraseFor(
  keys: string,
  values: SigningValues,
  { env, cwd, askHidden }: PassphraseSource,
  makesKeys: boolean,
): Promise<string | undefined> {
  const file = values['passphrase-file']
  const given = file === undefined ? env['HOOKGATE_BUNDLE_PASSPHRASE'] : passphraseIn(resolve(cwd, file))
  if (values['no-passphrase'] === true) {
    if (file === undefined) return undefined
    throw usage('--passphrase-file and --no-passphrase exclude each other', 'bundle')
  }
  const isFirst = makesKeys && rolesIn(keys).length === 0
  if (given !== undefined && given !== '') return isFirst ? longEnough(given) : given
  if (!isFirst) return isAnyEncrypted(keys) ? await askHidden?.(`passphrase of the keys in ${keys}: `) : undefined
  if (askHidden === undefined) {
    const remedy =
      'name one with `--passphrase-file FILE`, or add `--no-passphrase`: then whoever reads a key file signs as its role'
    throw bundleError('bundleKey', 'new keys need a passphrase, and there is no terminal to ask at', remedy)
  }
  const passphrase = await askHidden('passphrase for the new keys: ')
  if (passphrase === '') throw bundleError('bundleKey', 'there is no passphrase', 'type one, or add `--no-passphrase`')
  longEnough(passphrase)
  if ((await askHidden('the same again: ')) === passphrase) return passphrase
  throw bundleError('bundleKey', 'the two passphrases differ: nothing was made', 'run it again')
}

/** Characters of a passphrase: two or three words. Each try takes scrypt a while, so nobody tries all that are as long. */
const passphraseCharactersMin = 12

function longEnough(passphrase: string): string {
  if (passphrase.length >= passphraseCharactersMin) return passphrase
  const message = `a passphrase needs ${passphraseCharactersMin} characters or more, since whoever has a key file can try shorter ones until one fits`
  throw bundleError('bundleKey', message, 'take several words')
}

function passphraseIn(file: string): string {
  try {
    const text = readFileSync(file, 'utf8').replace(/\r?\n$/, '')
    if (text !== '' && text.length <= limits.bundleKeyBytesMax) return text
  } catch (error) {
    throw bundleError('bundleKey', `the passphrase cannot be read: ${whyFailed(error)}`, 'name another file', file)
  }
  throw bundleError('bundleKey', 'there is no passphrase in it', 'write one line of text into it', file)
}

/** Returns the repository that the first word names. */
export function repositoryAt(words: readonly string[], cwd: string, action: string): Repository {
  const [folder] = words
  if (folder === undefined) throw usage(`bundle ${action} needs the folder of the repository`, 'bundle')
  return { folder: resolve(cwd, folder) }
}

/** Returns the names of channels. @throws HookgateError `usage` */
function channelsOf(names: readonly string[]): readonly string[] {
  for (const name of names) {
    const checked = ChannelName.safeParse(name)
    if (!checked.success) throw usage(`the channel ${quoted(name)} ${checked.error.issues[0]?.message ?? ''}`, 'bundle')
  }
  return names
}

export function channelOf(name: string | undefined): string {
  if (name === undefined) throw usage('--channel names the channel', 'bundle')
  return channelsOf([name])[0] ?? name
}

/** Returns a whole number in a range. @throws HookgateError `usage` */
export function wholeOf(flag: string, text: string | undefined, [min, max]: readonly [number, number]) {
  if (text === undefined) return undefined
  const number = Number(text)
  if (/^\d+$/.test(text) && number >= min && number <= max) return number
  throw usage(`--${flag} must be a whole number from ${min} to ${max}, not ${quoted(text)}`, 'bundle')
}

export const publishFlags = {
  ...signingFlags,
  channel: { type: 'string' },
  percent: { type: 'string' },
  mode: { type: 'string' },
  observe: { type: 'boolean' },
  rule: { type: 'string' },
  previous: { type: 'boolean' },
  hours: { type: 'string' },
  reason: { type: 'string' },
  lift: { type: 'boolean' },
} as const

type Values = ReturnType<typeof parseFlags<typeof publishFlags>>['values']

/** `hookgate bundle publish`, `promote`, `revoke` and `refresh`: all that signs anew what machines see. */
export async function bundlePublish(
  action: 'publish' | 'promote' | 'revoke' | 'refresh',
  invocation: Invocation,
): Promise<CommandOutput> {
  const { argv, cwd } = invocation
  const { values, positionals } = parseFlags('bundle', argv, publishFlags, true)
  const repository = repositoryAt(positionals, cwd, action)
  const signing = await signingOf(values, invocation)
  const percent = wholeOf('percent', values.percent, [0, 100])
  const mode = choiceIn('bundle', 'mode', values.mode, ['observe', 'enforce'])
  const done = (text: string, report: object) => {
    const warnings = soonOver(repository).map((line) => `warning: ${line}\n`)
    return printed(values.json === true ? jsonText(report, 2) : printable(`${text}\n${warnings.join('')}`))
  }
  switch (action) {
    case 'publish': {
      const bytes = bytesOf(positionals[1], cwd)
      const rollout = { percent: percent ?? 100, mode: mode ?? 'observe' }
      const release = publish(repository, channelOf(values.channel), bytes, rollout, signing)
      return done(`published ${releaseText(release)}`, release)
    }
    case 'promote': {
      if (percent === undefined && mode === undefined) throw usage('promote needs --percent or --mode', 'bundle')
      const rollout = { ...(percent !== undefined && { percent }), ...(mode !== undefined && { mode }) }
      const release = promote(repository, channelOf(values.channel), rollout, signing)
      return done(`promoted ${releaseText(release)}`, release)
    }
    case 'revoke': {
      const channel = channelOf(values.channel)
      const switches = throwSwitch(repository, channel, switchOf(values, signing.nowMs), signing)
      const own = switches.filter((one) => one.channel === channel)
      const none = `the kill switch of ${channel} is off`
      return done(own.length === 0 ? none : own.map((one) => switchText(channel, one)).join('\n'), switches)
    }
    case 'refresh': {
      refresh(repository, onlineKeys(signing), signing.nowMs)
      const { expires } = readTimestamp(repository).signed
      return done(`signed the timestamp, which holds until ${expires}`, { expires })
    }
  }
}

export const releaseText = ({ name, revision, percent, mode, previous }: Release) =>
  `${name} ${revision}: ${mode} on ${percent} % of the machines` +
  (percent === 100 ? '' : previous === undefined ? '; the others have no bundle' : '; the others keep the one before')

export function switchText(channel: string, { action, until }: Switch): string {
  const ends = new Date(until * 1000).toISOString()
  switch (action.kind) {
    case 'previous':
      return `${channel} goes back to the release before, until ${ends}`
    case 'observe':
      return `${action.rule ?? 'the bundle'} only observes in ${channel}, until ${ends}`
  }
}

function switchOf(values: Values, nowMs: number): Omit<Switch, 'channel' | 'from'> | undefined {
  const { observe = false, previous = false, lift = false, rule, reason = '' } = values
  if ([observe, previous, lift].filter(Boolean).length !== 1) {
    throw usage('revoke needs one of --observe, --previous and --lift', 'bundle')
  }
  if (rule !== undefined && !observe) throw usage('--rule belongs to --observe', 'bundle')
  const hours = wholeOf('hours', values.hours, [1, limits.bundleSwitchHoursMax]) ?? 24
  const until = Math.floor(nowMs / 1000) + hours * 3600
  if (lift) return undefined
  if (previous) return { action: { kind: 'previous' }, until, reason }
  return { action: { kind: 'observe', ...(rule !== undefined && { rule }) }, until, reason }
}

export function bytesOf(file: string | undefined, cwd: string): Uint8Array {
  if (file === undefined) throw usage('publish needs the file that `hookgate bundle make` wrote', 'bundle')
  return bundleBytes(file, cwd)
}

/** Returns what people have to sign anew before long, and no timer does. */
function soonOver(repository: Repository): readonly string[] {
  const soonMs = Date.now() + warnDays * 86_400_000
  const root = readRoot(repository)
  const targets = readTargets(repository, 'targets')
  const roles = Object.keys(targets.signed.delegations?.roles ?? {})
  const all = [
    { role: 'root', expires: root.signed.expires },
    { role: 'targets', expires: targets.signed.expires },
    ...roles.map((role) => ({ role, expires: readTargets(repository, role).signed.expires })),
  ]
  return all
    .filter(({ expires }) => Date.parse(expires) < soonMs)
    .map(({ role, expires }) => `what \`${role}\` has signed expires ${expires}: use \`bundle keys --renew ${role}\``)
}
/** Days before the end of a signature from which on it is reported: longer than a person's absence. */
const warnDays = 21
