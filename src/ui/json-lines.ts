import { Readable } from 'node:stream'
import { limits } from '../model/limits.ts'
import { jsonText } from '../model/text.ts'
import { type HttpProblem, problemText } from '../service/server/http/problem.ts'

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
      const timer = setTimeout(() => beat.resolve(undefined), limits.pageHeartbeatMs)
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
