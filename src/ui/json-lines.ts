import { Readable } from 'node:stream'
import { jsonText } from '../model/text.ts'
import { type HttpProblem, problemText } from '../service/server/http/problem.ts'

/** Time after which a silent stream sends an empty line, so that a browser that has gone is noticed. */
const pageHeartbeatMs = 15_000

/**
 * Writes each part as a line of JSON, and an empty line where nothing comes for a while. If the parts fail, the last line
 * is `{"error": {"code", "message", "remedy"}}`.
 */
export function jsonLines(parts: AsyncIterable<unknown>, problemOf: (error: unknown) => HttpProblem): Readable {
  return Readable.from(lines(parts, problemOf))
}

async function* lines(
  parts: AsyncIterable<unknown>,
  problemOf: (error: unknown) => HttpProblem,
): AsyncIterable<string> {
  const iterator = parts[Symbol.asyncIterator]()
  try {
    // A browser learns from the first line that the stream is open.
    yield '\n'
    let next = iterator.next()
    while (true) {
      const beat = Promise.withResolvers<undefined>()
      const timer = setTimeout(() => beat.resolve(undefined), pageHeartbeatMs)
      // oxlint-disable-next-line no-await-in-loop -- one part after the other
      const result = await Promise.race([next, beat.promise]).finally(() => clearTimeout(timer))
      if (result === undefined) {
        yield '\n'
        continue
      }
      if (result.done === true) return
      yield `${jsonText(result.value)}\n`
      next = iterator.next()
    }
  } catch (error) {
    yield `${problemText(problemOf(error))}\n`
  } finally {
    await iterator.return?.()
  }
}
