import { emitKeypressEvents } from 'node:readline'

/** The keys that a person presses, until it is closed: `a`, `up`, `enter`, `ctrl-c`. */
export interface KeyStream {
  /** Returns the next key; `undefined` if none is pressed in that time. */
  next(withinMs: number): Promise<string | undefined>
  /** Gives the terminal back. */
  close(): void
}

/** A terminal's input: with `setRawMode`, it hands over each key at once. */
type KeyInput = NodeJS.ReadableStream & { setRawMode?(isRaw: boolean): unknown }

/** Reads single keys from a terminal. */
export function keysFrom(input: KeyInput): KeyStream {
  const pressed: string[] = []
  let wake: (() => void) | undefined
  const onKey = (text: string | undefined, key: { readonly name?: string; readonly ctrl?: boolean }) => {
    pressed.push(key.ctrl === true ? `ctrl-${key.name ?? ''}` : (key.name ?? text ?? ''))
    wake?.()
  }
  emitKeypressEvents(input)
  input.setRawMode?.(true)
  input.on('keypress', onKey).resume()
  return {
    async next(withinMs) {
      if (pressed.length === 0) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, withinMs)
          wake = () => {
            clearTimeout(timer)
            resolve()
          }
        })
      }
      return pressed.shift()
    },
    close() {
      input.removeListener('keypress', onKey).pause()
      input.setRawMode?.(false)
    },
  }
}
