import { expect, it } from 'vitest'
import { openEventQueue } from '../../../../src/policy/sandbox/thread/event-queue.ts'
import { lineOf, tags, onMachineClock } from '../../../../src/policy/sandbox/wire/frames.ts'

const inMs = (ms: number) => onMachineClock(performance.now() + ms)
const header = (id: number, untilMs: number, ...domains: readonly string[]) =>
  lineOf(tags.ask, id, untilMs, 0, '[]', ...domains.flatMap((domain) => [domain, '[[0,[],"{}"]]']))

/** Opens a queue that records which events were evaluated, and the answers without their times. */
function queue() {
  const evaluated: string[] = []
  const answers: (readonly string[])[] = []
  const pending = openEventQueue(
    (domain, questions) => questions.map(({ input }) => `${domain}${evaluated.push(input.join())}\t`),
    (line) => {
      const [, id = '', ...parts] = line.split('\t')
      answers.push([id, ...parts.filter((_, index) => index % 3 === 1)])
    },
  )
  return { pending, evaluated, answers }
}

it('an overdue event is not evaluated, and is answered in order', () => {
  const { pending, evaluated, answers } = queue()
  pending.add([header(1, inMs(60_000), 'a'), 'in time'])
  pending.add([header(2, inMs(-1000), 'a', 'b'), 'overdue'])
  pending.add([header(3, inMs(60_000), 'b'), 'in time too'])
  pending.decide()
  expect(evaluated).toEqual(['in time', 'in time too'])
  const late = '!"there was no time left for it"'
  expect(answers).toEqual([
    ['1', 'a1'],
    ['2', late, late],
    ['3', 'b2'],
  ])
})

it('an event becomes overdue while those before it are evaluated', () => {
  let evaluated = 0
  const endsAtMs = performance.now() + 50
  const pending = openEventQueue(
    (_, questions) => {
      evaluated += 1
      while (performance.now() < endsAtMs);
      return questions.map(() => '[0]\t')
    },
    () => {},
  )
  pending.add([header(1, inMs(60_000), 'a'), 'slow'])
  pending.add([header(2, inMs(40), 'a'), 'overdue by then'])
  pending.decide()
  expect(evaluated).toBe(1)
})
