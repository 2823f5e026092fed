import { answerRequest, openRequests } from '../../../service/server/ask-approvals.ts'
import type { GatePaths } from '../../../files/state/places.ts'
import type { RequestAnswer } from '../../../model/approval.ts'
import { HookgateError } from '../../../model/errors.ts'
import { limits } from '../../../model/limits.ts'
import { quoted } from '../../../model/text.ts'
import { parseFlags } from '../../args/flags.ts'
import { ownPlaces } from '../../args/own-places.ts'
import { type Command, type CommandOutput, jsonText, printed, usage } from '../../command.ts'
import { requestLines, requestText, resultText } from '../../text/request-text.ts'
import { answerFor } from './answer-for.ts'
import { watchRequests } from './watch.ts'

export const approvalsCommand: Command = {
  summary: 'answer the calls that wait for a person: list, watch, approve, deny',
  help: `hookgate approvals: answer the calls that wait for a person

  hookgate approvals [--json]
  hookgate approvals watch
  hookgate approvals approve ID [--reason TEXT]
  hookgate approvals deny ID [--reason TEXT]

Where "approvals" of ~/.config/hookgate/hooks.json is on, a call that a rule asks about waits for you if its agent
cannot ask by itself. Without a word, this lists the calls that wait now.

  watch           one screen with all of them: up and down choose, a approves, d denies, q ends
  approve ID      lets this call run
  deny ID         refuses it
  --reason TEXT   why: the model is told it
  --json          the calls that wait, as JSON

If nobody answers, the agent gets what it gets without approvals, a little before it stops waiting; \`hookgate allow ID\`
lets the call through later. It needs a terminal, since only a person may answer.

  hookgate approvals approve k3x7qd
`,
  async run(invocation): Promise<CommandOutput> {
    const { values, positionals } = parseFlags('approvals', invocation.argv, flags, true)
    const [word, id, ...rest] = positionals
    const places = ownPlaces(invocation.env)
    if (word === undefined) return list(places, values.json === true)
    if (rest.length > 0 || values.json === true)
      throw usage('`--json` is for the list, and there is one id', 'approvals')
    if (invocation.ask === undefined) throw noTerminal()
    if (word === 'watch') {
      if (id !== undefined || values.reason !== undefined) throw usage('`watch` stands alone', 'approvals')
      return watchRequests(invocation, places)
    }
    if (word !== 'approve' && word !== 'deny') throw usage(`there is no ${quoted(word)}`, 'approvals')
    if (id === undefined) throw usage('it needs the id of a call that waits', 'approvals')
    const reason = reasonIn(values.reason)
    return answerOne(places, id.trim().toLowerCase(), { answer: word, ...(reason !== undefined && { reason }) })
  },
}

const flags = {
  reason: { type: 'string' },
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

async function answerOne(
  places: GatePaths,
  id: string,
  given: Pick<RequestAnswer, 'answer' | 'reason'>,
): Promise<CommandOutput> {
  const request = (await openRequests(places))?.find((one) => one.id === id)
  if (request === undefined) throw notWaiting(id)
  const result = await answerRequest(places, answerFor(request, given))
  const isTaken = result?.kind === 'taken'
  return {
    stdout: `${requestText(request, Date.now())}${isTaken ? `${resultText(id, result)}\n` : ''}`,
    stderr: isTaken ? '' : `hookgate: ${resultText(id, result)}\n`,
    exitCode: isTaken ? 0 : 1,
  }
}

const noTerminal = () =>
  new HookgateError('usage', 'it needs a terminal, since only a person may answer', {
    remedy: 'run it in a terminal; `hookgate approvals` alone lists the calls that wait',
  })

const notWaiting = (id: string) =>
  new HookgateError('usage', resultText(id, undefined), {
    remedy: '`hookgate approvals` lists those that do; `hookgate allow` lets a call through that was refused',
  })
