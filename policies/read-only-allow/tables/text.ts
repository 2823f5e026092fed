import { unknownPart } from 'hookgate/policy'
import { isHarmlessAwk } from '../code/awk.ts'
import { isHarmlessSed } from '../code/sed.ts'
import { type Call, type Judge, mayBeOption } from '../call.ts'
import { optionsOf } from '../table.ts'

const sedValued = ['e', 'expression', 'l', 'line-length', 'f', 'file']

/** The texts of options and the operands of a call, in their order. */
function parts({ args }: Call, valued: readonly string[]) {
  const given: (readonly [name: string, value: string])[] = []
  const operands: string[] = []
  for (let at = 0; at < args.length; at++) {
    const value = args[at]?.value ?? ''
    if (value === '--') {
      operands.push(...args.slice(at + 1).map((word) => word.value))
      break
    }
    if (!value.startsWith('-') || value === '-') {
      operands.push(value)
      continue
    }
    if (value.startsWith('--')) {
      const [, name = '', text] = /^--([^=]*)(?:=([^]*))?$/.exec(value) ?? []
      given.push([name, text ?? (valued.includes(name) ? (args[++at]?.value ?? '') : '')])
      continue
    }
    for (let letter = 1; letter < value.length; letter++) {
      const name = value.charAt(letter)
      if (!valued.includes(name)) {
        given.push([name, ''])
        continue
      }
      given.push([name, value.slice(letter + 1) === '' ? (args[++at]?.value ?? '') : value.slice(letter + 1)])
      break
    }
  }
  return { given, operands }
}

const hasUnknown = (text: string) => text.includes(unknownPart)

/** sed: scripts that only print, none of them out of a file. */
export const sed: Judge = (call) => {
  if (call.args.some(mayBeOption)) return false
  const { given, operands } = parts(call, sedValued)
  const known =
    /^([nErszu]|quiet|silent|regexp-extended|separate|unbuffered|null-data|zero-terminated|posix|debug|sandbox|e|expression|l|line-length|version|help)$/
  if (!given.every(([name]) => known.test(name))) return false
  const scripts = given.filter(([name]) => name === 'e' || name === 'expression').map(([, text]) => text)
  const all = scripts.length > 0 ? scripts : operands.slice(0, 1)
  return all.length > 0 && all.every((script) => !hasUnknown(script) && isHarmlessSed(script))
}

/** awk: a program on the command line that only prints. */
export const awk: Judge = (call) => {
  const { given, operands } = parts(call, ['F', 'v', 'f', 'e', 'source', 'field-separator', 'assign', 'file'])
  const known =
    /^(F|v|field-separator|assign|e|source|version|help|V|posix|P|c|traditional|b|n|S|sandbox|r|re-interval|O|M|csv|k)$/
  if (call.args.some((word) => word.several === true) || !given.every(([name]) => known.test(name))) return false
  const texts = given.filter(([name]) => name === 'e' || name === 'source').map(([, text]) => text)
  const all = texts.length > 0 ? texts : operands.slice(0, 1)
  return all.length > 0 && all.every((program) => !hasUnknown(program) && isHarmlessAwk(program))
}

/** date: a format is printed, anything else sets the clock. */
export const date: Judge = ({ args }) => {
  const { names, unknown } = optionsOf(args, ['d', 'f', 'r', 'I', 'date', 'file', 'reference', 'v', 'z'], {})
  const { operands } = parts({ program: 'date', args }, ['d', 'f', 'r', 'date', 'file', 'reference', 'v', 'z'])
  return (
    !unknown &&
    !names.some((name) => name === 's' || (name.length > 1 && 'set'.startsWith(name))) &&
    (names.includes('j') || operands.every((word) => word.startsWith('+')))
  )
}

/** A pager: its `+` operands are commands, and its logs are files. Without a terminal it is a cat. */
export const pager: Judge = ({ args }) => {
  const { names, unknown } = optionsOf(args, ['p', 'x', 'y', 'z', 'P', 'b', 'h', 'j'], {})
  return (
    !unknown &&
    !args.some((word) => word.value.startsWith('+')) &&
    !names.some((name) => /^([oOkT]|log-file|LOG-FILE|lesskey.*|tag.*)$/i.test(name))
  )
}
