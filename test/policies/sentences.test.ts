import { expect, it } from 'vitest'
import { type ExampleReason, exampleReasons, packNames } from '../support/example-reasons.ts'

// A reason is read in a line or two, with nothing but the call beside it: what would happen, then what to do instead.

const charactersMax = 160

/** How a remedy begins: what the agent is to do, or a command or option to use. */
const remedy =
  /^(?:ask|change|check|commit|copy|delete|do|fetch|fix|give|have|install|keep|leave|let|list|look|make|move|name|open|push|put|read|remove|run|save|say|send|serve|show|take|tell|try|unset|use|wait|work|write|add|start|limit)\b|^`/

/** Splits a reason where a cause ends: at a colon that stands in no name of the call. */
const clausesOf = (reason: string): readonly string[] =>
  reason.replaceAll(/`[^`]*`/g, (name) => name.replaceAll(': ', ':')).split(/: /)

const hasOneRemedy = (reason: string): boolean => {
  const [, way, ...more] = clausesOf(reason)
  return way !== undefined && more.length === 0 && remedy.test(way)
}

/** Finds a path, an address, a variable or another name that stands in a reason as if it were a word of the sentence. */
const nameAsWord = ({ reason }: ExampleReason): string | undefined =>
  /[^\s:]*(?:[/\\$~@=_*{}<>\uFDD0]|\w\.\w|(?<!\w)\.\w|--\w)[^\s:]*/.exec(reason.replaceAll(/`[^`\uFDD0]*`/g, ''))?.[0]

/** True if a reason says a part of its call: a program, a path, a name, a variable. */
function namesCall({ call, reason }: ExampleReason): boolean {
  const said = reason.toLowerCase()
  const written = call.toLowerCase()
  const [subject = ''] = said.split(/[\s:]/)
  const parts = written.match(/[\w.-]{3,}|\$\w+|~/g) ?? []
  const quotedNames = [...reason.toLowerCase().matchAll(/`([^`]+)`/g)].map(([, name = '']) => name.split(' ')[0] ?? '')
  return (
    parts
      .flatMap((part) => [part].concat(part.split(/(?<=[\w-]{3})\./)))
      .some((part) => said.includes(part === '~' ? '/home/' : part)) ||
    [...quotedNames, subject].some((name) => written.includes(name))
  )
}

const textOf = ({ rule, call, reason }: ExampleReason) => `${rule}: ${call}: ${reason}`

/** The packs with less than 50 examples that refuse or ask. */
const few: Readonly<Record<string, number>> = { 'data-flow': 5, 'output-secrets': 2 }

// The pack read-only-allow says which command it does not know, and refuses nothing.
it.each(packNames.filter((name) => name !== 'read-only-allow'))(
  'every reason of the pack %s fits in two lines, quotes something of its call and has one remedy',
  { timeout: 300_000 },
  async (pack) => {
    const all = await exampleReasons(pack)
    expect(all.length).toBeGreaterThan(few[pack] ?? 50)
    expect(all.filter(({ reason }) => reason.length > charactersMax).map(textOf)).toEqual([])
    expect(all.filter((one) => !namesCall(one)).map(textOf)).toEqual([])
    expect(all.filter((one) => nameAsWord(one) !== undefined).map(textOf)).toEqual([])
    expect(all.filter(({ reason }) => !hasOneRemedy(reason)).map(textOf)).toEqual([])
  },
)
