interface SharedEntry<K, V> {
  readonly key: K
  readonly value: V
}

/** A node of a tree with the entries as leaves, by the digits of their keys' numbers. */
type Tree<K, V> =
  | { readonly entries: readonly (SharedEntry<K, V> | undefined)[] }
  | { readonly nodes: readonly (Tree<K, V> | undefined)[] }

/** A key with its values in two maps; `undefined` where a map does not have it. */
type Difference<K, V> = readonly [key: K, one: V | undefined, other: V | undefined]

const digitBits = 5
const isBeyond = (number: number, height: number): boolean => number >>> ((height + 1) * digitBits) !== 0
const digitOf = (number: number, height: number): number => (number >>> (height * digitBits)) & (2 ** digitBits - 1)

/**
 * An immutable map. A changed copy shares all but some dozens of entries with its origin, and two maps of one origin are
 * compared only where they differ: a state is copied for each subshell and branch, and may hold thousands of values.
 * Keys are in the order in which the maps of one origin first had them.
 */
export class SharedMap<K, V> {
  readonly size: number
  /** A number for each key that a map of this origin ever had. */
  readonly #numbers: Map<K, number>
  readonly #tree: Tree<K, V>
  /** Levels of nodes above the entries. */
  readonly #height: number

  private constructor(numbers: Map<K, number>, tree: Tree<K, V>, height: number, size: number) {
    this.#numbers = numbers
    this.#tree = tree
    this.#height = height
    this.size = size
  }

  static of<K, V>(entries: Iterable<readonly [K, V]> = []): SharedMap<K, V> {
    return new SharedMap<K, V>(new Map(), { entries: [] }, 0, 0).withAll(entries)
  }

  get(key: K): V | undefined {
    return this.#entryOf(key)?.value
  }

  has(key: K): boolean {
    return this.#entryOf(key) !== undefined
  }

  with(key: K, value: V): SharedMap<K, V> {
    const before = this.#entryOf(key)
    if (before !== undefined && before.value === value) return this
    const number = this.#numbers.get(key) ?? this.#numbers.size
    this.#numbers.set(key, number)
    let height = this.#height
    while (isBeyond(number, height)) height++
    const tree = changed(raised(this.#tree, height - this.#height), height, number, { key, value })
    return new SharedMap(this.#numbers, tree, height, before === undefined ? this.size + 1 : this.size)
  }

  withAll(entries: Iterable<readonly [K, V]>): SharedMap<K, V> {
    return Array.from(entries).reduce<SharedMap<K, V>>((all, [key, value]) => all.with(key, value), this)
  }

  without(key: K): SharedMap<K, V> {
    const number = this.#numbers.get(key)
    if (number === undefined || !this.has(key)) return this
    return new SharedMap(
      this.#numbers,
      changed(this.#tree, this.#height, number, undefined),
      this.#height,
      this.size - 1,
    )
  }

  /** Returns the empty map of the same origin. */
  emptied(): SharedMap<K, V> {
    return this.size === 0 ? this : new SharedMap(this.#numbers, { entries: [] }, 0, 0)
  }

  *[Symbol.iterator](): Generator<readonly [K, V]> {
    for (const { key, value } of entriesOf(this.#tree)) yield [key, value]
  }

  *keys(): Generator<K> {
    for (const { key } of entriesOf(this.#tree)) yield key
  }

  *values(): Generator<V> {
    for (const { value } of entriesOf(this.#tree)) yield value
  }

  /** Returns the keys whose values are not identical in both maps. */
  differences(other: SharedMap<K, V>): readonly Difference<K, V>[] {
    if (this === other) return []
    const found: Difference<K, V>[] = []
    if (this.#numbers === other.#numbers) {
      const height = Math.max(this.#height, other.#height)
      const [mine, others] = [raised(this.#tree, height - this.#height), raised(other.#tree, height - other.#height)]
      collectDifferences(mine, others, found)
      return found
    }
    for (const key of new Set([...this.keys(), ...other.keys()])) {
      const [one, another] = [this.get(key), other.get(key)]
      if (one !== another) found.push([key, one, another])
    }
    return found
  }

  #entryOf(key: K): SharedEntry<K, V> | undefined {
    const number = this.#numbers.get(key)
    if (number === undefined || isBeyond(number, this.#height)) return undefined
    let tree: Tree<K, V> | undefined = this.#tree
    for (let height = this.#height; tree !== undefined; height--) {
      if ('entries' in tree) return tree.entries[digitOf(number, 0)]
      tree = tree.nodes[digitOf(number, height)]
    }
    return undefined
  }
}

function raised<K, V>(tree: Tree<K, V>, levels: number): Tree<K, V> {
  let top = tree
  for (let level = 0; level < levels; level++) top = { nodes: [top] }
  return top
}

function changed<K, V>(
  tree: Tree<K, V> | undefined,
  height: number,
  number: number,
  entry: SharedEntry<K, V> | undefined,
): Tree<K, V> {
  const at = digitOf(number, height)
  if (height === 0) return { entries: replaced(tree !== undefined && 'entries' in tree ? tree.entries : [], at, entry) }
  const nodes = tree !== undefined && 'nodes' in tree ? tree.nodes : []
  return { nodes: replaced(nodes, at, changed(nodes[at], height - 1, number, entry)) }
}

function replaced<T>(list: readonly (T | undefined)[], at: number, one: T | undefined): readonly (T | undefined)[] {
  const copy = list.slice()
  while (copy.length < at) copy.push(undefined)
  copy[at] = one
  return copy
}

function* entriesOf<K, V>(tree: Tree<K, V>): Generator<SharedEntry<K, V>> {
  if ('entries' in tree) {
    for (const entry of tree.entries) if (entry !== undefined) yield entry
  } else for (const node of tree.nodes) if (node !== undefined) yield* entriesOf(node)
}

function collectDifferences<K, V>(
  one: Tree<K, V> | undefined,
  other: Tree<K, V> | undefined,
  found: Difference<K, V>[],
): void {
  if (one === other) return
  const [a, b] = [partsOf(one), partsOf(other)]
  for (let at = 0; at < Math.max(a.entries.length, b.entries.length); at++) {
    const [mine, others] = [a.entries[at], b.entries[at]]
    const entry = mine ?? others
    if (entry !== undefined && mine?.value !== others?.value) found.push([entry.key, mine?.value, others?.value])
  }
  for (let at = 0; at < Math.max(a.nodes.length, b.nodes.length); at++)
    collectDifferences(a.nodes[at], b.nodes[at], found)
}

interface Parts<K, V> {
  readonly entries: readonly (SharedEntry<K, V> | undefined)[]
  readonly nodes: readonly (Tree<K, V> | undefined)[]
}

function partsOf<K, V>(tree: Tree<K, V> | undefined): Parts<K, V> {
  if (tree === undefined) return { entries: [], nodes: [] }
  return 'entries' in tree ? { entries: tree.entries, nodes: [] } : { entries: [], nodes: tree.nodes }
}
