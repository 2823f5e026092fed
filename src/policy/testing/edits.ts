/** A part of a text, and what stands there instead. */
export interface Edit {
  readonly start: number
  readonly end: number
  readonly replacement: string
}

/** The text with one part of it replaced. */
export function edited(text: string, { start, end, replacement }: Edit): string {
  return text.slice(0, start) + replacement + text.slice(end)
}

/** What is put around parts of a text that lie within each other or beside each other. */
export interface Insertions {
  /** Before `start` and behind `end`. What is put around an outer part has to be said before what is put around an inner one. */
  around(start: number, end: number, before: string, behind: string): void
  into(text: string): string
}

export function makeInsertions(): Insertions {
  const before = new Map<number, string[]>()
  const behind = new Map<number, string[]>()
  return {
    around(start, end, opening, closing) {
      if (opening !== '') listAt(before, start).push(opening)
      if (closing !== '') listAt(behind, end).unshift(closing)
    },
    into(text) {
      const offsets = [...new Set([...before.keys(), ...behind.keys()])].toSorted((a, b) => a - b)
      const parts: string[] = []
      let from = 0
      for (const offset of offsets) {
        // What ends here is closed before what begins here is opened.
        parts.push(text.slice(from, offset), ...(behind.get(offset) ?? []), ...(before.get(offset) ?? []))
        from = offset
      }
      return parts.join('') + text.slice(from)
    },
  }
}

function listAt(lists: Map<number, string[]>, offset: number): string[] {
  const list = lists.get(offset) ?? []
  lists.set(offset, list)
  return list
}
