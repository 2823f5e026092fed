import { type Options, Parser, type Program } from 'acorn'
import { limits } from '../../../model/limits.ts'

/** Thrown for a source that declares more than `limits.policyNamesMax` names. */
export class TooManyNames extends Error {}

/**
 * Parses untrusted source with acorn.
 *
 * INVARIANT: the time is proportional to the source's length, whatever it declares.
 *
 * @throws SyntaxError with `pos`
 * @throws RangeError if it is nested too deeply
 * @throws TooManyNames
 */
export function parseProgram(text: string, options: Options): Program {
  return LinearParser.parse(text, options)
}

/** Replaces acorn's arrays of a scope's names, which it searches for each new name: 64,000 names took 5 s. */
class Names {
  /** The first name, which acorn reads for a `catch` clause. */
  0: string | undefined
  readonly #names = new Set<string>()
  readonly #count: () => void

  constructor(count: () => void) {
    this.#count = count
  }

  push(name: string): void {
    this.#count()
    this[0] ??= name
    this.#names.add(name)
  }

  indexOf(name: string): number {
    return this.#names.has(name) ? 0 : -1
  }
}

/** The members of acorn's parser that plugins override, which its types omit. */
interface Scoped {
  readonly scopeStack: { var: Names; lexical: Names; functions: Names }[]
  enterScope(flags: number): void
}

const LinearParser = Parser.extend((Base) => {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- see `Scoped`
  const acorn = Base.prototype as unknown as Scoped
  return class extends Base {
    // No initial value: the first scope is entered while the parser is being constructed.
    declare names: number | undefined

    enterScope(this: Scoped & { names: number | undefined }, flags: number): void {
      acorn.enterScope.call(this, flags)
      const scope = this.scopeStack.at(-1)
      if (scope === undefined) return
      const count = () => {
        this.names = (this.names ?? 0) + 1
        if (this.names > limits.policyNamesMax) throw new TooManyNames()
      }
      scope.var = new Names(count)
      scope.lexical = new Names(count)
      scope.functions = new Names(count)
    }
  }
})
