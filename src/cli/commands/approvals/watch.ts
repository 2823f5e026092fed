import { answerRequest, openRequests } from '../../../service/server/ask-approvals.ts'
import type { GatePaths } from '../../../files/state/places.ts'
import type { OpenRequest, RequestAnswer } from '../../../model/approval.ts'
import { errorText } from '../../../model/errors.ts'
import { limits } from '../../../model/limits.ts'
import { type CommandOutput, type Invocation, printed } from '../../command.ts'
import { resultText } from '../../text/request-text.ts'
import { answerFor } from './answer-for.ts'
import { emptyScreen, pressKey, type Screen, screenText, withRequests } from './screen.ts'

/** Time between two looks: a person does not notice it, and a look takes a millisecond. */
const pollMs = 500

/** Shows the calls that wait on one screen, and takes a person's answers by keys, until `q`. */
export async function watchRequests(
  { ask, openKeys, writeOut }: Pick<Invocation, 'ask' | 'openKeys' | 'writeOut'>,
  places: GatePaths,
): Promise<CommandOutput> {
  if (ask === undefined || openKeys === undefined) return printed('')
  let keys = openKeys()
  let screen = emptyScreen
  try {
    while (true) {
      // oxlint-disable-next-line no-await-in-loop -- one look after the other
      screen = await lookAgain(screen, places)
      if (!writeOut(screenText(screen, Date.now()))) return printed('')
      // oxlint-disable-next-line no-await-in-loop -- waiting is the point
      const step = pressKey(screen, await keys.next(pollMs))
      if (step.kind === 'end') return printed('\n')
      if (step.kind === 'show') {
        ;({ screen } = step)
        continue
      }
      if (step.answer === 'approve' && !fitsScreen(screenText(screen, Date.now()))) {
        const { id } = step.request
        screen = {
          ...screen,
          last: `${id} is longer than this screen: \`hookgate approvals approve ${id}\` shows it whole`,
        }
        continue
      }
      let given: Pick<RequestAnswer, 'answer' | 'reason'> = { answer: step.answer }
      if (step.answer === 'deny') {
        keys.close()
        // oxlint-disable-next-line no-await-in-loop -- one answer after the other
        const reason = (await ask('reason (the model reads it; empty for none)? ')).slice(0, reasonMax)
        keys = openKeys()
        given = { answer: 'deny', reason }
      }
      // oxlint-disable-next-line no-await-in-loop -- one answer after the other
      screen = { ...screen, last: await sendAnswer(places, step.request, given) }
    }
  } finally {
    keys.close()
  }
}

/** Returns whether all of a text is seen at once: what has left the screen at its top may be what is asked about. */
function fitsScreen(text: string): boolean {
  // A terminal of unknown size says 0; a file says nothing.
  const [rows, columns] = [process.stdout.rows || Infinity, process.stdout.columns || Infinity]
  const used = text.split('\n').map((line) => Math.max(1, Math.ceil(widthOf(line) / columns)))
  return used.reduce((sum, one) => sum + one, 0) <= rows
}

/** Counts the columns of a line, and those of a letter that is none of ASCII twice: many of them are wide. */
const widthOf = (line: string) => Array.from(line, (one) => (one > '~' ? 2 : 1)).reduce<number>((a, b) => a + b, 0)

const reasonMax = limits.approvalReasonCharactersMax

async function lookAgain(screen: Screen, places: GatePaths): Promise<Screen> {
  try {
    return withRequests(screen, await openRequests(places))
  } catch (error) {
    return { ...screen, requests: undefined, last: errorText(error) }
  }
}

async function sendAnswer(
  places: GatePaths,
  request: OpenRequest,
  given: Pick<RequestAnswer, 'answer' | 'reason'>,
): Promise<string> {
  try {
    return resultText(request.id, await answerRequest(places, answerFor(request, given)))
  } catch (error) {
    return errorText(error)
  }
}
