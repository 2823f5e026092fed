/**
 * The bytes of frames on their way to another process. Each begins with a line: the lengths in bytes of the texts beside
 * the line of the frame, separated by commas, then a space and that line. The texts follow as they are in memory: one
 * byte a character if it is ASCII, else two, with a minus before the length.
 */
import type { SandboxFrame } from './frames.ts'

export function bytesOfFrames(frames: readonly SandboxFrame[]): Buffer {
  let size = 0
  const heads: string[] = []
  const lengths: number[] = []
  for (const [line, ...texts] of frames) {
    const own = texts.map(signedLength)
    const head = `${own.join(',')} ${line}\n`
    heads.push(head)
    size += Buffer.byteLength(head)
    for (const length of own) {
      lengths.push(length)
      size += Math.abs(length)
    }
  }
  const bytes = Buffer.allocUnsafe(size)
  let end = 0
  let text = 0
  for (const [index, frame] of frames.entries()) {
    end += bytes.write(heads[index] ?? '', end)
    for (let at = 1; at < frame.length; at += 1) {
      end += bytes.write(frame[at] ?? '', end, (lengths[text] ?? 0) < 0 ? 'utf16le' : 'latin1')
      text += 1
    }
  }
  return bytes
}

/** Returns the length of a text in bytes, negative if it is not ASCII. */
function signedLength(text: string): number {
  return Buffer.byteLength(text) === text.length ? text.length : -2 * text.length
}

const lineEnd = 10

/** Cuts a stream of bytes into frames. A frame that comes in many pieces is joined once, not with every piece. */
export function frameReader(): (chunk: Buffer) => readonly SandboxFrame[] {
  let held: Buffer[] = []
  let heldBytes = 0
  /** How many bytes the frame being held takes, as far as is known. */
  let needed = 0

  function hold(bytes: Buffer): void {
    // A copy: the reader of the stream uses the room of a chunk again.
    held.push(Buffer.from(bytes))
    heldBytes += bytes.length
  }

  return (chunk) => {
    let bytes = chunk
    if (heldBytes > 0) {
      if (heldBytes + chunk.length < needed) {
        hold(chunk)
        return []
      }
      bytes = Buffer.concat([...held, chunk])
      held = []
      heldBytes = 0
    }
    const frames: SandboxFrame[] = []
    let start = 0
    needed = 0
    while (start < bytes.length) {
      const end = bytes.indexOf(lineEnd, start)
      if (end === -1) break
      const head = bytes.toString('utf8', start, end)
      const space = head.indexOf(' ')
      const lengths = space === 0 ? [] : head.slice(0, space).split(',').map(Number)
      const next = end + 1 + lengths.reduce((sum, length) => sum + Math.abs(length), 0)
      if (next > bytes.length) {
        needed = next - start
        break
      }
      let at = end + 1
      const texts = lengths.map((length) =>
        bytes.toString(length < 0 ? 'utf16le' : 'latin1', at, (at += Math.abs(length))),
      )
      frames.push([head.slice(space + 1), ...texts])
      start = next
    }
    if (start < bytes.length) hold(bytes.subarray(start))
    return frames
  }
}
