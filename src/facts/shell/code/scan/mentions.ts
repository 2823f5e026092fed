import { unknownPart } from '../../../../model/shell.ts'
import type { CodeEffect } from '../call.ts'
import { isStarter } from '../effects.ts'
import { itemsOf, unknownText, type Value } from '../values.ts'
import type { EffectTables, Scanner } from './scanner.ts'

/** Last names of starters that much else is called, too: a pattern's `exec`, an object's `call`. */
const mistakable = /^(?:exec|execute|run|call|spawn|sync|command|pipeline|start|\W*)$/i

const split = (name: string): readonly [owner: string, member: string] => {
  const dot = name.lastIndexOf('.')
  return [name.slice(0, Math.max(0, dot)), name.slice(dot + 1)]
}

/** Finds the starters of processes among a language's calls. */
export function startersIn(calls: ReadonlyMap<string, CodeEffect>): Pick<EffectTables, 'unmistakable' | 'starting'> {
  const unmistakable = new Map<string, CodeEffect>()
  const starting = new Set<string>()
  for (const [name, effect] of calls) {
    const [owner, member] = split(name)
    if (!isStarter(effect) || owner === '') continue
    starting.add(owner)
    if (!mistakable.test(member)) unmistakable.set(member, effect)
  }
  return { unmistakable, starting }
}

/** Returns the effect of a call on an object that is not known, if its name tells that it starts a process. */
export function starterNamed({ tables }: Scanner, name: string): CodeEffect | undefined {
  const [owner, member] = split(name)
  return owner === '' ? undefined : tables.unmistakable.get(member)
}

/** Tells whether some member of a module with starters is called, and it cannot be known which. */
export function isSomeStarter({ tables }: Scanner, name: string): boolean {
  const [owner, member] = split(name)
  return member.includes(unknownPart) && tables.starting.has(owner)
}

/**
 * Records a starter of processes that is handed to other code, which may call it with anything: `map(os.system, list)`.
 */
export function noteMentions({ tables, findings }: Scanner, values: Iterable<Value>): void {
  for (const value of values)
    for (const form of [...value, ...itemsOf(value).flat()])
      if (form.kind === 'name' && form.name.includes('.') && isStarter(tables.calls.get(form.name)))
        findings.script(unknownText)
}
