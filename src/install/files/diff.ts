import type { FileChange } from './change.ts'

/** Lines around a change that are shown with it. */
const around = 3

/**
 * Shows a change as `diff -u` does, without the token. Everything between the first and the last changed line is one hunk.
 */
export function diffText({ file, looked: { present }, after }: FileChange): string {
  const old = linesOf(present?.bytes)
  const made = linesOf(after)
  const head = [`--- ${present === undefined ? '/dev/null' : file}`, `+++ ${after === undefined ? '/dev/null' : file}`]
  return [...head, ...hunk(old, made), ''].join('\n').replace(/\bBearer [\w-]+/g, 'Bearer …')
}

function hunk(old: readonly string[], made: readonly string[]): readonly string[] {
  let same = 0
  while (same < old.length && same < made.length && old[same] === made[same]) same++
  let tail = 0
  while (tail < Math.min(old.length, made.length) - same && old.at(-1 - tail) === made.at(-1 - tail)) tail++
  const from = Math.max(0, same - around)
  const until = Math.max(0, tail - around)
  const [oldEnd, madeEnd] = [old.length - until, made.length - until]
  const range = (end: number) => `${end > from ? from + 1 : 0},${end - from}`
  return [
    `@@ -${range(oldEnd)} +${range(madeEnd)} @@`,
    ...old.slice(from, same).map((line) => ` ${line}`),
    ...old.slice(same, old.length - tail).map((line) => `-${line}`),
    ...made.slice(same, made.length - tail).map((line) => `+${line}`),
    ...old.slice(old.length - tail, oldEnd).map((line) => ` ${line}`),
  ]
}

function linesOf(bytes: Uint8Array | undefined): readonly string[] {
  if (bytes === undefined) return []
  const lines = new TextDecoder().decode(bytes).split('\n')
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines
}
