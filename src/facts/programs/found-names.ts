/** A tracker of the name tests that hold at a position in `find`'s expression, and so limit the action there. */
export interface NamesAsked {
  /** Processes an operator or a bracket; returns whether the word is one. */
  readonly join: (word: string) => boolean
  /** Processes a test, with `name` for a test of the file's name. */
  readonly test: (name?: string) => void
  /** Returns names one of which every file has that reaches an action here. Empty if any name is possible. */
  readonly here: () => readonly string[]
}

interface Group {
  /** The names required by each alternative before this one. */
  readonly done: (readonly string[])[]
  current: string[]
  /** The next test is negated. */
  not: boolean
}

const group = (): Group => ({ done: [], current: [], not: false })

export function namesAsked(): NamesAsked {
  const groups = [group()]
  const innermost = () => groups.at(-1) ?? group()

  function close(): void {
    const ended = groups.length > 1 ? groups.pop() : undefined
    if (ended === undefined) return
    const alternatives = [...ended.done, ended.current]
    const outer = innermost()
    if (!outer.not && alternatives.every((names) => names.length > 0)) outer.current.push(...alternatives.flat())
    outer.not = false
  }

  return {
    join: (word) => {
      const inner = innermost()
      if (word === '(') groups.push(group())
      else if (word === ')') close()
      else if (word === '!' || word === '-not') inner.not = !inner.not
      else if (word === '-o' || word === '-or' || word === ',') {
        inner.done.push(inner.current)
        inner.current = []
      } else return false
      return true
    },
    test: (name) => {
      const inner = innermost()
      if (name !== undefined && !inner.not) inner.current.push(name)
      inner.not = false
    },
    here: () => groups.flatMap(({ current }) => current),
  }
}
