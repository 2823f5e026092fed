import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { bundleError, type Release, type Switch } from '../../../bundle/names.ts'
import { promote, publish, throwSwitch } from '../../../bundle/team/publish.ts'
import { readRoot, readTargets, readTimestamp, refresh, type Repository } from '../../../bundle/team/repository.ts'
import { onlineKeys } from '../../../bundle/team/roles.ts'
import { errorText } from '../../../model/errors.ts'
import { limits } from '../../../model/limits.ts'
import { printable } from '../../../model/text.ts'
import { choiceIn, parseFlags } from '../../args/flags.ts'
import { type CommandOutput, type Invocation, jsonText, printed, usage } from '../../command.ts'
import { channelOf, repositoryAt, signingFlags, signingOf, wholeOf } from './keys.ts'

const flags = {
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

type Values = ReturnType<typeof parseFlags<typeof flags>>['values']

/** `hookgate bundle publish`, `promote`, `revoke` and `refresh`: all that signs anew what machines see. */
// oxlint-disable-next-line require-await -- exceptions must become rejections
export async function bundlePublish(
  action: 'publish' | 'promote' | 'revoke' | 'refresh',
  { argv, env, cwd }: Invocation,
): Promise<CommandOutput> {
  const { values, positionals } = parseFlags('bundle', argv, flags, true)
  const repository = repositoryAt(positionals, cwd, action)
  const signing = signingOf(values, { env, cwd })
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

const releaseText = ({ name, revision, percent, mode, previous }: Release) =>
  `${name} ${revision}: ${mode} on ${percent} % of the machines` +
  (percent === 100 ? '' : previous === undefined ? '; the others have no bundle' : '; the others keep the one before')

function switchText(channel: string, { action, until }: Switch): string {
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

function bytesOf(file: string | undefined, cwd: string): Uint8Array {
  if (file === undefined) throw usage('publish needs the file that `hookgate bundle make` wrote', 'bundle')
  const path = resolve(cwd, file)
  try {
    return readFileSync(path)
  } catch (error) {
    const remedy = 'make it with `hookgate bundle make`'
    throw bundleError('bundleMalformed', `the bundle cannot be read: ${errorText(error)}`, remedy, path)
  }
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
