import { turnApprovals } from '../../../changes/user-rules-file.ts'
import { openRequests } from '../../../service/server/ask-approvals.ts'
import type { GatePaths } from '../../../files/state/places.ts'
import { HookgateError } from '../../../model/errors.ts'
import { limits } from '../../../model/limits.ts'
import { quoted } from '../../../model/text.ts'
import { parseFlags, installContextFor } from '../../args/flags.ts'
import { ownPlaces } from '../../args/own-places.ts'
import { type Command, type CommandOutput, type Invocation, jsonText, printed, usage } from '../../command.ts'
import { changeAgreed } from '../../consent.ts'
import { requestLines } from '../../text/refusal-text.ts'
import { extentsGiven } from '../allow.ts'
import { answerOne, watchRequests } from './watch.ts'
import { topicsOf } from '../../../files/state/keys.ts'

export const approvalsCommand: Command = {
  help: `hookgate approvals: answer the calls that wait for a person

  hookgate approvals [--json]
  hookgate approvals on | off [--dry-run] [--json]
  hookgate approvals watch | phone
  hookgate approvals approve ID [--times N | --for TIME | --until DATE | --always] [--reason TEXT]
  hookgate approvals deny ID [--reason TEXT]

Where "approvals" of ~/.config/hookgate/hooks.json is on, a call that a rule asks about waits for you if its agent
cannot ask by itself. Without a word, this lists the calls that wait now.

  on, off         turn approvals on or off in that file, in its layout; a copy is kept
  --dry-run       show what would change, and change nothing
  --yes           turn it on or off without asking
  watch           one screen with all of them: up and down choose, a approves, d denies, q ends
  phone           show the topic of ntfy to which calls that wait are pushed, for its app, until a key is pressed
  approve ID      lets this call run
  --times N       and the same call of the same session again, N times in all within a day
  --for TIME      and the same call as often as it comes for that long: 30m, 2h; a day at most
  --until DATE    and writes the narrowest exception into your hooks.json, as \`hookgate allow\` does, after showing it
  --always        the same exception, for good
  deny ID         refuses it
  --reason TEXT   why: the model is told it
  --json          the calls that wait, or the change, as JSON

If nobody answers, the agent gets what it gets without approvals, a little before it stops waiting; \`hookgate allow ID\`
lets the call through later. Answering needs a terminal, since only a person may answer.

  hookgate approvals approve k3x7qd
`,
  async run(invocation): Promise<CommandOutput> {
    const { values, positionals } = parseFlags('approvals', invocation.argv, flags, true)
    const [word, id, ...rest] = positionals
    const places = ownPlaces(invocation.env)
    if (word === undefined || (word === 'list' && id === undefined)) return list(places, values.json === true)
    if (word === 'on' || word === 'off') {
      if (id !== undefined || values.reason !== undefined) throw usage(`${quoted(word)} stands alone`, 'approvals')
      const make = (isDry: boolean) => Promise.resolve(turnApprovals(word, installContextFor(invocation), isDry))
      return changeAgreed(
        make,
        { isDry: values['dry-run'] === true, asJson: values.json === true, yes: values.yes },
        invocation,
      )
    }
    if (rest.length > 0 || values.json === true || values['dry-run'] === true) {
      throw usage('it takes one id; `--json` and `--dry-run` are for the list, `on` and `off`', 'approvals')
    }
    if (invocation.ask === undefined) throw noTerminal()
    if (word === 'watch' || word === 'phone') {
      if (id !== undefined || values.reason !== undefined) throw usage(`${quoted(word)} stands alone`, 'approvals')
      return word === 'watch' ? watchRequests(invocation, places) : showTopic(invocation, places)
    }
    if (word !== 'approve' && word !== 'deny') throw usage(`there is no ${quoted(word)}`, 'approvals')
    if (id === undefined) throw usage('it needs the id of a call that waits', 'approvals')
    const reason = reasonIn(values.reason)
    const [extent] = extentsGiven('approvals', values)
    if (extent !== undefined && word === 'deny') throw usage(`\`deny\` takes no --${extent.kind}`, 'approvals')
    const given = { answer: word, ...(reason !== undefined && { reason }) } as const
    return answerOne(invocation, places, id.trim().toLowerCase(), given, extent)
  },
}

const flags = {
  times: { type: 'string' },
  for: { type: 'string' },
  until: { type: 'string' },
  always: { type: 'boolean' },
  reason: { type: 'string' },
  'dry-run': { type: 'boolean' },
  yes: { type: 'boolean' },
  json: { type: 'boolean' },
} as const

function reasonIn(reason: string | undefined): string | undefined {
  const max = limits.approvalReasonCharactersMax
  if (reason !== undefined && reason.length > max) throw usage(`--reason takes ${max} characters at most`, 'approvals')
  return reason
}

async function list(places: GatePaths, asJson: boolean): Promise<CommandOutput> {
  const requests = await openRequests(places)
  if (asJson) return printed(jsonText({ requests: requests ?? [] }, 2))
  if (requests === undefined) return printed('no gate runs, so no call can wait for a person\n')
  return printed(requests.length === 0 ? 'no call waits for a person\n' : requestLines(requests, Date.now()))
}

const noTerminal = () =>
  new HookgateError('usage', 'it needs a terminal, since only a person may answer', {
    remedy: 'run it in a terminal; `hookgate approvals` alone lists the calls that wait',
  })

/** Time for which the topic stays on the screen: enough to type it into a phone, and too short to be forgotten there. */
const topicShownMs = 180_000

/**
 * Shows the topic of ntfy until a key is pressed, and takes it off the screen: it stays the same, and whatever reads the
 * terminal later would know it.
 */
async function showTopic(
  { openKeys, writeOut }: Pick<Invocation, 'openKeys' | 'writeOut'>,
  places: GatePaths,
): Promise<CommandOutput> {
  if (openKeys === undefined) return printed('')
  const line = `  ${topicsOf(places).toPerson}`
  const keys = openKeys()
  try {
    writeOut(`${intro}${line}`)
    await keys.next(topicShownMs)
  } finally {
    keys.close()
    // Not by clearing the screen: tmux keeps what a cleared screen has shown.
    const rows = Math.ceil(line.length / (process.stdout.columns || line.length))
    writeOut(`\r${clearRow}${`\u001b[A${clearRow}`.repeat(rows - 1)}`)
  }
  return printed('  (taken off the screen; run it again to see it)\n')
}

const clearRow = '\u001b[2K'

const intro = `subscribe to this topic in the ntfy app, on the server that "approvals" names; whoever knows it can answer, so a
key takes it off the screen:

`
