/** The names that `find` asks for on the way to an action: those of the chain of tests that it stands in. */
export interface NamesAsked {
  /** A word that joins tests, or begins or ends a group of them. Whether it was one. */
  readonly join: (word: string) => boolean
  /** A test; `name` where it is of a name. */
  readonly test: (name?: string) => void
  /** The names of which everything has one that an action gets here. Empty where it may have any. */
  readonly here: () => readonly string[]
}

interface Group {
  /** The names of each alternative that has ended. */
  readonly done: (readonly string[])[]
  current: string[]
  /** Whether the next test is turned round. */
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
