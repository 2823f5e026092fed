import { type ShellWord, unknownPart } from '../../../model/shell.ts'
import { readOptions } from '../../../model/options.ts'
import { literal, type Text, unknown } from '../values/text.ts'
import { known } from './filters.ts'

const rules = {
  valued: ['p', 'suffix'],
  flags: ['directory', 'dry-run', 'quiet', 'tmpdir', 'suffix'],
  abbreviations: true,
}

/**
 * Returns the path that `mktemp` prints, with an unknown part in place of the template's `X`s. With `-t` the file is in
 * the temporary folder; on macOS its template needs no `X`s.
 */
export function temporaryPath(args: readonly ShellWord[]): Text {
  const read = readOptions(args, rules)
  const [template, more] = read.operands
  if (!args.every(known) || more !== undefined) return unknown()
  const name = template?.value ?? 'tmp.XXXXXXXXXX'
  const isInFolder = template === undefined || read.has('p', 'tmpdir', 't')
  const folder = isInFolder ? `${folderIn(read.value('p', 'tmpdir')?.value)}/` : ''
  const filled = name.replace(/X{3,}(?!.*X{3})/, unknownPart)
  if (name.includes(unknownPart) || (isInFolder && name.includes('/'))) return unknown()
  if (filled !== name) return literal(`${folder}${filled}${read.value('suffix')?.value ?? ''}\n`)
  return read.has('t') ? literal(`${folder}${name}.${unknownPart}\n`) : unknown()
}

const folderIn = (given: string | undefined) =>
  given === undefined || given === '' ? '/tmp' : given.replace(/\/+$/, '')
