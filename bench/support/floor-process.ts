// The far end of `processFloor`: a line in, a short line out.
import { linesIn } from './lines.ts'

process.stdin.on('data', (chunk: Buffer) => {
  const lines = linesIn(chunk)
  if (lines > 0) process.stdout.write('0\n'.repeat(lines))
})
