import { PolicyIsolate } from './isolate.ts'
import { type DomainQuestion, openEventQueue } from './event-queue.ts'
import { errorMark, lineOf, type PolicyLoad, type SandboxFrame, tags, nameOfThread } from '../wire/frames.ts'

/** The longest time that answers are buffered, in ms, so that one write carries those of many short evaluations. */
const heldMsMax = 1

export interface QuestionServer {
  /** Answers questions that have come together. */
  readonly receive: (frames: readonly SandboxFrame[]) => void
  /** Disposes of every isolate. No question may follow. */
  readonly end: () => void
}

/** Serves the gate for a thread's whole life: reads questions, and writes the answers in the same order. */
export function serve(write: (text: string) => void): QuestionServer {
  const isolates = new Map<string, PolicyIsolate>()
  const refused = new Map<string, string>()
  let held = ''
  let writtenAtMs = performance.now()

  const flush = () => {
    writtenAtMs = performance.now()
    if (held === '') return
    const text = held
    held = ''
    write(text)
  }
  const answer = (line: string) => {
    held += `${line}\n`
    if (performance.now() - writtenAtMs > heldMsMax) flush()
  }
  const alive = () => {
    if (performance.now() - writtenAtMs <= heldMsMax) return
    held += `${tags.alive}\n`
    flush()
  }

  function load(domain: string, text: string): string {
    try {
      isolates.set(domain, new PolicyIsolate(loadOf(text)))
      return 'null'
    } catch (error) {
      const failed = errorOf(error)
      refused.set(domain, failed)
      return failed
    }
  }

  function evaluate(domain: string, questions: readonly DomainQuestion[]): readonly string[] {
    alive()
    const isolate = isolates.get(domain)
    if (isolate === undefined) {
      const failed = refused.get(domain) ?? errorOf('its policies are not loaded')
      return questions.map(() => `${failed}\t`)
    }
    try {
      return isolate.evaluate(questions, alive)
    } catch (error) {
      if (questions.length === 1) return [`${errorOf(error)}\t`]
      // An error in one question must not cost the others their answers.
      return questions.flatMap((one) => evaluate(domain, [one]))
    }
  }
  const pending = openEventQueue(evaluate, answer)

  function describe(domain: string, members: string): string {
    const isolate = isolates.get(domain)
    if (isolate === undefined) return refused.get(domain) ?? errorOf('its policies are not loaded')
    try {
      return JSON.stringify(isolate.describe(indicesOf(members), alive))
    } catch (error) {
      return errorOf(error)
    }
  }

  function take(frame: SandboxFrame): void {
    const [line, text = ''] = frame
    if (line.startsWith(tags.ask)) {
      pending.add(frame)
      return
    }
    // Answers must leave in the order of the questions.
    pending.decide()
    const [tag, id = '', domain = '', members = ''] = line.split('\t')
    if (tag === tags.load) answer(lineOf(tags.answer, id, 0, load(domain, text)))
    if (tag === tags.describe) answer(lineOf(tags.answer, id, 0, describe(domain, members)))
    if (tag === tags.drop) {
      isolates.get(domain)?.dispose()
      isolates.delete(domain)
      refused.delete(domain)
    }
  }

  write(`${lineOf(tags.ready, nameOfThread())}\n`)
  return {
    receive(frames) {
      for (const frame of frames) take(frame)
      pending.decide()
      flush()
    },
    end() {
      for (const isolate of isolates.values()) isolate.dispose()
      isolates.clear()
    },
  }
}

function errorOf(error: unknown): string {
  return errorMark + JSON.stringify(error instanceof Error ? error.message : String(error))
}

function loadOf(text: string): PolicyLoad {
  const load: unknown = JSON.parse(text)
  if (!isLoad(load)) throw new TypeError('the thing to load is not a domain')
  return load
}

function indicesOf(text: string): readonly number[] {
  const value: unknown = JSON.parse(text)
  return Array.isArray(value) ? value.map(Number) : []
}

/** Checks only the shape, without a schema: both ends run the same version of hookgate. */
function isLoad(value: unknown): value is PolicyLoad {
  return typeof value === 'object' && value !== null && 'library' in value && 'modules' in value && 'policies' in value
}
